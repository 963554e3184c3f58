"""Commands copied from a mail into a shell, at once or days later."""

import shlex

import pytest

from games.selectors.loading import load_match
from notifications.letters.parts import commands
from tests.games.builders import awaited, say

pytestmark = pytest.mark.django_db(transaction=True)

STALE = 6


@pytest.fixture
def mine(match, machine_of):
    return machine_of(awaited(match).user.username)


def copied(match, move):
    """What a shell makes of the line in the mail."""
    (offer,) = commands(load_match(match.match.id), [move])
    program, *words = shlex.split(offer.command)
    assert program == "turnpost"
    return words


def test_the_command_plays_the_move(match, mine):
    assert "drew" in mine.ok(*copied(match, "draw"))


def test_a_turn_later_it_plays_nothing_also_where_the_player_has_seen_the_board_since(match, mine):
    words = copied(match, "draw")
    mover = awaited(match)
    say(match, mover.number, "draw")
    say(match, mover.number, "place 1")
    mine.ok("board", match.match.id)
    done = mine.run(*words)
    assert (done.exit_code, load_match(match.match.id).match.moves_made) == (STALE, 2)
    assert "The board has changed since turn 1" in done.stderr


def test_a_move_in_bare_words_takes_a_turn_as_well(match, mine):
    assert mine.run("draw", "--turn", "7").exit_code == STALE
    assert "drew" in mine.ok("draw", "--turn", "1")
