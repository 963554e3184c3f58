"""Moves over HTTP: responses and repeated requests."""

import pytest

from cli.signature_check import is_signed_with
from core import signatures
from games.engine import fairness
from games.models import Move, StoredResult
from games.selectors.loading import load_match
from tests.games.api.clients import Caller
from tests.games.builders import play_some, player, running_match

pytestmark = pytest.mark.django_db


@pytest.fixture
def table():
    return running_match()


def at_turn(table):
    """Return a client for the player whose turn it is, and the URL of the match."""
    seat = next(seat for seat in table.seats if seat.awaited_since)
    return Caller(seat.user), f"/matches/{table.match.id}"


def test_a_move_in_notation_is_played_and_its_events_are_returned(table):
    caller, match = at_turn(table)
    played = caller.post(f"{match}/moves", {"move": "Draw", "turn": 1})
    assert played.status_code == 200
    answer = played.json()
    assert (answer["match"], answer["turn"], answer["phase"]) == (table.match.id, 2, "running")
    assert answer["move"]["notation"] == "draw"
    assert answer["events"][0]["event"]["event"] == "card_drawn"
    assert "drew" in answer["events"][0]["text"]


def test_a_move_can_be_sent_as_json(table):
    caller, match = at_turn(table)
    assert caller.post(f"{match}/moves", {"move": {"move": "draw"}, "turn": 1}).status_code == 200


def test_the_turn_can_be_sent_as_the_matchs_etag(table):
    caller, match = at_turn(table)
    tag = caller.get(match).headers["ETag"]
    player_talks(caller, match)
    assert caller.post(f"{match}/moves", {"move": "draw"}, **{"If-Match": tag}).status_code == 200
    stale = caller.post(f"{match}/moves", {"move": "place 1"}, **{"If-Match": tag})
    assert (stale.status_code, stale.json()["code"]) == (409, "stale")


def player_talks(caller, match):
    assert caller.post(f"{match}/messages", {"text": "Good luck!"}).status_code == 201


def test_the_refusal_of_a_stale_move_shows_the_current_view(table):
    caller, match = at_turn(table)
    refused = caller.post(f"{match}/moves", {"move": "draw", "turn": 0})
    assert refused.status_code == 409
    assert refused.json()["data"]["turn"] == 1
    assert refused.json()["data"]["view"] == caller.get(match).json()["view"]


def test_a_repeated_request_gets_the_same_response_byte_for_byte(table):
    caller, match = at_turn(table)
    first, second = (
        caller.post(f"{match}/moves", {"move": "draw", "turn": 1}, **{"Idempotency-Key": "abc"}) for _ in range(2)
    )
    assert first.status_code == second.status_code == 200
    assert first.content == second.content
    assert Move.objects.count() == 1


def test_a_different_move_with_the_same_key_is_refused(table):
    caller, match = at_turn(table)
    caller.post(f"{match}/moves", {"move": "draw", "turn": 1}, **{"Idempotency-Key": "abc"})
    other = caller.post(f"{match}/moves", {"move": "place 1", "turn": 2}, **{"Idempotency-Key": "abc"})
    assert (other.status_code, other.json()["code"]) == (422, "key_reused")


def test_a_repeated_request_gets_the_same_refusal(table):
    caller, match = at_turn(table)
    refused = [
        caller.post(f"{match}/moves", {"move": "take 1", "turn": 1}, **{"Idempotency-Key": "abc"}) for _ in range(2)
    ]
    assert [one.status_code for one in refused] == [409, 409]
    assert refused[0].content == refused[1].content
    assert StoredResult.objects.count() == 1


UNREADABLE = [
    ({"move": "dance", "turn": 1}, {}, "unknown_move"),
    ({"move": {"move": "dance"}, "turn": 1}, {}, "malformed_move"),
    ({"move": 7, "turn": 1}, {}, "invalid"),
    ({"move": "draw"}, {}, "turn_missing"),
    ({"move": "draw", "turn": 1}, {"If-Match": '"2-ab"'}, "two_turns"),
    ({"move": {"row": 10**30}, "turn": 1}, {}, "parse_error"),
]


@pytest.mark.parametrize(("body", "headers", "code"), UNREADABLE)
def test_a_repeated_unreadable_request_gets_the_same_error(table, body, headers, code):
    caller, match = at_turn(table)
    headers |= {"Idempotency-Key": "abc"}
    first, second = (caller.post(f"{match}/moves", body, **headers) for _ in range(2))
    assert (first.status_code, first.json()["code"]) == (second.status_code, code) == (400, code)
    assert first.content == second.content
    other = caller.post(f"{match}/moves", {"move": "draw", "turn": 1}, **{"Idempotency-Key": "abc"})
    assert (other.status_code, other.json()["code"]) == (422, "key_reused")
    assert not Move.objects.exists()


@pytest.mark.parametrize(("body", "headers", "code"), UNREADABLE)
def test_an_unreadable_body_does_not_match_an_earlier_request(table, body, headers, code):
    caller, match = at_turn(table)
    headers |= {"Idempotency-Key": "abc"}
    assert caller.post(f"{match}/moves", {"move": "draw", "turn": 1}, **{"Idempotency-Key": "abc"}).status_code == 200
    assert caller.post(f"{match}/moves", body, **headers).status_code == 422


