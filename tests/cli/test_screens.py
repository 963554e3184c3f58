"""Boards as they look, at 80 columns: with colour, without, in plain text and spoken."""

import os
from pathlib import Path

import pytest

from cli.render.board import picture, shown
from cli.render.style import Style
from games.engine.dice import Dice
from games.engine.registry import engine, engines
from games.engine.text import width

GOLDEN = Path(__file__).parent / "screens"
STYLES = {
    "colour": Style(colour=True, drawn=True),
    "drawn": Style(drawn=True),
    "plain": Style(),
    "speech": Style(speech=True),
}
NAMES = ["Ann", "Ben", "Cleo", "Dora", "Emil"]
POSITIONS = {"coloretto": [(2, 12), (3, 41), (5, 500)], "colorado-county": [(3, 0), (4, 45), (2, 2000)]}


def position(game, seats, moves):
    """The view of seat 0 after some moves that dice chose."""
    rules, dice = engine(game), Dice(b"\5" * 32)
    state = rules.new_match(seats, rules.read_options({}), dice).state
    for _ in range(moves):
        awaited = sorted(rules.awaiting(state))
        if not awaited:
            break
        state = rules.play(state, awaited[0], rules.sample(state, awaited[0], dice), dice).state
    return rules, rules.view(state, 0)


@pytest.fixture(autouse=True)
def _terminal(monkeypatch):
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLORTERM", "truecolor")


def cases():
    return [(game, *place, style) for game, places in POSITIONS.items() for place in places for style in STYLES]


@pytest.mark.parametrize(("game", "seats", "moves", "style"), cases())
def test_a_board_looks_as_it_did(game, seats, moves, style):
    rules, view = position(game, seats, moves)
    screen = shown(rules, view, NAMES[:seats], STYLES[style])
    path = GOLDEN / f"{game}_{seats}_{moves}_{style}.txt"
    if os.environ.get("GOLDEN") == "new":
        path.parent.mkdir(exist_ok=True)
        path.write_text(screen + "\n")
    assert screen + "\n" == path.read_text()


@pytest.mark.parametrize("game", [game.slug for game in engines()])
@pytest.mark.parametrize("style", ["drawn", "plain"])
def test_no_line_is_wider_than_the_screen_whatever_the_names(game, style):
    names = ["猫" * 15, "Maximiliane von und zu Hohenstaufen", "Ann", "B" * 60, "é" * 30]
    rules = engine(game)
    for seats in rules.seats:
        for moves in range(0, 60, 7):
            found, view = position(game, seats, moves)
            widest = max(width(line) for line in shown(found, view, names[:seats], STYLES[style]).splitlines())
            assert widest <= 80


@pytest.mark.parametrize("game", [game.slug for game in engines()])
def test_without_colour_nothing_steers_the_terminal_and_nothing_is_missing(game):
    rules, view = position(game, max(engine(game).seats), 30)
    coloured = shown(rules, view, NAMES[: max(rules.seats)], STYLES["colour"])
    for style in ("drawn", "plain", "speech"):
        assert "\x1b" not in shown(rules, view, NAMES[: max(rules.seats)], STYLES[style])
    assert "\x1b[" in coloured


@pytest.mark.parametrize("game", [game.slug for game in engines()])
def test_speech_is_sentences(game):
    rules, view = position(game, max(engine(game).seats), 30)
    for line in shown(rules, view, NAMES[: max(rules.seats)], STYLES["speech"]).splitlines():
        assert line.endswith((".", ":", ";"))
        assert "  " not in line
        assert "│" not in line


def test_a_view_of_a_later_version_is_shown_in_the_servers_own_words():
    assert (
        picture("coloretto", {"schema": 99}, NAMES, STYLES["drawn"], "the server's picture") == "the server's picture"
    )


def test_a_game_that_this_client_does_not_know_is_shown_in_the_servers_own_words():
    assert picture("go", {}, NAMES, STYLES["drawn"], "a board") == "a board"
