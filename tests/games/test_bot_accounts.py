"""Bot accounts are ordinary accounts that are declared to be bots. They can play only where bots are allowed."""

import os
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import ClassVar

import pytest
from django.db import transaction

from accounts import profile
from clock.models import ProposalKind
from core.refusals import Conflict, Invalid
from games.engine.dice import Dice
from games.models import Phase
from games.selectors.loading import load_match
from games.services import invitations, lobby
from tests.callers import caller, token_of
from tests.clock.voting import propose
from tests.games.builders import plan, player, running_match, send
from tests.not_none import not_none
from tests.waiting import until

pytestmark = pytest.mark.django_db

ROOT = Path(__file__).resolve().parents[2]


def bot(name="robin"):
    user = player(name)
    profile.declare_bot(user)
    return user


def test_a_bot_account_is_labeled_and_stays_a_bot(api):
    user = bot()
    assert user.name == "Robin (bot)"
    assert api(user).get("/api/v1/me").json()["bot"] is True
    assert api(user).patch("/api/v1/me", {"bot": False}).status_code == 400
    match = lobby.create(player("ann"), plan(seats=3, allows_bots=True)).match
    lobby.join(match.id, user)
    seats = api().get(f"/api/v1/matches/{match.id}").json()["seats"]
    assert [seat["player"]["bot"] for seat in seats] == [False, True]


def test_declaring_a_bot_account_twice_over_the_api_changes_nothing(api):
    ann = api(player("ann"))
    assert ann.post("/api/v1/me/bot").json()["name"] == "Ann (bot)"
    assert ann.post("/api/v1/me/bot").status_code == 200


def test_bot_accounts_can_play_only_where_bots_are_allowed():
    user = bot()
    closed = lobby.create(player("ann"), plan(seats=3)).match
    with pytest.raises(Conflict, match="doesn't allow bots"):
        lobby.join(closed.id, user)
    with pytest.raises(Conflict, match="doesn't allow bots"):
        invitations.invite(closed.id, player("ann"), "robin")
    assert len(load_match(closed.id).seats) == 1


def test_a_bot_accounts_own_match_allows_bots():
    assert lobby.create(bot(), plan(seats=3)).match.allows_bots
    with pytest.raises(Invalid, match="doesn't allow bots"):
        lobby.create(bot(), plan(seats=3, allows_bots=False))


def test_a_player_in_a_match_for_people_cannot_become_a_bot():
    table = running_match()
    with pytest.raises(Conflict, match="doesn't allow bots"):
        profile.declare_bot(not_none(table.seats[0].user))
    assert not player(not_none(table.seats[0].user).username).is_bot


def test_a_bot_account_cannot_take_over_a_seat_in_a_match_for_people():
    table = running_match()
    not_none(table.seats[0].user).delete()
    bot()
    with pytest.raises(Conflict, match="doesn't allow bots"):
        propose(load_match(table.match.id), 1, ProposalKind.REPLACEMENT, seat=0, newcomer="robin")


@pytest.mark.slow
@pytest.mark.parametrize("game", ["coloretto", "colorado-county"])
def test_the_example_bot_plays_a_match_to_the_end(game, live_server):
    source = ROOT / "examples" / "bot.py"
    assert len(source.read_text().splitlines()) <= 40
    match_id = lobby.create(ann := player("ann"), plan(game, 2, allows_bots=True)).match.id
    environment = {"TURNPOST_URL": live_server.url, "TURNPOST_TOKEN": token_of(caller(bot())), "TURNPOST_POLL": "0.02"}
    program = subprocess.Popen([sys.executable, source], env={**os.environ, **environment})
    try:
        assert until(lambda: load_match(match_id).match.phase == Phase.RUNNING, seconds=30)
        play_for(ann, match_id)
    finally:
        program.terminate()
        program.wait(10)
    assert load_match(match_id).match.phase == Phase.FINISHED


class FailingServer(BaseHTTPRequestHandler):
    """Lists a match that is waiting for the bot, and refuses every other request."""

    asked: ClassVar[list[str]] = []

    def do_GET(self):
        self.asked.append(self.path)
        found = self.path.endswith("which=waiting")
        self.send_response(200 if found else 503)
        self.end_headers()
        self.wfile.write(b'{"results": [{"id": "k3v9mq2hd"}]}' if found else b"busy")


def test_the_example_bot_goes_on_after_failed_requests():
    server = HTTPServer(("127.0.0.1", 0), FailingServer)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    environment = {"TURNPOST_URL": f"http://127.0.0.1:{server.server_port}", "TURNPOST_TOKEN": "x"}
    program = subprocess.Popen(
        [sys.executable, ROOT / "examples" / "bot.py"],
        env={**os.environ, **environment, "TURNPOST_POLL": "0.02"},
        stderr=subprocess.PIPE,
        text=True,
    )
    errors = not_none(program.stderr)
    try:
        assert until(lambda: sum("choices" in path for path in FailingServer.asked) >= 2, seconds=30)
        server.shutdown()
        server.server_close()
        assert any("refused" in line for line in errors)
        assert program.poll() is None
    finally:
        program.terminate()
        program.communicate(timeout=10)


def play_for(user, match_id):
    dice = Dice(b"\1" * 32)

    def is_over():
        with transaction.atomic():  # Otherwise, the bot could move in between.
            table = load_match(match_id, lock=True)
        seat = not_none(table.seat_of(user.pk))
        if seat.awaited_since:
            move = table.engine.sample(table.state, seat.drawn, dice)
            assert send(match_id, user, table.engine.notation(move), table.match.turn).status == 200
        return table.match.phase != Phase.RUNNING

    assert until(is_over, seconds=120)
