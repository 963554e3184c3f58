"""Matches, users and servers are named in the same way in every command."""

import re
import shlex

import pytest

from accounts.models import User
from cli.command import EXAMPLE_MATCH
from cli.config import Config
from tests.cli.all_commands import all_commands
from tests.cli.faulty_server import answer, faulty
from tests.games.builders import awaited, player, running_match, sitting
from turnpost import Client
from turnpost.http import full_url

MATCH, OTHER = "k7m2x9q4a", "k7p2x9q4a"
TITLE = "Sunday table"
NO_SUCH_MATCH = {"code": "no_such_match", "message": "There is no such match.", "hint": "", "data": {}}
LOCAL = {"retry"}
"""Commands that identify a match without asking the server."""


def takes_match(command):
    return any(re.search(r"\bID\b", parameter.metavar or "") for parameter in command.params)


ABOUT_MATCHES = sorted(name for name, command in all_commands().items() if takes_match(command))


def example(name):
    """Return the words of the command's first example with a match."""
    line = next(line for line in all_commands()[name].callback.examples if EXAMPLE_MATCH in line)
    return [word for word in shlex.split(line.partition(" < ")[0])[1:] if word != "--drop"]


@pytest.fixture
def knowing(machine):
    """Return a machine that has seen a list with two matches."""
    machine.token = "turnpost_token"
    listed = [{"id": MATCH, "title": TITLE}, {"id": OTHER, "title": "Friday"}]
    with faulty(answer(404, NO_SUCH_MATCH)) as server:
        machine.url = server.url
        machine.server = server
        remember(machine, listed)
        yield machine


def remember(machine, listed):
    from cli.render.style import Style
    from cli.session import Session

    session = Session(Style(), environment=machine.environment)
    session.config = Config(machine.folder)
    session.store.remember_matches(listed)


def test_control_most_commands_take_a_match():
    assert {"board", "play", "say", "order", "join", "verify", "notify mute", "propose time"} < set(ABOUT_MATCHES)
    assert len(ABOUT_MATCHES) > 35


@pytest.mark.parametrize("name", ABOUT_MATCHES)
def test_a_match_can_be_named_by_its_id_or_title_or_the_start_of_one_of_them(knowing, name):
    takes_text = name in ("say", "order")  # The start of a title could be the first word of the text.
    for written in (MATCH, "k7m2", TITLE, TITLE.upper(), *([] if takes_text else [TITLE[:4]])):
        words = [written if word == EXAMPLE_MATCH else word for word in example(name)]
        knowing.server.requests.clear()
        done = knowing.run(*words, "--yes")
        asked = {path for _, path, _, _ in knowing.server.requests}
        assert done.exit_code == 3, (words, done.output)
        assert asked or name in LOCAL
        assert all(re.search(rf"/matches/{MATCH}(/|$|\?)", path) for path in asked), (words, asked)


@pytest.mark.parametrize("name", ABOUT_MATCHES)
def test_an_ambiguous_name_is_a_usage_error_that_lists_the_matches(knowing, name):
    remember(knowing, [{"id": OTHER, "title": TITLE}])
    words = [TITLE if word == EXAMPLE_MATCH else word for word in example(name)]
    done = knowing.run(*words, "--yes")
    assert done.exit_code == 2
    assert f"could be {MATCH} or {OTHER}" in done.stderr
    assert not knowing.server.requests


@pytest.mark.django_db(transaction=True)
class TestOnAnotherMachine:
    """This machine has not listed any matches yet."""

    @pytest.mark.parametrize("written", ["wednesday", "WEDNESDAY", "start"])
    def test_a_title_or_the_start_of_an_id_is_looked_up_on_the_server(self, machine_of, written):
        table = running_match(seats=2, title="Wednesday")
        name = table.match.id[:5] if written == "start" else written
        assert machine_of("ann").json("board", name)["match"]["id"] == table.match.id

    def test_finished_matches_and_invitations_are_found_as_well(self, machine_of, finished):
        ann, ben = machine_of("ann"), machine_of("ben")
        assert ann.json("history", finished[:6], "--turn", "1")["match"] == finished
        ann.ok("new", "coloretto", "--title", "Next one", "--private", "--invite", "ben")
        assert ben.json("join", "next one")["match"]["title"] == "Next one"

    def test_an_unknown_title_is_an_error(self, machine_of):
        done = machine_of("ann").run("board", "No such table")
        assert done.exit_code == 2
        assert "turnpost matches" in done.stderr


