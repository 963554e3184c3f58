"""The engine needs neither Django nor any other part of the server."""

import subprocess
import sys

import pytest

from games.engine.registry import GAMES

IMPORT_WITHOUT_THE_SERVER = """
import sys

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {"django", "rest_framework", "celery", "config", "accounts"}:
            raise ImportError(f"the engine imported {name}")

sys.meta_path.insert(0, Blocked())
"""
A_MATCH = """
from games.engine.dice import Dice
from games.engine.registry import engine

game, dice = engine(sys.argv[1]), Dice(bytes(32))
state = game.new_match(max(game.seats), game.read_options({}), dice).state
while awaited := game.awaiting(state):
    state = game.play(state, min(awaited), game.sample(state, min(awaited), dice), dice).state
print(game.outcome(state).points)
"""


def run(*arguments):
    return subprocess.run([sys.executable, "-c", *arguments], capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize("module", sorted(game.module for game in GAMES.values()))
def test_a_game_can_be_imported_without_django(module):
    imported = run(f"{IMPORT_WITHOUT_THE_SERVER}\nimport {module}")
    assert imported.returncode == 0, imported.stderr


@pytest.mark.parametrize("slug", sorted(GAMES))
def test_a_whole_match_can_be_played_without_django(slug):
    played = run(IMPORT_WITHOUT_THE_SERVER + A_MATCH, slug)
    assert played.returncode == 0, played.stderr
    assert played.stdout.startswith("(")
