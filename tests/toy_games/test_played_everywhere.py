"""A game that only this test registers can be played through every interface, without any code for it elsewhere.

Ann calls the API, Ben answers his email and Cleo types commands, all in the same match.
"""

import re
from datetime import timedelta

import pytest

from accounts.models import Token
from games.models import Move, Phase
from games.selectors.loading import load_match
from notifications.mail.sender import deliver_due
from tests.callers import caller
from tests.cli.conftest import Machine
from tests.games.builders import awaited, player, running_match, sitting
from tests.inbound.letters import exchange, reply, text_of
from tests.toy_games import hush, sticks

pytestmark = pytest.mark.django_db(transaction=True)
OFFER = re.compile(r'turnpost play \S+ "([^"]+)" --turn (\d+)')
MORE_MOVES_THAN_ANY_MATCH = 100


@pytest.fixture(params=[hush, sticks], ids=["hush", "sticks"])
def game(request):
    with request.param.registered() as engine:
        yield engine


class ByApi:
    def __init__(self, match_id):
        self.client, self.path = caller(player("ann")), f"/api/v1/matches/{match_id}"

    def move(self):
        choices = self.client.get(f"{self.path}/choices").json()
        body = {"move": choices["moves"][-1]["notation"], "turn": choices["turn"]}
        assert self.client.post(f"{self.path}/moves", body, format="json").status_code == 200


class ByMail:
    def __init__(self, mail_server):
        self.mail_server = mail_server

    def move(self):
        deliver_due()
        mail = [mail for mail in self.mail_server.arrived if mail["To"] == "ben@example.org"][-1]
        (move, _turn), *_ = OFFER.findall(text_of(mail).replace("\n", " "))
        exchange(reply(mail, move))


class ByCommands:
    """A player who types commands, including the game's verbs."""

    def __init__(self, match_id, folder, url):
        self.match_id, self.desk = match_id, Machine(folder, url, "cleo")
        self.desk.log_in(Token.objects.create(user=player("cleo"), expiry=timedelta(days=1), name="test")[1])
        self.desk.ok("use", match_id)

    def move(self):
        for style in ("colour", "plain", "speech"):
            assert "Cleo" in self.desk.ok("board", self.match_id, "--style", style)
        offered = self.desk.json("moves", self.match_id)["moves"]
        self.desk.ok(*offered[0]["notation"].split())


@pytest.mark.slow
def test_a_new_game_can_be_played_to_the_end_by_api_and_email_and_commands(
    game, mail_server, live_server, tmp_path, settings
):
    settings.REPLY_DOMAIN = "play.example.org"
    table = running_match(game.slug, seats=3)
    cleo = ByCommands(table.match.id, tmp_path / "cleo", live_server.url)
    players: dict[str, ByApi | ByMail | ByCommands] = {
        "ann": ByApi(table.match.id),
        "ben": ByMail(mail_server),
        "cleo": cleo,
    }
    for _ in range(MORE_MOVES_THAN_ANY_MATCH):
        players[sitting(awaited(table)).username].move()
        table = load_match(table.match.id)
        if table.match.phase != Phase.RUNNING:
            break
    assert table.match.phase == Phase.FINISHED
    assert Move.objects.values("source").distinct().count() == 2, "over the API, which commands also use, and by mail"
    assert game.title in cleo.desk.ok("games")
    assert game.title in cleo.desk.ok("rules", game.slug)
    cleo.desk.ok("verify", table.match.id)


def test_a_sealed_move_can_be_taken_back_with_the_games_own_verb(live_server, tmp_path):
    with hush.registered() as game:
        table = running_match(game.slug, seats=3)
        cleo = ByCommands(table.match.id, tmp_path / "cleo", live_server.url)
        cleo.desk.ok("name", "3")
        assert "You withdrew." in cleo.desk.ok("withdraw")
    assert Move.objects.latest("number").content == game.moves.dump(game.withdrawal).decode()
