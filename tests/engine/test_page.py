"""The example in docs/engine.md works as it stands."""

import re
from pathlib import Path

PAGE = (Path(__file__).parents[2] / "docs" / "engine.md").read_text("utf-8")


def test_the_engine_can_be_used_as_the_page_shows(capsys):
    (example,) = re.findall(r"```python\n(from games\.engine.*?)```", PAGE, re.DOTALL)
    exec(example, {})
    drawn, table, *_ = capsys.readouterr().out.splitlines()
    assert re.fullmatch(r"(Ann|Ben|Cleo) drew .+\.", drawn)
    assert table == "Coloretto, classic edition, brown table   game 1 of 4"
