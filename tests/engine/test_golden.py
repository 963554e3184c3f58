"""Whole matches that were once played are played the same for ever: the same cards, events, words and results."""

import pytest

from games.engine.registry import engines
from tests.engine.golden import FOLDER, RECORDED, path, read, render


@pytest.mark.parametrize("setup", RECORDED, ids=str)
def test_a_golden_match_is_played_again_word_for_word(setup):
    text = path(setup).read_text("utf-8")
    played = read(text)
    assert (played.game, played.seats) == (setup.slug, setup.seats)
    assert setup.engine.read_options(played.options) == setup.options
    assert render(played) == text


def test_every_golden_match_belongs_to_a_setup():
    assert sorted(FOLDER.iterdir()) == sorted(path(setup) for setup in RECORDED)


def test_there_is_one_for_every_game_and_number_of_players():
    for engine in engines():
        assert {setup.seats for setup in RECORDED if setup.slug == engine.slug} == set(engine.seats)
