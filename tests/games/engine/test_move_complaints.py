"""Malformed JSON moves are refused in plain English."""

import pytest

from games.engine.errors import MalformedMove
from games.engine.registry import engine


@pytest.mark.parametrize(
    ("game", "raw", "message"),
    [
        ("coloretto", {"move": "dance"}, "Coloretto has no move 'dance'."),
        ("coloretto", {"move": ["draw"]}, "Coloretto has no move '['draw']'."),
        ("coloretto", {"row": 2}, "The field 'move' is missing."),
        ("coloretto", {"move": "take"}, "The field 'row' is missing."),
        ("coloretto", {"move": "take", "row": "two"}, "'two' isn't a valid value for the field 'row'."),
        ("coloretto", {"move": "take", "row": -1}, "'-1' isn't a valid value for the field 'row'."),
        ("coloretto", {"move": "draw", "card": "R"}, "The move 'draw' has no field 'card'."),
        ("coloretto", {"move": "draw", "schema": 7}, "'7' isn't a valid value for the field 'schema'."),
        ("coloretto", ["draw"], "A move must be text or an object."),
        ("colorado-county", {"move": "bid", "cowboys": [1.5]}, "'[1.5]' isn't a valid value for the field 'cowboys'."),
    ],
)
def test_the_message_names_the_field_and_not_its_type(game, raw, message):
    with pytest.raises(MalformedMove) as caught:
        engine(game).read_move(raw)
    assert caught.value.message == message
    assert caught.value.hint.startswith("Try '")
