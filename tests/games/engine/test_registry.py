"""The registry agrees with what the games declare about themselves."""

import subprocess
import sys

import pytest

from games.engine.errors import UnknownGame
from games.engine.registry import GAMES, engine, engines, verbs
from tests.toy_games.hush import Hush

EVERY_GAME = [*engines(), Hush()]


def test_the_registry_lists_the_verbs_of_every_game():
    assert {slug: game.verbs for slug, game in GAMES.items()} == {game.slug: game.verbs for game in engines()}
    assert verbs() == {verb for game in engines() for verb in game.verbs}


@pytest.mark.parametrize("game", EVERY_GAME, ids=lambda game: game.slug)
def test_only_games_with_sealed_moves_reserve_space_for_them(game):
    assert bool(game.sealed_moves) == bool(game.sealed_move_bytes) == bool(game.sealed_round_bytes)


@pytest.mark.parametrize("game", EVERY_GAME, ids=lambda game: game.slug)
def test_only_games_with_sealed_moves_have_a_move_that_withdraws_them(game):
    assert (game.withdrawal is not None) == bool(game.sealed_moves)
    if game.withdrawal:
        assert not game.is_sealed(game.withdrawal)
        assert game.parse(game.notation(game.withdrawal)) == game.withdrawal


def test_the_refusal_of_an_unknown_game_lists_all_games():
    with pytest.raises(UnknownGame) as refused:
        engine("go")
    assert refused.value.data["allowed"] == sorted(GAMES)


def test_recognizing_a_move_does_not_import_a_game():
    asked = "import sys; from games.engine.registry import verbs; verbs(); print(*sys.modules)"
    imported = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, timeout=60, check=True)
    assert "games.engine.registry" in imported.stdout
    assert "games.engine.base" not in imported.stdout
    assert "games.engine.coloretto" not in imported.stdout
