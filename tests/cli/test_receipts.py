"""Sealed moves are saved with their receipts and compared with the proof."""

import pytest

from games.services import moves
from tests.cli.faulty_server import faulty, forward, hang_up
from tests.games.builders import play_some, running_match, say
from tests.toy_games.hush import registered

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def hush():
    """Register a toy game with sealed rounds for the duration of a test."""
    with registered() as engine:
        yield engine


@pytest.fixture
def table(hush):
    return running_match("hush", 2)


@pytest.fixture
def ann(machine_of):
    return machine_of("ann")


@pytest.fixture
def seat(table):
    return next(seat.number for seat in table.seats if seat.user.username == "ann")


def reveal(table, seat):
    """Seal a move for the other player as well, and then play to the end."""
    say(table, 1 - seat, "name 1")
    play_some(table)


def test_a_receipt_is_compared_with_the_proof(ann, table, seat):
    ann.ok("play", table.match.id, "name", "2")
    reveal(table, seat)
    assert "Your sealed move matches what this client sent" in ann.ok("verify", table.match.id)


def test_receipts_are_saved_even_if_a_program_never_shows_the_board(ann, table, seat):
    ann.ok("play", table.match.id, "name", "2", "--turn", "1", "--json")
    reveal(table, seat)
    assert "Your sealed move matches what this client sent" in ann.ok("verify", table.match.id)


def test_a_move_that_the_server_changes_after_issuing_the_receipt_is_detected(ann, table, seat):
    ann.ok("play", table.match.id, "name", "2")
    say(table, seat, "name 3")
    reveal(table, seat)
    done = ann.run("verify", table.match.id)
    assert done.exit_code == 3
    assert "The move you sealed on turn 1 isn't the one in the proof." in done.stderr
    assert "by mail or on another machine" in done.stderr


def test_a_move_that_the_server_changes_before_issuing_the_receipt_is_detected(ann, table, seat, monkeypatch):
    with monkeypatch.context() as cheating:
        cheating.setattr(moves, "readable_move", lambda loaded, *_: loaded.engine.parse("name 3"))
        ann.ok("play", table.match.id, "name", "2")
    reveal(table, seat)
    assert ann.run("verify", table.match.id).exit_code == 3


def test_a_new_sealed_move_replaces_the_receipt_of_the_earlier_one(ann, table, seat):
    ann.ok("play", table.match.id, "name", "2")
    ann.ok("play", table.match.id, "name", "3")
    reveal(table, seat)
    ann.ok("verify", table.match.id)


def test_a_withdrawn_move_is_not_compared(ann, table, seat):
    ann.ok("play", table.match.id, "name", "2")
    ann.ok("withdraw", table.match.id)
    say(table, seat, "name 4")
    reveal(table, seat)
    assert "what this client sent" not in ann.ok("verify", table.match.id)


def test_a_voided_move_is_not_compared(ann, table, seat):
    ann.ok("play", table.match.id, "name", "2")
    say(table, 1 - seat, "ring")
    play_some(table)
    assert "what this client sent" not in ann.ok("verify", table.match.id)


def lose_the_answer(ann, table, *move):
    real = ann.url
    with faulty(forward(real, then=hang_up)) as line:
        ann.url = line.url
        assert ann.run("play", table.match.id, *move).exit_code == 5
    ann.url = real


def test_a_replacement_that_got_no_response_may_still_have_arrived(ann, table, seat):
    ann.ok("play", table.match.id, "name", "2")
    lose_the_answer(ann, table, "name", "3")
    reveal(table, seat)
    ann.ok("verify", table.match.id)


def test_a_move_that_the_player_never_sent_is_detected_even_after_a_lost_response(ann, table, seat):
    ann.ok("play", table.match.id, "name", "2")
    lose_the_answer(ann, table, "name", "3")
    say(table, seat, "name 5")
    reveal(table, seat)
    assert ann.run("verify", table.match.id).exit_code == 3


def test_notation_that_only_a_newer_client_can_read_does_not_count_as_a_swapped_move(ann, table, seat):
    ann.ok("play", table.match.id, "name", "2")
    (noted,) = (ann.folder / "data" / "default").glob(f"*/sent/{table.match.id}.json")
    noted.write_text(noted.read_text().replace("name 2", "whisper 2"))
    reveal(table, seat)
    ann.ok("verify", table.match.id)
