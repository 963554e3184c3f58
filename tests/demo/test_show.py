"""A shortened version of `make demo` works, with two players and most moves over REST."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MOVES = {"Coloretto": ["draw", "place", "take"], "Colorado": ["bid", "pick", "sell", "interested", "not", "offer"]}


@pytest.mark.slow
def test_the_demo_plays_and_verifies_both_matches_and_leaves_nothing_behind(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    show = subprocess.run(
        [sys.executable, "-m", "demo", "--quick"], cwd=ROOT, capture_output=True, text=True, timeout=300
    )
    assert show.returncode == 0, show.stderr
    assert show.stdout.count("The proof fits this client's notes") == 2
    assert len(re.findall(r"│ (?:coloretto|colorado-county) +│ .+ │ 2 +│ \d+ +│ 2 ", show.stdout)) == 2
    mails = re.findall(r"Subject: (\w+).*?replied with one line: (\w+)", show.stdout, re.DOTALL)
    assert {game: move in MOVES[game] for game, move in mails} == {"Coloretto": True, "Colorado": True}
    assert list(tmp_path.iterdir()) == []
