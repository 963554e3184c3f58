"""What the README and its pages show is there: targets, commands, files, headings."""

import os
import re
import subprocess
import sys

import pytest

from cli.command_list import COMMANDS
from games.engine.registry import verbs
from tests.test_project import README, ROOT

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
LINK = re.compile(r"\]\(([^)#\s]*)(#[^)\s]*)?\)|src=\"([^\"]+)\"")
MADE = re.compile(r"(?:`|^|\$ )make ([a-z-]+)", re.MULTILINE)
TEXT = {"capture_output": True, "text": True}
FIRST_SCREEN = README.split("## Host")[0]


def anchors(text):
    titles = re.findall(r"^#+ (.+)$", re.sub(r"```.*?```", "", text, flags=re.DOTALL), re.MULTILINE)
    return {"#" + re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_and_picture_leads_somewhere(page):
    for address, anchor, picture in LINK.findall(page.read_text()):
        if not address.startswith("https://"):
            there = page.parent / (address or picture) if address or picture else page
            assert there.exists(), address or picture
            assert not anchor or anchor in anchors(there.read_text()), anchor


def test_every_target_that_is_named_can_be_made():
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = {target for page in PAGES for target in MADE.findall(page.read_text())}
    assert {"demo", "play", "serve", "test"} <= named
    assert named - targets == set()


def made(target):
    """What making it would run."""
    return subprocess.run(["make", "--dry-run", target, "FROM=7"], cwd=ROOT, check=True, **TEXT).stdout


def test_the_soak_is_the_storms_and_the_random_matches_which_can_be_played_alone():
    assert "tests.acceptance.storm" in made("soak")
    assert "tests.games.engine.soak" in made("soak")
    assert "tests.games.engine.soak --matches 100000 --from 7" in made("matches")
    assert "tests.acceptance.storm" not in made("matches")


def test_the_readme_counts_the_bars_that_sqlite_misses_as_the_figures_do():
    figures = (ROOT / "docs" / "figures.md").read_text()
    verdicts = re.findall(r"^\| http \| bar for sqlite.*\| (\w+) \|$", figures, re.MULTILINE)
    assert (verdicts.count("MISSED"), len(verdicts)) == (3, 15)
    assert "with SQLite three of fifteen are not" in " ".join(README.split())


def test_the_commands_of_the_first_screen_exist():
    typed = re.findall(r"^turnpost(?: (\w+))?", FIRST_SCREEN, re.MULTILINE)
    assert len(typed) >= 5
    assert {word for word in typed if word} <= {*COMMANDS, *verbs()}


def test_the_pictures_are_small():
    pictures = list((ROOT / "docs" / "pictures").iterdir())
    assert {picture.name for picture in pictures} >= {"colorado-county.svg", "coloretto.svg", "mail.png"}
    assert sum(picture.stat().st_size for picture in pictures) < 400_000


def test_every_threat_and_every_fault_has_a_test_that_is_collected():
    """pytest ends with an error where one of the names that it is given is not there."""
    rows = [line.split("|") for page in PAGES for line in page.read_text().splitlines() if line.startswith("| ")]
    named = {name for row in rows for name in re.findall(r"`([\w/]*test_\w+\.py[\w:]*)`", row[-2])}
    assert len(named) >= 35
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider"]
    environment = os.environ | {"TEST_DATABASE_URL": ""}
    done = subprocess.run([*command, *(f"tests/{name}" for name in sorted(named))], cwd=ROOT, env=environment, **TEXT)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
