"""Options are described in words that people understand."""

from typing import Annotated, Literal

import msgspec
import pytest

from games.engine.records import Record
from games.engine.registry import engine
from games.engine.text import allowed, complaint, meanings, schemas, summary


class Toy(Record, frozen=True):
    size: Literal["small", "large", "huge"] = "small"
    rounds: Annotated[int, msgspec.Meta(ge=1, le=8)] | None = None
    open_hands: bool = False
    start: Annotated[
        Literal["north", "south"], meanings("Where it starts.", {"north": "two cards", "south": "one card"})
    ] = "north"


def test_values_with_a_meaning_are_explained():
    county = schemas(engine("colorado-county").options)["consolation"]
    assert allowed(county) == "one (cowboy for the lowest bid) or two (cowboys for the lowest bid)"


class Plain(Record, frozen=True):
    pass


@pytest.mark.parametrize(
    ("option", "told"),
    [
        ("size", "huge, large or small"),
        ("rounds", "1 to 8"),
        ("open_hands", "true or false"),
        ("start", "north (two cards) or south (one card)"),
    ],
)
def test_allowed_values_are_described_in_words(option, told):
    assert allowed(schemas(Toy)[option]) == told


def test_all_options_are_listed_in_one_sentence():
    assert summary("Toy", Toy) == (
        "Toy has these options: size (huge, large or small), rounds (1 to 8), open_hands (true or false), "
        "start (north or south)."
    )
    assert summary("Plain", Plain) == "Plain has no options."


@pytest.mark.parametrize(
    ("raw", "told"),
    [
        ({"size": "large", "colour": 1}, "Toy has no option 'colour'."),
        ({"size": "tiny"}, "'tiny' isn't a valid value for the option 'size'."),
        ({"rounds": 9}, "'9' isn't a valid value for the option 'rounds'."),
        ({"open_hands": "x" * 99}, f"'{'x' * 40}' isn't a valid value for the option 'open_hands'."),
        ([], "Options must be an object that maps names to values."),
    ],
)
def test_the_error_names_the_invalid_option(raw, told):
    assert complaint("Toy", Toy, raw) == told
