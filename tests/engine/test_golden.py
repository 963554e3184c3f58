"""Whole matches that were once played are played the same for ever: the same cards, events, words and results."""

import pytest

from tests.engine.golden import FOLDER, path, read, render
from tests.engine.setups import ALL


@pytest.mark.parametrize("setup", ALL, ids=str)
def test_a_golden_match_is_played_again_word_for_word(setup):
    text = path(setup).read_text("utf-8")
    played = read(text)
    assert (played.game, played.seats) == (setup.slug, setup.seats)
    assert setup.engine.read_options(played.options) == setup.options
    assert render(played) == text


def test_every_golden_match_belongs_to_a_setup():
    assert sorted(FOLDER.iterdir()) == sorted(path(setup) for setup in ALL)