def bens_turn():
    """Start matches until Ben has the first turn in one."""
    while sitting(awaited(table := running_match(seats=2))).username != "ben":
        pass
    return table


@pytest.mark.django_db(transaction=True)
class TestUsers:
    @pytest.mark.parametrize("written", ["ben", "BEN", "@ben"])
    def test_every_command_accepts_a_username_in_any_case_with_or_without_an_at_sign(self, machine_of, written):
        ann, _ = machine_of("ann"), machine_of("ben")
        match_id = ann.json("new", "coloretto", "--seats", "3", "--invite", written)["match"]["id"]
        ann.ok("uninvite", match_id, written)
        ann.ok("invite", match_id, written)
        ann.ok("block", written)
        assert ann.json("unblock", written) == {"unblocked": "ben"}
        ann.ok("propose", "time", "2d", "--for", written, "--match", bens_turn().match.id)

    def test_the_name_on_the_board_works_when_it_can_only_refer_to_one_player(self, machine_of):
        ann, _ = machine_of("ann"), machine_of("ben")
        User.objects.filter(username="ben").update(display_name="Benny B.")
        match_id = ann.json("new", "coloretto", "--seats", "3", "--invite", "ben")["match"]["id"]
        ann.ok("uninvite", match_id, "benny b.")
        ann.ok("block", "ben")
        assert ann.json("unblock", "Benny B.") == {"unblocked": "ben"}

    def test_a_username_takes_precedence_over_another_players_name(self, machine_of):
        """Otherwise, a player could choose somebody else's username as their name and be mistaken for them."""
        table = bens_turn()
        User.objects.filter(username="ann").update(display_name="ben")
        proposed = machine_of("ann").json("propose", "time", "2d", "--for", "ben", "--match", table.match.id)
        assert proposed["proposal"]["seat"] == awaited(table).number

    def test_a_name_that_the_server_does_not_know_is_explained_if_it_was_on_a_board(self, machine_of):
        table, ann = running_match(seats=2), machine_of("ann")
        User.objects.filter(username="ben").update(display_name="Benny")
        ann.ok("board", table.match.id)
        for words in (["block", "Benny"], ["new", "coloretto", "--invite", "benny"]):
            done = ann.run(*words)
            assert done.exit_code == 3
            assert "enny's username is ben." in done.stderr


@pytest.mark.django_db(transaction=True)
class TestServers:
    """A server address can be given anywhere without its scheme."""

    @pytest.fixture
    def address(self, live_server):
        assert live_server.url.startswith("http://localhost:")
        return live_server.url.removeprefix("http://")

    def test_an_address_in_the_environment_needs_no_scheme(self, machine_of, address):
        ann = machine_of("ann")
        for written in (address, f"{address}/", f"http://{address}/"):
            ann.url = written
            assert ann.json("whoami")["url"] == f"http://{address}"

    def test_an_address_in_an_option_needs_no_scheme(self, machine, address):
        player("ann")
        login = ["login", "ann", "--server", address, "--password-stdin"]
        assert f"You're logged in to http://{address}." in machine.ok(*login, typed="correct horse\n", TURNPOST_URL="")
        assert machine.run("whoami", "--json", TURNPOST_URL="").exit_code == 0

    def test_an_address_in_the_file_with_profiles_needs_no_scheme(self, machine_of, address):
        ann = machine_of("ann")
        path = ann.folder / "profiles.json"
        path.write_text(path.read_text().replace(f"http://{address}", f"{address}/"))
        ann.token = ""
        assert f'"url": "http://{address}"' in ann.ok("whoami", "--json", TURNPOST_URL="")

    def test_an_address_in_the_client_library_needs_no_scheme(self, live_server, address):
        player("ann")
        assert Client.log_in(address, "ann", "correct horse").me().username == "ann"

    @pytest.mark.parametrize(
        ("typed", "url"),
        [
            ("LocalHost:8101", "http://LocalHost:8101"),
            ("127.0.0.1:8000", "http://127.0.0.1:8000"),
            ("[::1]:8000", "http://[::1]:8000"),
            ("play.example.org/", "https://play.example.org"),
            ("http://play.example.org", "http://play.example.org"),
            ("[::1", "https://[::1"),
        ],
    )
    def test_only_this_machine_is_reached_without_encryption(self, typed, url):
        assert full_url(typed) == url
