"""The examples in docs/engine.md work."""

import inspect
import re
from pathlib import Path
from typing import Any

from tests.toy_games import sticks, test_orders

PAGE = (Path(__file__).parents[3] / "docs" / "engine.md").read_text("utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


def test_the_first_example_on_the_page_works(capsys):
    exec(EXAMPLES[0], {})
    drawn, table, *_ = capsys.readouterr().out.splitlines()
    assert re.fullmatch(r"You drew .+\.", drawn)
    assert table == "Coloretto, classic edition, brown scoring   game 1 of 4"


def test_the_walkthrough_shows_the_code_of_the_sticks_game():
    source = inspect.getsource(sticks) + inspect.getsource(test_orders)
    assert len(EXAMPLES) > 5
    assert all(example in source for example in EXAMPLES[1:-1])


def test_a_bot_decides_in_the_position_of_the_first_example(capsys):
    names: dict[str, Any] = {}
    exec(EXAMPLES[0] + EXAMPLES[-1].replace("seconds=0.5", "iterations=5"), names)
    assert names["game"].refusal(names["state"], names["seat"], names["move"]) is None
