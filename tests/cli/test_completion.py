"""Shell completion is instant, because it uses local snapshots instead of the server."""

import os
import shutil
import sys
from pathlib import Path
from typing import Any

import pexpect
import pytest
from typer.testing import CliRunner

from cli.main import app
from cli.render.style import Style
from cli.session import Session
from tests.requirements import unavailable

MATCH: dict[str, Any] = {"id": "k7m2x9q4a", "game": "coloretto", "title": "Friday", "turn": 3, "fairness": {}}
OTHER = {"id": "p3n5z8w2c", "game": "colorado-county", "title": "", "turn": 9, "fairness": {}}
CHOICES = {"moves": [{"notation": "draw"}, {"notation": "take 1"}, {"notation": "take 3"}], "forms": []}


@pytest.fixture
def session(machine):
    from cli import config
    from cli.config import Config, Profile

    session = Session(Style(), environment=machine.environment)
    session.config = Config(machine.folder, profiles={"default": Profile(machine.url, "t")})
    config.save(session.config)
    session.store.set_current(MATCH["id"])
    session.store.save_snapshot(MATCH, CHOICES)
    session.store.save_snapshot(OTHER, {"moves": [{"notation": "bid none"}], "forms": []})
    return session


@pytest.fixture
def complete(machine, session):
    def of(words: str) -> list[str]:
        asked = {
            "_TURNPOST_COMPLETE": "complete_bash",
            "COMP_WORDS": words,
            "COMP_CWORD": str(len(words.split(" ")) - 1),
        }
        shown = CliRunner().invoke(app, env=machine.environment | asked, prog_name="turnpost")
        return shown.output.split()

    return of


def test_completion_offers_commands_and_the_verbs_of_possible_moves(complete):
    assert complete("turnpost wa") == ["watch"]
    assert complete("turnpost ta") == ["take"]
    assert complete("turnpost bi") == []


def test_completion_offers_the_ids_of_matches_seen_before(complete):
    assert complete("turnpost board k7") == ["k7m2x9q4a"]
    assert complete("turnpost board zz") == []


def test_completion_offers_the_next_word_of_a_move_in_the_current_match(complete):
    assert complete("turnpost play ta") == ["take"]
    assert complete("turnpost play take ") == ["1", "3"]
    assert complete("turnpost take ") == ["1", "3"]
    assert complete("turnpost play k7m2x9q4a ") == ["draw", "take"]


def test_completion_offers_the_next_word_of_a_move_in_the_given_match(complete):
    assert complete("turnpost play p3n5z8w2c ") == ["bid"]
    assert complete("turnpost play p3n5z8w2c bid ") == ["none"]


def test_completion_offers_the_games(complete):
    assert "coloretto" in complete("turnpost rules c")


def test_completion_offers_nothing_if_the_configuration_is_damaged(machine, complete):
    (machine.folder / "profiles.json").write_text("{")
    assert complete("turnpost board k7") == []


def test_completion_offers_no_words_that_a_shell_would_interpret(session, complete):
    moves = ["$(touch${IFS}mark)", "`touch`", "take $HOME", "take 2;ls", "draw"]
    session.store.save_snapshot(MATCH, {"moves": [{"notation": move} for move in moves], "forms": []})
    assert complete("turnpost play k7m2x9q4a ") == ["take", "draw"]
    assert complete("turnpost play take ") == []


HOSTILE = (
    r"Sunday \$(touch {mark}) table",
    "Sunday $(touch {mark}) table",
    "Sunday `touch {mark}` table",
    r"Sunday \`touch {mark}\` table",
    "Sunday')); touch {mark}; ((' table",
    'Sunday"; touch {mark}; " table',
    'Sunday\\"$(touch {mark})\\" table',
)


SETUP = {
    "zsh": ["zsh", "-f", "-i"],
    "bash": ["bash", "--norc", "--noprofile", "-i"],
    "fish": ["fish", "--no-config", "--private", "-i"],
}
LOAD = {
    "zsh": 'autoload -U compinit && compinit -u -D && eval "$(turnpost --show-completion zsh)"',
    "bash": 'eval "$(turnpost --show-completion bash)"',
    "fish": "turnpost --show-completion fish | source",
}


@pytest.mark.parametrize("shell", SETUP)
def test_no_title_or_move_is_executed_by_the_shell_that_completes_it(machine, session, tmp_path, shell):
    """The completion runs in a real shell, with the script that Typer generates."""
    if not shutil.which(shell):
        unavailable(f"{shell} is not installed")
    mark = tmp_path / "mark"
    for number, title in enumerate(HOSTILE):
        hostile = title.format(mark=mark)
        choices = {"moves": [{"notation": hostile}], "forms": []}
        session.store.save_snapshot(MATCH | {"id": f"hostile{number}", "title": hostile}, choices)
        session.store.set_current(f"hostile{number}")
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    environment = os.environ | machine.environment | {"PATH": path, "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}
    program, *arguments = SETUP[shell]
    terminal = pexpect.spawn(program, arguments, env=environment, dimensions=(40, 200), timeout=20, encoding="utf-8")
    try:
        terminal.sendline(f"{LOAD[shell]}; echo load''ed")
        terminal.expect_exact("loaded")
        terminal.send("turnpost board hos\t\t\t")
        terminal.expect("hostile[0-9]")
        terminal.sendcontrol("u")
        terminal.send("turnpost play \t\t\t")
        terminal.sendcontrol("u")
        terminal.sendline("echo fin''ished")
        terminal.expect_exact("finished")
    finally:
        terminal.close(force=True)
    assert not mark.exists()
