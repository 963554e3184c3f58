"""Play a whole match of each game over HTTP with only `requests`, from four registrations to a valid proof.

Only the codes and links in emails are looked up directly.
"""

import json
from hashlib import sha256
from itertools import pairwise
from random import Random
from typing import Any
from uuid import uuid4

import pytest
import requests

from games.engine.proof import verify
from games.engine.registry import engines
from games.services.invitations import invitation_token
from tests.accounts.builders import mail_to

PASSWORD = "Gr33n cowboys ride"
NAMES = ["ann", "ben", "cleo", "dora"]


class Player:
    """A person with their own HTTP client."""

    def __init__(self, server: str, name: str) -> None:
        self.api = f"{server}/api/v1"
        self.session = requests.Session()
        self.name, self.email = name, f"{name}@example.org"
        self.receipts: list[dict[str, Any]] = []

    def get(self, path, **query):
        answer = self.session.get(self.api + path, params=query)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def send(self, path, body=None, status=200, **headers):
        answer = self.session.post(self.api + path, json=body or {}, headers=headers)
        assert answer.status_code == status, answer.text
        return answer.json()

    def register(self, invitation=""):
        asked = {"username": self.name, "email": self.email, "password": PASSWORD, "invitation": invitation}
        registration = self.send("/registrations", asked, status=202)["registration"]
        code = mail_to(self.email).facts["code"]
        self.send("/registrations/confirm", {"registration": registration, "code": code})
        token = self.send("/tokens", {"login": self.email, "password": PASSWORD}, status=201)["token"]
        self.session.headers["Authorization"] = f"Bearer {token}"

    def is_awaited(self):
        return bool(self.get("/matches", which="waiting")["results"])

    def move(self, match, move, turn):
        key = {"Idempotency-Key": str(uuid4())}
        played = self.send(f"/matches/{match}/moves", {"move": move, "turn": turn}, **key)
        if played["move"]["sealed"]:
            self.receipts.append({"turn": turn, **played["move"]})
        return played


@pytest.fixture
def players(live_server):
    players = [Player(live_server.url, name) for name in NAMES]
    yield players
    for player in players:
        player.session.close()


def gather(game, players):
    """Invite two players by name, and one without an account by an emailed link."""
    ann, *friends, dora = players
    for player in (ann, *friends):
        player.register()
    seats = {"game": game, "seats": 4, "private": True, "title": "With requests alone"}
    match = ann.send("/matches", seats, status=201)["id"]
    for friend in friends:
        ann.send(f"/matches/{match}/invitations", {"invitee": friend.name}, status=201)
        assert [one["id"] for one in friend.get("/matches", which="invited")["results"]] == [match]
        friend.send(f"/matches/{match}/join", {"salt": f"salt of {friend.name}"})
    invitation = ann.send(f"/matches/{match}/invitations", {"invitee": dora.email}, status=201)
    token = invitation_token(invitation["number"])
    assert dora.get(f"/invitations/{token}")["invited_by"]["username"] == "ann"
    dora.register(invitation=token)
    assert dora.send(f"/matches/{match}/join", {"salt": "salt of dora"})["phase"] == "running"
    return match


def play(match, players, will):
    """Let each player list the matches waiting for them, and make one of the offered moves."""
    happened = []
    while player := next((one for one in shuffled(players, will) if one.is_awaited()), None):
        choices = player.get(f"/matches/{match}/choices")
        move = decide(choices, "land_sold" in happened, will)
        played = player.move(match, move, choices["turn"])
        happened += [event["event"]["event"] for event in played["events"]]
    return happened


def shuffled(players, will):
    return will.sample(players, len(players))


def decide(choices, sold, will):
    """Choose any move except a withdrawal. Until a sale has taken place, prefer moves that lead to one."""
    offered = [one["notation"] for one in choices["moves"] if one["notation"] != "withdraw"]
    offered += [form["example"] for form in choices["forms"]]
    leading = [] if sold else [one for one in offered if one.startswith(("sell", "interested"))]
    return will.choice(leading or offered)


def check_chain(match, player):
    """Check that every event, visible or hidden, is linked to the previous one, and return the last hash."""
    page, events = {"results": [], "next": f"{player.api}/matches/{match}/log?limit=100"}, []
    while page["next"]:
        page = player.session.get(page["next"]).json()
        events += page["results"]
    for before, event in pairwise(events):
        assert linked(moved(before["hash"], event["cause"]), event["leaf"]) == event["hash"]
    assert [event["number"] for event in events] == list(range(1, len(events) + 1))
    return events[-1]["hash"]


def moved(head, cause):
    written = json.dumps(cause, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    return linked(head, sha256(b"turnpost move 2\n" + written).hexdigest()) if cause else head


def linked(head, leaf):
    return sha256(bytes.fromhex(head + leaf)).hexdigest()


def ended(head, end):
    written = json.dumps(end, sort_keys=True, separators=(",", ":")).encode()
    return linked(head, sha256(b"turnpost end 2\n" + written).hexdigest())


def check_receipts(match, players):
    """Check that the receipts published after the reveal are those that players got when they sealed their moves."""
    opened = {
        (one["turn"], one["seat"]): one["receipt"] for one in players[0].get(f"/matches/{match}/receipts")["opened"]
    }
    given = [receipt for player in players for receipt in player.receipts]
    assert {(one["turn"], one["seat"]) for one in given} >= set(opened)
    assert set(opened.values()) <= {one["receipt"] for one in given}
    return len(opened)


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("game", [engine.slug for engine in engines()])
def test_four_strangers_play_a_whole_match_and_its_proof_is_valid(game, players):
    match = gather(game, players)
    happened = play(match, players, Random(f"{game} 1"))
    over = players[3].get(f"/matches/{match}")
    assert (over["phase"], over["awaiting"]) == ("finished", [])
    assert sorted(seat["place"] for seat in over["seats"])[0] == 1
    head = check_chain(match, players[1])
    receipts = check_receipts(match, players)
    proof = players[2].session.get(f"{players[2].api}/matches/{match}/proof")
    proven, shown = verify(proof.content).proof, over["fairness"]
    assert (proven.terms.match, proven.terms.secret_hash) == (match, shown["secret_hash"])
    assert proven.head == shown["head"] == ended(head, shown["end"])
    if game == "colorado-county":
        assert "land_sold" in happened
        assert receipts > 50
