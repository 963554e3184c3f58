"""Sealed moves stay secret until the reveal, and withdrawn moves stay secret forever."""

import msgspec
import pytest

from games.engine import receipts
from games.engine.proof import Proof, verify
from games.engine.records import canonical
from games.models import Event, Move, StoredResult
from games.selectors import history, proofs
from games.selectors.loading import load_match
from games.services.idempotency import fingerprint
from tests.games.builders import play_some, running_match, say, send
from tests.toy_games.hush import Name

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(hush):
    return running_match("hush", 3)


def proven(table):
    return msgspec.json.decode(proofs.proof(load_match(table.match.id)), type=Proof).moves


def test_sealing_does_not_increase_the_turn(table):
    turn = table.match.turn
    assert say(table, 0, "name 2")["turn"] == turn
    assert send(table.match.id, table.seats[1].user, "name 3", turn).status == 200


def test_the_last_sealed_move_reveals_all_of_them(table):
    say(table, 0, "name 2")
    say(table, 1, "name 2")
    revealed = say(table, 2, "name 1")
    assert revealed["turn"] == table.match.turn + 1
    assert revealed["events"][-1]["event"]["named"] == [2, 2, 1]


def test_a_sealed_move_is_not_readable_in_the_database(table):
    say(table, 0, {"move": "name", "number": 4, "thought": "rosebud"})
    stored = Move.objects.get()
    assert "rosebud" not in stored.content
    assert "rosebud" not in load_match(table.match.id).match.encrypted_state
    assert b"rosebud" in history.content(stored)


def test_a_sealed_move_cannot_be_found_in_the_database_by_trying_all_moves(table):
    turn = table.match.turn
    for move, decided_on in (("name 4", turn), ("name 4", turn + 1)):
        send(table.match.id, table.seats[0].user, move, decided_on, key=f"on {decided_on}")
    stored = [*Move.objects.values(), *StoredResult.objects.values()]
    values = [str(value) for row in stored for value in row.values()]
    for number in range(1, 6):
        assert not {fingerprint([f"name {number}", decided_on]) for decided_on in (turn, turn + 1)} & set(values)
        tried = canonical(Name(number))
        made = {receipts.receipt(table.match.id, turn, 0, nonce, tried, tried) for nonce in values}
        assert not made & set(values)


def test_a_private_event_is_not_readable_in_the_database(table):
    private = Event.objects.filter(match=table.match, audience__isnull=False)
    assert len(private) == 3
    assert not any("card" in event.content for event in private)


def test_replacing_a_sealed_move_leaves_no_visible_trace(table):
    say(table, 0, "name 2")
    seen = load_match(table.match.id).match
    say(table, 0, "name 5")
    now = load_match(table.match.id).match
    assert (now.turn, now.events_made, now.head) == (seen.turn, seen.events_made, seen.head)


def test_withdrawing_a_sealed_move_makes_it_the_players_turn_again(table):
    say(table, 0, "name 2")
    assert load_match(table.match.id).seats[0].awaited_since is None
    say(table, 0, "withdraw")
    assert load_match(table.match.id).seats[0].awaited_since is not None


def test_a_receipt_can_be_opened_after_the_reveal_but_the_private_part_stays_hidden(table):
    receipt = say(table, 0, {"move": "name", "number": 4, "thought": "rosebud"})["move"]["receipt"]
    say(table, 1, "name 2")
    assert proofs.openings(load_match(table.match.id)) == []
    say(table, 2, "name 2")
    opened = proofs.openings(load_match(table.match.id))
    assert opened[0].receipt == receipt
    assert opened[0].shown == {"move": "name", "number": 4, "thought": ""}
    assert all(receipts.opens(table.match.id, opening) for opening in opened)


def test_a_receipt_does_not_match_another_move(table):
    for seat, number in enumerate((4, 2, 2)):
        say(table, seat, f"name {number}")
    opened = proofs.openings(load_match(table.match.id))[0]
    for forged in (
        msgspec.structs.replace(opened, shown={**opened.shown, "number": 5}),
        msgspec.structs.replace(opened, seat=1),
        msgspec.structs.replace(opened, turn=9),
    ):
        assert not receipts.opens(table.match.id, forged)
    assert not receipts.opens("othermatch", opened)


def test_the_proof_lists_a_replaced_move_where_its_player_first_sealed_one(table):
    say(table, 0, "name 2")
    say(table, 1, "name 3")
    say(table, 0, "name 5")
    say(table, 2, "name 1")
    play_some(table)
    first_round = [(move.seat, move.move["number"]) for move in proven(table)[:3]]
    assert first_round == [(0, 5), (1, 3), (2, 1)]
    verify(proofs.proof(load_match(table.match.id)))


def test_withdrawn_and_voided_moves_stay_secret_in_the_proof(table):
    say(table, 0, "name 2")
    say(table, 0, "withdraw")
    say(table, 1, "name 3")
    say(table, 2, "ring")
    play_some(table)
    told = [(move.seat, move.move and move.move["move"], move.receipt) for move in proven(table)[:4]]
    assert told == [(0, None, None), (0, "withdraw", None), (1, None, None), (2, "ring", None)]
    verify(proofs.proof(load_match(table.match.id)))
