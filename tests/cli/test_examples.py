"""The help page of every command has examples that work as printed."""

import shlex
from functools import cached_property

import pytest

from cli.command import EXAMPLE_MATCH
from cli.command_list import ALIASES, COMMANDS
from games.engine.registry import engines
from tests.cli.all_commands import all_commands
from tests.games.builders import sitting

PASSWORD = "Gr33n cowboys ride"
AT_A_TERMINAL = {"turnpost demo", "turnpost register", "turnpost login", "turnpost password"}
"""Commands that prompt. They are tested in tests/cli/test_interactive.py."""
GATHERING = {"invite", "bots", "start", "cancel"}
INVITED = {"join", "decline", "leave"}


def examples(name):
    return [line for line in all_commands()[name].callback.examples if line not in AT_A_TERMINAL]


@pytest.fixture
def world(machine_of, tmp_path, monkeypatch, called_at_once):
    """Puts a player in the right situation for a command, in a folder with the files that the examples use."""
    monkeypatch.chdir(tmp_path)
    return World(machine_of)


class World:
    def __init__(self, machine_of):
        self.machine_of = machine_of

    def prepare(self, name):
        """Return the player who types the command, and the match that it is about."""
        special = getattr(self, f"for_{name.replace(' ', '_')}", None)
        if special:
            return special()
        if name.startswith("webhooks "):
            return self.with_a_webhook(), ""
        return self.gathering(name) if name in GATHERING | INVITED else self.running()

    def running(self, game="coloretto"):
        from tests.games.builders import running_match

        table = running_match(game, seats=2)
        (seat, *_) = sorted(table.engine.awaiting(table.state))
        player = self.machine_of(sitting(table.seats[seat]).username)
        player.ok("use", table.match.id)
        return player, table.match.id

    def gathering(self, name):
        ann, ben = self.machine_of("ann"), self.machine_of("ben")
        match_id = ann.json("new", "coloretto", "--seats", "3", "--allow-bots")["match"]["id"]
        if name in INVITED:
            ann.ok("invite", match_id, "ben")
        if name in ("leave", "start"):
            ben.ok("join", match_id)
        return (ben if name in INVITED else ann), match_id

    def for_new(self):
        self.machine_of("ben")
        return self.machine_of("ann"), ""

    @cached_property
    def finished(self):
        from games.selectors.loading import load_match
        from tests.games.builders import play_some

        player, match_id = self.running()
        play_some(load_match(match_id))
        player.ok("verify", match_id, "--save", "proof.json")
        return player, match_id

    def for_block(self):
        self.machine_of("ben")
        return self.machine_of("ann"), ""

    def for_unblock(self):
        ann, _ = self.for_block()
        ann.ok("block", "ben")
        return ann, ""

    def for_report(self):
        """Let another player write the message with the number used in the example."""
        from games.models import Message

        player, match_id = self.running()
        other = self.machine_of("ben" if player.name == "ann" else "ann")
        other.ok("say", match_id, "Hello")
        Message.objects.update(id=12)
        return player, match_id

    def for_rematch(self):
        return self.finished

    def for_uninvite(self):
        ann, match_id = self.gathering("invite")
        ann.ok("invite", match_id, "ben")
        return ann, match_id

    def for_verify(self):
        return self.finished

    def for_review(self):
        """Create a finished review."""
        from accounts.models import User
        from games.models import Review
        from games.services import reviews

        player, match_id = self.finished
        reviews.review(match_id, User.objects.get(username=player.name))
        Review.objects.update(state="done")
        return player, match_id

    def for_withdraw(self):
        player, match_id = self.running("colorado-county")
        player.ok("play", match_id, "bid none")
        return player, match_id

    def for_retry(self):
        player, match_id = self.running()
        reachable, player.url = player.url, "http://127.0.0.1:9"
        assert player.run("draw").exit_code == 5
        player.url = reachable
        return player, match_id

    def with_a_webhook(self):
        """Create a player whose webhook has the number used in the examples."""
        from notifications.models import Webhook

        ann = self.machine_of("ann")
        number = ann.json("webhooks", "add", "https://hooks.example.org/turns")["webhook"]["id"]
        Webhook.objects.exclude(pk=number).delete()
        Webhook.objects.update(id=3)
        return ann

    def for_agree(self):
        """Let another player make a proposal."""
        player, match_id = self.running()
        other = self.machine_of("ben" if player.name == "ann" else "ann")
        other.ok("propose", "pause", "7d", "--match", match_id)
        return player, match_id

    for_refuse = for_agree

    def for_propose_time(self):
        """Make it Ann's turn, as in the example."""
        while True:
            player, match_id = self.running()
            if player.name == "ann":
                return player, match_id

    def for_propose_resume(self):
        player, match_id = self.for_agree()
        player.ok("agree", match_id)
        return player, match_id

    def for_propose_replacement(self):
        """Let Ben time out."""
        from django.utils import timezone

        from games.models import Seat
        from tests.games.builders import player

        player("emma")
        _, match_id = self.running()
        Seat.objects.filter(match=match_id, user__username="ben").update(stand_in_since=timezone.now())
        return self.machine_of("ann"), match_id

    def for_login(self):
        from tests.games.builders import player

        ann = player("ann")
        ann.set_password(PASSWORD)
        ann.save()
        return self.machine_of("ann"), ""

    for_account = for_login

    def for_password(self):
        from accounts import links
        from accounts.models import User

        player = self.machine_of("ann")
        return player, links.reset_token(User.objects.get(username="ann"))

    def for_register(self):
        from accounts import links
        from accounts.models import Registration

        player = self.machine_of("ann")
        who = ("--username", "emma", "--email", "emma@example.org")
        player.ok("register", *who, "--password-stdin", typed=PASSWORD)
        return player, links.confirmation_code(Registration.objects.filter(username="emma").latest("expires_at"))


def of_command(name):
    return pytest.param(name, marks=pytest.mark.slow) if name == "demo" else name  # It plays a whole match.


@pytest.mark.any_database
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("name", [of_command(name) for name in all_commands() if examples(name)])
def test_the_examples_of_a_command_work_as_printed(world, live_server, name):
    for line in examples(name):
        player, meant = world.prepare(name)
        order, _, file = line.partition(" < ")
        written = order.replace(EXAMPLE_MATCH, meant).replace("123456", meant)
        words = shlex.split(written.replace("http://localhost:8000", live_server.url))[1:]
        assert player.ok(*words, typed=PASSWORD if file else None)


def test_every_command_that_does_not_prompt_is_tested_here():
    printed = {line for command in all_commands().values() for line in command.callback.examples}
    assert printed >= AT_A_TERMINAL


@pytest.mark.parametrize("name", COMMANDS)
def test_a_help_page_starts_with_the_description_in_the_command_list(machine, name):
    assert COMMANDS[name].help in " ".join(machine.ok(name, "--help").split())


@pytest.mark.parametrize("name", all_commands())
def test_a_help_page_has_examples_and_the_shared_options(machine, name):
    shown = machine.ok(*name.split(), "--help")
    assert "Examples:" in shown
    for option in ("--json", "--yes", "--style", "--profile"):
        assert option in shown


def test_every_alias_stands_for_a_command_and_hides_no_other():
    assert set(ALIASES.values()) <= set(COMMANDS)
    assert not set(ALIASES) & set(COMMANDS)


def test_no_verb_of_a_game_hides_a_command_except_one_that_does_the_same():
    for game in engines():
        same = {game.notation(game.withdrawal)} if game.withdrawal else set()
        assert set(game.verbs) & {*COMMANDS, *ALIASES} <= same
