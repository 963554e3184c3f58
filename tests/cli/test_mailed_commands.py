"""Players copy commands from an email into a shell, immediately or days later."""

import shlex

import pytest

from games.selectors.loading import load_match
from notifications.letters.parts import commands
from tests.games.builders import awaited, say, sitting

pytestmark = pytest.mark.django_db(transaction=True)

STALE = 6


@pytest.fixture
def mine(match, machine_of):
    return machine_of(sitting(awaited(match)).username)


def copied(match, move):
    """Return the command in the email, split into words as in a shell."""
    (offer,) = commands(load_match(match.match.id), [move])
    program, *words = shlex.split(offer.command)
    assert program == "turnpost"
    return words


def test_the_command_plays_the_move(match, mine):
    assert "drew" in mine.ok(*copied(match, "draw"))


def test_one_turn_later_the_command_plays_nothing_even_if_the_player_has_seen_the_new_board(match, mine):
    words = copied(match, "draw")
    mover = awaited(match)
    say(match, mover.number, "draw")
    say(match, mover.number, "place 1")
    mine.ok("board", match.match.id)
    done = mine.run(*words)
    assert (done.exit_code, load_match(match.match.id).match.moves_made) == (STALE, 2)
    assert "The board has changed since turn 1" in done.stderr


def test_the_turn_can_also_be_given_with_a_move_typed_directly(match, mine):
    assert mine.run("draw", "--turn", "7").exit_code == STALE
    assert "drew" in mine.ok("draw", "--turn", "1")
