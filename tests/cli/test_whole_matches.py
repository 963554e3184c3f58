"""A whole match of each game is played in a terminal, and every screen shows the board and nothing twice."""

import re
from collections import Counter

import pytest

from cli.terminal import CLEAR_SCREEN
from games.engine.registry import engine
from tests.cli.conftest import Machine
from tests.cli.terminal import Terminal

SIZES = {"80×24": (24, 80), "120×40": (40, 120)}
ASKED = r"(\(\? for help\)|\[Y/n\]|to change the level; \? for help\]|to decide again): *$"
QUESTION = re.compile(rf"{ASKED}|\[Y/n\]$|to change the level; \? for help\]$")
SENTENCE = re.compile(r"[A-Z][^.:]{14,}\.")


def check_screen(terminal, game):
    assert terminal.lines[0].startswith(engine(game).title), terminal.text
    assert QUESTION.search(terminal.last_line), terminal.text
    board = " ".join(" ".join(line[:80] for line in terminal.lines).split())
    repeated = [sentence for sentence, times in Counter(SENTENCE.findall(board)).items() if times > 1]
    assert not repeated, terminal.text


def next_move(terminal, number):
    """Bid in every other auction. Otherwise, choose the first move on the list."""
    cowboys = re.search(r"Your cowboys: (\d+)", terminal.text)
    if "Press Enter to play" in terminal.last_line or "[Y/n]" in terminal.last_line:
        return ""
    if re.search(r"\ba  bid none", terminal.text) and cowboys and number % 2:
        return f"bid {cowboys[1]}"
    if re.search(r"(^ +|:  )a  ?\w", terminal.text, re.MULTILINE):
        return "a"
    example = re.search(r"((?:bid|offer|flags|sell) [^(\n]+?)(?:  |$)", terminal.text, re.MULTILINE)
    assert example, terminal.text
    return example[1]


def answer(terminal, move):
    """Make the move, and wait until the screen has been drawn again or the match has ended."""
    drawn = terminal.output.count(CLEAR_SCREEN.encode())
    terminal.press(move, "enter")
    while terminal.output.count(CLEAR_SCREEN.encode()) == drawn and "Rematch?" not in terminal.last_line:
        assert terminal.read(), terminal.text
    terminal.shows(QUESTION.pattern)


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", ["coloretto", "colorado-county"])
def test_every_screen_of_a_whole_match_shows_the_board_and_nothing_twice(tmp_path, game, size):
    machine = Machine(tmp_path / "dora", "http://127.0.0.1:9")
    lines, columns = SIZES[size]
    words = ("demo", game, "--seats", "2", "--level", "easy")
    terminal = Terminal(machine, *words, lines=lines, columns=columns)
    terminal.shows(QUESTION.pattern)
    for number in range(500):
        check_screen(terminal, game)
        answer(terminal, next_move(terminal, number))
        if "Rematch?" in terminal.last_line:
            break
    assert "The match is over." in terminal.text
    terminal.answer("n", "enter")
    assert terminal.ends() == 0
