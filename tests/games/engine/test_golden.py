"""Replaying recorded matches leads to the same cards, events, sentences and results."""

import pytest

from games.engine.registry import engines
from tests.games.engine.golden import FOLDER, RECORDED, path, read, render


@pytest.mark.parametrize("setup", RECORDED, ids=str)
def test_a_golden_match_replays_word_for_word(setup):
    text = path(setup).read_text("utf-8")
    played = read(text)
    assert (played.game, played.seats) == (setup.slug, setup.seats)
    assert setup.engine.read_options(played.options) == setup.options
    assert render(played) == text


def test_every_golden_file_belongs_to_a_setup():
    assert sorted(FOLDER.iterdir()) == sorted(path(setup) for setup in RECORDED)


def test_every_game_and_player_count_has_a_golden_match():
    for engine in engines():
        assert {setup.seats for setup in RECORDED if setup.slug == engine.slug} == set(engine.seats)


def test_golden_files_stay_short_enough_to_review():
    assert sum(len(file.read_text("utf-8").splitlines()) for file in FOLDER.iterdir()) <= 8_000
