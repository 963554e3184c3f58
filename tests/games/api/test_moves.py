import psycopg
import pytest
from django.db import connection
from django.utils import timezone

from accounts.models import Token
from cli.signature_check import is_signed_with
from core import signatures
from core.rates import Rate
from games.engine import fairness
from games.engine.dice import Dice
from games.models import Move, Seat, StoredResult
from games.selectors.loading import load_match
from tests.databases import counted_round_trips, postgresql_only
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


@pytest.mark.django_db(transaction=True)
@postgresql_only
@pytest.mark.parametrize("game", ["coloretto", "colorado-county"])
def test_a_move_takes_two_round_trips_to_the_database(game):
    table = running_match(game)
    caller, match = at_turn(table)
    assert caller.get(match).status_code == 200
    seat = next(seat for seat in table.seats if seat.awaited_since)
    move = table.engine.notation(table.engine.sample(table.state, seat.drawn, Dice(bytes(32))))
    with counted_round_trips() as trips:
        played = caller.post(f"{match}/moves", {"move": move, "turn": 1}, **{"Idempotency-Key": "once"})
    assert (played.status_code, trips.count) == (200, 2)


def give_order(seat):
    orders = {"orders": ["take any", "draw", "place on 1"]}
    assert Caller(seat.user).post(f"/matches/{seat.match_id}/orders", orders).status_code == 200


def hand_over_to_stand_in(seat):
    Seat.objects.filter(pk=seat.pk).update(stand_in_since=timezone.now())


@pytest.mark.django_db(transaction=True)
@postgresql_only
@pytest.mark.parametrize("prepare", [give_order, hand_over_to_stand_in])
def test_a_move_followed_by_a_standing_order_or_a_stand_in_takes_no_more_round_trips(prepare):
    table = running_match("coloretto", 2)
    caller, match = at_turn(table)
    prepare(next(seat for seat in table.seats if not seat.awaited_since))
    assert caller.post(f"{match}/moves", {"move": "draw", "turn": 1}).status_code == 200
    with counted_round_trips() as trips:
        assert caller.post(f"{match}/moves", {"move": "place 1", "turn": 2}).status_code == 200
    assert trips.count == 2


@pytest.mark.django_db(transaction=True)
@postgresql_only
def test_recording_when_a_token_was_last_used_takes_one_more_round_trip():
    caller, match = at_turn(running_match("coloretto", 2))
    caller.get(match)
    Token.objects.update(last_used_at=None)
    with counted_round_trips() as trips:
        assert caller.post(f"{match}/moves", {"move": "draw", "turn": 1}).status_code == 200
    assert trips.count == 3
    assert Token.objects.exclude(last_used_at=None).exists()


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


def test_a_dry_run_ignores_the_idempotency_key(table):
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


def test_a_player_whose_turn_it_is_not_has_no_choices(table):
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


ELSEWISE = {"Accept": "application/json, */*"}
"""A header that makes the REST framework handle a move."""
FORGED = f"Bearer turnpost_{'0' * 64}"
REFUSED = [
    ({"move": "take 1", "turn": 1}, 409),
    ({"move": "draw", "turn": 0}, 409),
    ({"move": "dance", "turn": 1}, 400),
]


@pytest.mark.parametrize(("body", "status"), REFUSED)
def test_a_refusal_is_the_same_whether_or_not_the_framework_handles_the_request(table, body, status):
    caller, match = at_turn(table)
    usual, unusual = (caller.post(f"{match}/moves", body, **more) for more in ({}, ELSEWISE))
    assert usual.status_code == status
    assert everything_in(usual) == everything_in(unusual)


@pytest.mark.parametrize("written", [FORGED, "Bearer nonsense", ""])
def test_an_invalid_token_gets_the_same_refusal_whether_or_not_the_framework_handles_the_request(table, written):
    caller, match = at_turn(table)
    caller.client.credentials(HTTP_AUTHORIZATION=written)
    usual, unusual = (caller.post(f"{match}/moves", {"move": "draw", "turn": 1}, **more) for more in ({}, ELSEWISE))
    assert usual.status_code == 401
    assert everything_in(usual) == everything_in(unusual)


def test_strangers_get_the_same_refusal_whether_or_not_the_framework_handles_the_request(table):
    _, match = at_turn(table)
    stranger, body = Caller(player("eve")), {"move": "draw", "turn": 1}
    for url, status in ((match, 403), ("/matches/nothing99", 404)):
        usual, unusual = (stranger.post(f"{url}/moves", body, **more) for more in ({}, ELSEWISE))
        assert usual.status_code == status
        assert everything_in(usual) == everything_in(unusual)


def test_an_accepted_move_gets_the_same_response_whether_or_not_the_framework_handles_it(table):
    caller, match = at_turn(table)
    sent = {"move": "draw", "turn": 1}, {"Idempotency-Key": "once"}
    usual, unusual = (caller.post(f"{match}/moves", sent[0], **sent[1], **more) for more in ({}, ELSEWISE))
    assert usual.status_code == 200
    assert everything_in(usual) == everything_in(unusual)


def test_moves_count_towards_the_users_rate_limit(table, settings):
    settings.RATES = settings.RATES | {"user": Rate(2, 3600)}
    caller, match = at_turn(table)
    body = {"move": "take 1", "turn": 1}
    answers = [caller.post(f"{match}/moves", body, **more) for more in ({}, ELSEWISE, {}, ELSEWISE)]
    assert [one.status_code for one in answers] == [409, 409, 429, 429]
    assert answers[2].json()["code"] == "too_many_requests"
    assert "Retry-After" in answers[2].headers


def test_a_token_is_recorded_as_used_even_if_the_move_is_refused(table):
    _, match = at_turn(table)
    stranger = Caller(player("eve"))
    assert stranger.post(f"{match}/moves", {"move": "draw", "turn": 1}).status_code == 403
    assert Token.objects.get(user__username="eve").last_used_at


@pytest.mark.django_db(transaction=True)
@postgresql_only
def test_an_invalid_token_locks_nothing(table):
    _, match = at_turn(table)
    body, stranger = {"move": "draw", "turn": 1}, Caller(player("eve"))
    with psycopg.connect(**connection.get_connection_params()) as other:
        other.execute("SELECT 1 FROM games_match WHERE id = %s FOR UPDATE", [table.match.id])
        with connection.cursor() as cursor:
            cursor.execute("SET lock_timeout = '1s'")
        assert stranger.post(f"{match}/moves", body).status_code == 503
        stranger.client.credentials(HTTP_AUTHORIZATION=FORGED)
        assert stranger.post(f"{match}/moves", body).status_code == 401


def everything_in(response):
    return response.status_code, response.content, {**response.headers, "X-Request-ID": ""}
