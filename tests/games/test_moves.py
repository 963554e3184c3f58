"""Moves are accepted or refused, and everything about them is stored."""

from typing import Any

import msgspec
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from core.problems import status_of
from core.refusals import Refused
from games.models import Event, Move, Source, StoredResult
from games.selectors.loading import load_match
from games.services.moves import Actor, submit_move
from games.shapes import MoveAccepted
from notifications.models import Notification
from tests.games import builders
from tests.games.builders import awaited, play_some, player, running_match

pytestmark = pytest.mark.django_db


def send(table, seat, move, *, turn=None, key=None):
    turn = table.match.turn if turn is None else turn
    return builders.send(table.match.id, seat.user, move, turn, key)


def body(answer):
    return msgspec.json.decode(answer.body)


def test_a_legal_move_is_stored_and_increases_the_turn():
    table = running_match()
    answer = send(table, awaited(table), "draw")
    assert answer.status == 200
    assert body(answer)["turn"] == table.match.turn + 1
    assert body(answer)["events"][0]["event"]["event"] == "card_drawn"
    assert Move.objects.get(match=table.match).content == '{"move":"draw","schema":1}'


def test_a_move_can_be_sent_as_json():
    table = running_match()
    assert send(table, awaited(table), {"move": "draw"}).status == 200


def test_the_refusal_of_a_stale_move_shows_the_current_view_and_nothing_changes():
    table = running_match()
    before = load_match(table.match.id).match.encrypted_state
    answer = send(table, awaited(table), "draw", turn=0)
    assert (answer.status, body(answer)["code"]) == (409, "stale")
    assert body(answer)["data"]["turn"] == table.match.turn
    assert body(answer)["data"]["view"]["seat"] == awaited(table).number
    assert load_match(table.match.id).match.encrypted_state == before
    assert not Move.objects.exists()


def test_the_refusal_of_an_illegal_move_lists_the_legal_ones():
    table = running_match()
    answer = send(table, awaited(table), "take 1")
    assert (answer.status, body(answer)["code"]) == (409, "row_empty")
    assert body(answer)["hint"] == "Try 'draw'."
    assert not Move.objects.exists()


def test_a_move_out_of_turn_is_refused():
    table = running_match()
    other = next(seat for seat in table.seats if not seat.awaited_since)
    assert body(send(table, other, "draw"))["code"] == "not_your_turn"


def test_an_unreadable_move_is_malformed():
    table = running_match()
    answer = send(table, awaited(table), "castle kingside")
    assert (answer.status, body(answer)["code"]) == (400, "unknown_move")


def test_a_stranger_can_neither_move_in_a_public_match_nor_see_a_private_one():
    public, private = running_match(), running_match(is_private=True)
    stranger = player("stranger")
    for table, status in ((public, 403), (private, 404)):
        with pytest.raises(Refused) as refused:
            builders.send(table.match.id, stranger, "draw", table.match.turn)
        assert status_of(refused.value) == status


def test_no_move_can_be_made_in_a_finished_match():
    table = play_some(running_match())
    answer = send(table, table.seats[0], "draw")
    assert (answer.status, body(answer)["code"]) == (409, "not_running")


def test_a_repeated_request_gets_the_first_response_byte_for_byte():
    table = running_match()
    seat = awaited(table)
    first = send(table, seat, "draw", key="one")
    later = play_some(load_match(table.match.id), 5)
    again = builders.send(later.match.id, seat.user, "draw", table.match.turn, "one")
    assert again == first
    assert StoredResult.objects.filter(key="one").count() == 1
    assert Move.objects.filter(match=table.match, turn=table.match.turn).count() == 1


def test_a_repeated_request_gets_the_same_refusal_even_if_the_move_is_legal_now():
    table = running_match()
    early = next(seat for seat in table.seats if not seat.awaited_since)
    first = send(table, early, "draw", key="too early")
    while awaited(table).pk != early.pk:
        table = play_some(table, 1)
    assert send(table, early, "draw", key="too early", turn=1) == first
    assert StoredResult.objects.count() == 1


def test_a_different_move_with_the_same_key_is_refused():
    table = running_match()
    seat = awaited(table)
    send(table, seat, "draw", key="one")
    with pytest.raises(Refused) as refused:
        builders.send(table.match.id, seat.user, "place 1", table.match.turn + 1, "one")
    assert (status_of(refused.value), refused.value.code) == (422, "key_reused")


def test_two_players_can_use_the_same_key(hush):
    table = running_match("hush", 2)
    assert [send(table, seat, "name 2", key="same").status for seat in table.seats] == [200, 200]


def test_only_players_whose_turn_has_just_begun_are_notified():
    table = running_match()
    seat = awaited(table)
    Notification.objects.all().delete()
    table = play_some(table, 1)
    assert not Notification.objects.exists(), "after drawing, it is still the same player's turn"
    table = play_some(table, 1)
    notification = Notification.objects.get()
    assert (notification.kind, notification.seat, notification.turn) == (
        "your_turn",
        (seat.drawn + 1) % 3,
        table.match.turn,
    )


def test_all_players_are_notified_of_the_end():
    table = play_some(running_match())
    assert Notification.objects.filter(kind="match_over").count() == len(table.seats)
    assert not any(seat.awaited_since for seat in table.seats)


def test_a_move_always_takes_the_same_few_queries():
    table = running_match("coloretto", 4, options={"edition": "classic", "games": 8})
    early = costs_of_next_moves(table)
    for _ in range(5):
        running_match()
    late = costs_of_next_moves(play_some(table, 200))
    assert max(early + late) <= 10, "and one for the caller's token"


def costs_of_next_moves(table, moves=6):
    costs = []
    for number in range(moves):
        seat = awaited(table)
        move = table.engine.on_timeout(table.state, seat.drawn)
        key = f"{table.match.turn} {number}"
        with CaptureQueriesContext(connection) as queries:
            assert send(table, seat, table.engine.notation(move), key=key).status == 200
        costs.append(sum(not is_bracket(query["sql"]) for query in queries))
        table = load_match(table.match.id)
    return costs


def is_bracket(sql):
    """Return whether this is BEGIN, COMMIT or a savepoint, which do not count as queries."""
    return sql.split()[0].strip('";') in {"BEGIN", "COMMIT", "SAVEPOINT", "RELEASE", "ROLLBACK"}


def test_events_are_numbered_and_linked_without_gaps():
    table = play_some(running_match(), 30)
    events = list(Event.objects.filter(match=table.match).order_by("number"))
    assert [event.number for event in events] == list(range(1, len(events) + 1))
    assert events[-1].hash == table.match.head


@pytest.mark.parametrize("source", [Source.BOT, Source.STANDING_ORDER, Source.TIME_OUT])
def test_an_actor_without_a_user_can_move_for_a_seat(source):
    table = running_match()
    seat = awaited(table)
    move: dict[str, Any] = {"match_id": table.match.id, "move": "draw", "turn": table.match.turn}
    assert isinstance(submit_move(actor=Actor(source, seat=seat.drawn), **move), MoveAccepted)
    assert Move.objects.get().source == source
    assert load_match(table.match.id).seats[seat.drawn].acted_through == 0