def test_nothing_is_stored_for_users_without_a_seat(table):
    _, match = at_turn(table)
    key = {"Idempotency-Key": "abc"}
    for body in ({"move": 7, "turn": 1}, {"move": "draw", "turn": 1}):
        refused = Caller(player("emil")).post(f"{match}/moves", body, **key)
        assert (refused.status_code, refused.json()["code"]) == (403, "not_your_match")
    assert not StoredResult.objects.exists()


def test_a_dry_run_ignores_the_key(table):
    caller, match = at_turn(table)
    for body, status in (({"move": 7, "turn": 1}, 400), ({"move": "draw", "turn": 1}, 200)):
        assert caller.post(f"{match}/moves?dry_run=1", body, **{"Idempotency-Key": "abc"}).status_code == status
    assert not StoredResult.objects.exists()


@pytest.mark.parametrize(
    ("body", "headers", "code"),
    [
        ({"move": "draw"}, {}, "turn_missing"),
        ({"move": "draw", "turn": 1}, {"If-Match": '"2-ab"'}, "two_turns"),
        ({"move": "draw"}, {"If-Match": "*"}, "bad_tag"),
        ({"move": "draw"}, {"If-Match": '"9999999999-ab"'}, "bad_tag"),
        ({"move": "draw", "turn": 1}, {"Idempotency-Key": "a b"}, "bad_key"),
        ({"move": "draw", "turn": 1}, {"Idempotency-Key": "a" * 81}, "bad_key"),
        ({"move": "draw", "turn": 1}, {"Idempotency-Key": "schlüssel"}, "bad_key"),
        ({"move": "dance", "turn": 1}, {}, "unknown_move"),
        ({"move": {"move": "dance"}, "turn": 1}, {}, "malformed_move"),
        ({"move": {"move": "take", "row": "two"}, "turn": 1}, {}, "malformed_move"),
        ({"move": {}, "turn": 1}, {}, "malformed_move"),
        ({"move": {"move": "take", "row": 10**30}, "turn": 1}, {}, "parse_error"),
        ({"move": 7, "turn": 1}, {}, "invalid"),
        ({"move": None, "turn": 1}, {}, "invalid"),
        ({"move": "x" * 501, "turn": 1}, {}, "invalid"),
        ({"move": "draw", "turn": "one"}, {}, "invalid"),
        ({"move": "draw", "turn": -1}, {}, "invalid"),
        ({"move": "draw", "turn": 2**31}, {}, "invalid"),
        ({"move": "draw", "turn": 1, "trun": 1}, {}, "invalid"),
        (["draw"], {}, "invalid"),
        ("draw", {}, "invalid"),
    ],
)
def test_an_invalid_move_is_refused_and_changes_nothing(table, body, headers, code):
    caller, match = at_turn(table)
    refused = caller.post(f"{match}/moves", body, **headers)
    assert (refused.status_code, refused.json()["code"]) == (400, code)
    assert not Move.objects.exists()


def test_other_players_cannot_move(table):
    _, match = at_turn(table)
    move = {"move": "draw", "turn": 1}
    assert Caller().post(f"{match}/moves", move).status_code == 401
    assert Caller(player("emil")).post(f"{match}/moves", move).json()["code"] == "not_your_match"
    waiting = next(seat for seat in table.seats if not seat.awaited_since)
    assert Caller(waiting.user).post(f"{match}/moves", move).json()["code"] == "not_your_turn"


def test_choices_are_ready_to_send(table):
    caller, match = at_turn(table)
    for _ in range(4):
        caller, match = at_turn(load_match(table.match.id))
        choices = caller.get(f"{match}/choices").json()
        chosen = choices["moves"][-1]
        as_text = caller.post(f"{match}/moves?dry_run=1", {"move": chosen["notation"], "turn": choices["turn"]})
        as_json = caller.post(f"{match}/moves?dry_run=1", {"move": chosen["move"], "turn": choices["turn"]})
        assert as_text.status_code == 200
        assert as_text.content == as_json.content
        played = caller.post(f"{match}/moves", {"move": chosen["notation"], "turn": choices["turn"]})
        assert played.status_code == 200


def test_a_player_who_is_not_to_move_has_no_choices(table):
    waiting = next(seat for seat in table.seats if not seat.awaited_since)
    offered = Caller(waiting.user).get(f"/matches/{table.match.id}/choices").json()
    assert offered == {"turn": 1, "moves": [], "forms": []}
    finished = play_some(table)
    assert Caller(finished.seats[0].user).get(f"/matches/{table.match.id}/choices").json()["moves"] == []


def test_a_sealed_move_returns_a_receipt(hush):
    table = running_match("hush")
    caller = Caller(table.seats[0].user)
    sealed = caller.post(f"/matches/{table.match.id}/moves", {"move": "name 3", "turn": 1}).json()["move"]
    assert sealed["sealed"] is True
    pending = caller.get(f"/matches/{table.match.id}/receipts").json()["pending"]
    same = {name: sealed[name] for name in ("receipt", "nonce", "signature")}
    assert pending == {"turn": 1, "seat": 0, **same}
    statement = fairness.receipt_statement(table.match.id, 1, 0, sealed["receipt"])
    assert is_signed_with(signatures.public_key(), statement, sealed["signature"])
