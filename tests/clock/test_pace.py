from datetime import timedelta

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.models import pace
from games.models.pace import PRESETS, Pace
from games.selectors import presenters

HOUR, DAY = timedelta(hours=1), timedelta(days=1)


@pytest.mark.parametrize("word", PRESETS)
def test_a_pace_can_be_the_name_of_a_preset(word):
    assert pace.read(word) == PRESETS[word]


def test_a_pace_can_be_just_a_move_time():
    assert pace.read("36h") == Pace(36 * HOUR)
    assert pace.read(3600) == Pace(HOUR)


def test_parts_of_a_preset_can_be_changed():
    assert pace.read({"move_time": "72h", "weekends_off": True}) == Pace(3 * DAY, 7 * DAY, weekends_off=True)
    assert pace.read({"move_time": "72h", "bank": 0, "patience": 1}) == Pace(3 * DAY, patience=1)


@pytest.mark.parametrize(
    "raw",
    [
        "soon",
        "72 hours",
        "7d\n7d",
        [72],
        None,
        "",
        0,
        -5,
        True,
        59,
        "61d",
        "999999d",
        10**30,
        {},
        {"bank": "3d"},
        {"move_time": "24h", "bank": "61d"},
        {"move_time": "24h", "weekends": True},
        {"move_time": "24h", "weekends_off": "yes"},
        {"move_time": "24h", "patience": 0},
        {"move_time": "24h", "patience": 2.5},
        {"move_time": {"move_time": "24h"}},
        {"move_time": None},
    ],
)
def test_the_refusal_of_an_invalid_pace_gives_a_reason(raw):
    with pytest.raises(ValueError, match=r"\.$"):
        pace.read(raw)


@given(
    st.builds(
        Pace,
        move_time=st.integers(60, 30 * 86400).map(lambda seconds: timedelta(seconds=seconds)),
        bank=st.integers(0, 60 * 86400).map(lambda seconds: timedelta(seconds=seconds)),
        weekends_off=st.booleans(),
        patience=st.integers(1, 20),
    )
)
def test_a_displayed_pace_can_be_parsed_again(original):
    assert pace.read(msgspec.structs.asdict(presenters.pace(original))) == original
