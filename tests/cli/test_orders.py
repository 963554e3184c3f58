import pytest

from tests.cli.shapes import check
from tests.games.builders import awaited, running_match, sitting

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def table():
    return running_match(seats=2)


@pytest.fixture
def waiting(table, machine_of):
    """Return the machine of the player whose turn it isn't."""
    return machine_of(sitting(next(seat for seat in table.seats if not seat.awaited_since)).username)


def test_orders_can_be_given_and_listed_and_withdrawn(table, waiting):
    match_id = table.match.id
    check("order", waiting.json("order", match_id, "take any worth 5; else draw"))
    assert waiting.ok("order", match_id).splitlines() == [
        " 1  take any worth 5 (until the end of game 1)",
        " 2  else draw (until the end of game 1)",
    ]
    assert waiting.ok("order", match_id, "--drop", "1").splitlines() == [" 1  else draw (until the end of game 1)"]
    assert waiting.ok("order", match_id, "--replace", "draw once").startswith(" 1  draw once")
    assert "You have no standing orders in this match." in waiting.ok("order", match_id, "--drop-all")


def test_without_an_id_orders_are_for_the_current_match(table, waiting):
    waiting.ok("use", table.match.id)
    assert "take 2 if it has 3 cards" in waiting.ok("order", "take", "2", "if", "it", "has", "3", "cards")


def test_without_orders_the_command_shows_how_to_write_them(table, waiting):
    shown = waiting.ok("order", table.match.id)
    assert "take any with green or yellow and no red" in shown
    assert "until 2026-12-24" in shown
    assert max(map(len, shown.splitlines())) <= 80


def test_a_move_that_an_order_makes_immediately_is_shown(table, machine_of):
    mover = machine_of(sitting(awaited(table)).username)
    assert mover.ok("order", table.match.id, "draw").startswith("You drew ")


def test_an_invalid_order_is_refused_with_an_explanation(table, waiting):
    failed = waiting.run("order", table.match.id, "dance")
    assert failed.exit_code != 0
    assert "I can't read 'dance' in a standing order." in failed.stderr
    assert "take any worth 5" in failed.stderr


def test_combining_two_changes_is_refused(table, waiting):
    assert waiting.run("order", table.match.id, "draw", "--drop", "1").exit_code == 2
