"""Moves can be read and written the way players write them."""

import pytest

from games.engine.coloretto import ENGINE
from games.engine.coloretto.state import Draw, Place, Take
from games.engine.errors import MalformedMove


@pytest.mark.parametrize(("move", "written"), [(Draw(), "draw"), (Place(2), "place 2"), (Take(3), "take 3")])
def test_every_move_has_one_notation(move, written):
    assert ENGINE.notation(move) == written
    assert ENGINE.parse(written) == move


@pytest.mark.parametrize(
    ("written", "move"),
    [
        ("DRAW", Draw()),
        (" Draw. ", Draw()),
        ("draw a card", Draw()),
        ("take row 3", Take(3)),
        (" TAKE  3", Take(3)),
        ("take3", Take(3)),
        ("Take Row 3!", Take(3)),
        ("take the row 3", Take(3)),
        ("take row #3", Take(3)),
        ("take\N{NO-BREAK SPACE}3", Take(3)),
        ("take\t3\r\n", Take(3)),
        ("place on row 2", Place(2)),
        ("place it on row 2", Place(2)),
        ("put 2", Place(2)),
        ("place 02", Place(2)),
    ],
)
def test_case_and_spaces_and_filler_words_are_ignored(written, move):
    assert ENGINE.parse(written) == move


@pytest.mark.parametrize(
    "written",
    ["", "   ", "pass", "draw 2", "draw take 1", "take 1 2", "take one", "take -1", "take 1.5", "take 1234", "take ³",
     "take ٣", "3", "place 2; take 3", "'take 3'", "I take 3"],
)  # fmt: skip
def test_text_that_is_not_a_move_is_malformed(written):
    with pytest.raises(MalformedMove) as caught:
        ENGINE.parse(written)
    assert caught.value.code == "unknown_move"
    assert caught.value.hint == "Try 'draw', 'place 2' or 'take 3'."
    assert caught.value.data["allowed"] == ["draw", "place 2", "take 3"]


@pytest.mark.parametrize(("written", "hint"), [("take", "take 2"), ("PLACE", "place 2"), ("put row", "place 2")])
def test_placing_or_taking_needs_a_row_number(written, hint):
    with pytest.raises(MalformedMove) as caught:
        ENGINE.parse(written)
    assert (caught.value.code, caught.value.hint) == ("row_missing", f"Try '{hint}' for row 2.")


def test_long_text_is_shortened_in_the_refusal():
    with pytest.raises(MalformedMove) as caught:
        ENGINE.parse("take " * 100_000)
    assert len(caught.value.data["text"]) == 80
