"""Everything that the docs mention exists: make targets, commands, files, headings and figures."""

import os
import re
import subprocess
import sys
from datetime import UTC, datetime
from typing import Any

import pytest

from cli.command_list import COMMANDS
from games.engine.registry import verbs
from notifications.reply_addresses import bounce_address, reply_address
from tests.not_none import not_none
from tests.test_project import README, ROOT

PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]
FIGURES = (ROOT / "docs" / "figures.md").read_text()
MEASURED = {"figures.md", "bots.md"}
"""Pages that benchmarks write."""
PERFORMANCE = re.compile(r"\d[\d,.]*(?:(?: [a-z]+)? (?:a|per) second\b| ?ms\b| milliseconds?\b|(?: [a-z]+)?/s\b)")
LINK = re.compile(r"\]\(([^)#\s]*)(#[^)\s]*)?\)|src=\"([^\"]+)\"")
MADE = re.compile(r"(?:`|^|\$ )make ([a-z-]+)", re.MULTILINE)
TEXT: dict[str, Any] = {"capture_output": True, "text": True}
FIRST_SCREEN = README.split("## Host")[0]


def anchors(text):
    titles = re.findall(r"^#+ (.+)$", re.sub(r"```.*?```", "", text, flags=re.DOTALL), re.MULTILINE)
    return {"#" + re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_and_picture_resolves(page):
    for address, anchor, picture in LINK.findall(page.read_text()):
        if not address.startswith("https://"):
            there = page.parent / (address or picture) if address or picture else page
            assert there.exists(), address or picture
            assert not anchor or anchor in anchors(there.read_text()), anchor


def test_every_make_target_in_the_docs_exists():
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = {target for page in PAGES for target in MADE.findall(page.read_text())}
    assert {"demo", "play", "serve", "test"} <= named
    assert named - targets == set()


def made(target):
    """Return the commands that this target would run."""
    return subprocess.run(["make", "--dry-run", target, "FROM=7"], cwd=ROOT, check=True, **TEXT).stdout


def test_the_soak_runs_the_storms_and_the_random_matches():
    assert "tests.acceptance.storm" in made("soak")
    assert "tests.games.engine.soak" in made("soak")
    assert "tests.games.engine.soak --matches 100000 --from 7" in made("matches")
    assert "tests.acceptance.storm" not in made("matches")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_performance_figures_in_the_docs_come_from_the_last_measurement(page):
    if page.name not in MEASURED:
        unknown = [quoted for quoted in PERFORMANCE.findall(page.read_text()) if quoted not in FIGURES]
        assert unknown == [], "`make bench` didn't measure this"


def test_every_page_is_in_the_index_and_in_the_sites_menu():
    index, menu = (ROOT / "docs" / "index.md").read_text(), (ROOT / "mkdocs.yml").read_text()
    names = {page.name for page in (ROOT / "docs").glob("*.md")} - {"index.md"}
    assert {name for name in names if f"({name})" not in index or f": {name}\n" not in menu} == set()


def test_the_site_has_no_broken_links_and_loads_nothing_from_other_sites(tmp_path):
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", "--site-dir", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, **TEXT)
    assert done.returncode == 0, done.stderr
    loaded = re.compile(r"<(?:script|link|img|iframe)[^>]*(?:src|href)=\"?(?:https?:)?//")
    assert [page.name for page in tmp_path.rglob("*.html") if loaded.search(page.read_text())] == []


def test_postfix_accepts_our_reply_addresses(settings):
    settings.REPLY_DOMAIN = "play.example.org"
    pattern = not_none(re.search(r"^/(\^.*\$)/ turnpost$", (ROOT / "docs" / "mail.md").read_text(), re.MULTILINE))[1]
    now = datetime.now(UTC)
    assert re.fullmatch(pattern, reply_address(2**63 - 1, 7, "ann@example.org", now))
    assert re.fullmatch(pattern, bounce_address(1, "ann@example.org", now))


def test_the_commands_that_the_readme_shows_before_hosting_exist():
    typed = re.findall(r"^turnpost(?: (\w+))?", FIRST_SCREEN, re.MULTILINE)
    assert len(typed) >= 5
    assert {word for word in typed if word} <= {*COMMANDS, *verbs()}


def test_the_pictures_are_small():
    pictures = list((ROOT / "docs" / "pictures").iterdir())
    assert {picture.name for picture in pictures} >= {"colorado-county.svg", "coloretto.svg", "mail.png"}
    assert sum(picture.stat().st_size for picture in pictures) < 400_000


def test_every_threat_and_every_fault_has_an_existing_test():
    """If one of these tests does not exist, pytest exits with an error."""
    rows = [line.split("|") for page in PAGES for line in page.read_text().splitlines() if line.startswith("| ")]
    named = {name for row in rows for name in re.findall(r"`([\w/]*test_\w+\.py[\w:]*)`", row[-2])}
    assert len(named) >= 35
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider"]
    environment = os.environ | {"TEST_DATABASE_URL": ""}
    done = subprocess.run([*command, *(f"tests/{name}" for name in sorted(named))], cwd=ROOT, env=environment, **TEXT)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
