"""The audit reports any difference between stored data and the moves."""

from io import StringIO

import pytest
from cryptography.fernet import Fernet
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.utils import timezone

from core import vault
from games.models import Event, Match, Move
from games.selectors.loading import load_match
from games.services.audit import audit, first_difference
from tests.games.builders import play_some, running_match, say
from tests.not_none import not_none

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(hush):
    table = running_match("hush", 3)
    for seat in (0, 1, 2, 0):
        say(table, seat, "name 2")
    return load_match(table.match.id)


def difference(table):
    return first_difference(load_match(table.match.id))


def test_a_match_in_the_middle_of_a_sealed_round_passes_the_audit(table):
    assert difference(table) is None


def test_a_modified_position_is_found(table):
    state = table.engine.states.dump(table.state).replace(b'"round":2', b'"round":3')
    Match.objects.update(encrypted_state=vault.encrypt(state))
    assert difference(table) == "the stored position does not match the moves"


def test_a_modified_event_is_found(table):
    Event.objects.filter(match=table.match, number=1).update(content='{"event":"dealt","seats":4}')
    assert difference(table) == "event 1 does not match the moves"


def test_a_missing_event_is_found(table):
    Event.objects.filter(match=table.match, number=table.match.events_made).delete()
    assert "events are stored" in difference(table)


def test_a_modified_move_is_found(table):
    move = Move.objects.filter(match=table.match).first()
    Move.objects.filter(pk=not_none(move).pk).update(content=vault.encrypt(b'{"move":"name","number":5}'))
    assert difference(table) is not None


def test_a_missing_move_is_found(table):
    Move.objects.filter(match=table.match, number=2).delete()
    assert difference(table) == "move 3 on turn 1 should be move 2 on turn 1"


def test_a_modified_receipt_is_found(table):
    Move.objects.filter(match=table.match, number=1).update(nonce=vault.encrypt(b"0" * 32))
    assert difference(table) == "move 1 does not match its receipt"


def test_a_modified_seating_is_found(table):
    Match.objects.update(seating=table.match.seating[::-1])
    assert difference(table) == "the seats differ from the draw"


def test_a_seat_wrongly_marked_as_awaited_is_found(table):
    table.match.seats.update(awaited_since=None)
    assert difference(table) == "the wrong seats are marked as having to move"


@pytest.mark.parametrize(
    "damage",
    [
        lambda moves: moves.update(content="no token at all", is_sealed=False),
        lambda moves: moves.update(content=vault.encrypt(b"{no json")),
        lambda moves: moves.update(content=vault.encrypt(b'{"move":"name"}')),
        lambda moves: moves.update(seat=17),
    ],
)
def test_any_damage_to_a_move_counts_as_a_difference(table, damage):
    damage(Move.objects.filter(match=table.match, number=1))
    assert difference(table) is not None


def test_a_failed_replay_does_not_reveal_a_sealed_move():
    table = running_match("colorado-county", 3)
    hand = table.engine.view(table.state, 0).cowboys
    told = set()
    for cowboys in (hand[:4], hand[4:8]):
        with transaction.atomic():
            say(table, 0, f"bid {' '.join(map(str, cowboys))}")
            others = [share | {"salt": "another"} for share in table.match.players]
            Match.objects.filter(pk=table.match.pk).update(players=others)
            told.add(difference(table))
            transaction.set_rollback(True)
    assert len(told) == 1
    assert "cannot be replayed" in told.pop()


@pytest.mark.parametrize(
    "damage",
    [{"players": []}, {"options": ["rounds"]}, {"encrypted_state": ""}, {"seating": [9, 9]}, {"game": "chess"}],
)
def test_a_damaged_match_is_reported_and_the_audit_continues(table, damage):
    Match.objects.filter(pk=table.match.pk).update(**damage)
    sound = running_match("hush", 3).match
    found = dict(audit())
    assert found[table.match.id] is not None
    assert found[sound.id] is None


@pytest.mark.parametrize(
    ("damage", "seat"), [({"deadline": None, "wake_at": None}, 1), ({"deadline": timezone.now()}, 0)]
)
def test_a_missing_or_unnecessary_deadline_is_found(table, damage, seat):
    table.match.seats.filter(number=seat).update(**damage)
    assert difference(table) == f"seat {seat} has a deadline but doesn't have to move, or vice versa"


def test_wrong_points_are_found_before_and_after_the_end(hush):
    table = running_match("hush", 3)
    table.match.seats.filter(number=1).update(points=3)
    assert difference(table) == "the result of seat 1 differs from the match's result"
    table.match.seats.update(points=None)
    over = play_some(table)
    assert difference(over) is None
    over.match.seats.filter(number=2).update(place=4)
    assert difference(over) == "the result of seat 2 differs from the match's result"
    Match.objects.update(phase="abandoned")
    assert difference(over) == "the phase is abandoned, but the position is final"


def test_swapped_players_are_found(table):
    first, second = table.seats[:2]
    table.match.seats.filter(pk=first.pk).update(position=second.position)
    assert difference(table) == "the seats differ from the draw"


@pytest.mark.django_db(transaction=True)
def test_no_lock_is_held_while_the_caller_handles_a_result(hush):
    running_match("hush", 3)
    assert [connection.in_atomic_block for _ in audit()] == [False]


def test_the_command_counts_matches_and_lists_broken_ones(table):
    out, err = StringIO(), StringIO()
    call_command("audit", stdout=out)
    assert out.getvalue() == "Replayed 1 match. No differences found.\n"
    Match.objects.update(head="0" * 64)
    with pytest.raises(CommandError, match="Replayed 1 match and found differences in 1"):
        call_command("audit", stderr=err)
    assert err.getvalue() == f"{table.match.id}: turn, counts or chain head do not match the moves\n"


def test_after_the_reencrypt_command_the_old_key_is_no_longer_needed(table, settings):
    old, new = settings.VAULT_KEYS, [Fernet.generate_key().decode()]
    settings.VAULT_KEYS = new + old
    call_command("reencrypt", stdout=StringIO())
    settings.VAULT_KEYS = new
    assert difference(table) is None
    settings.VAULT_KEYS = old
    assert "Cannot decrypt" in difference(table)
