"""Boards at 80 columns: with and without color, in plain text and as speech. `GOLDEN=new` rewrites the files."""

import os
import re
from pathlib import Path

import pytest

from cli.match_fetch import FetchedMatch
from cli.render.board import picture, shown
from cli.render.canvas import drawn
from cli.render.drawing import draw
from cli.render.match import result
from cli.render.style import NARROWEST, Style
from games.engine.coloretto.state import PLUS_TWO, jokers
from games.engine.dice import Dice
from games.engine.names import Names
from games.engine.registry import engine, engines
from games.engine.text import width
from tests.games.engine.test_boards import BOARD

GOLDEN = Path(__file__).parent / "screens"
STYLES = {
    "colour": Style(colour=True, drawn=True),
    "drawn": Style(drawn=True),
    "plain": Style(),
    "speech": Style(speech=True),
}
NAMES = ("Ann", "Ben", "Cleo", "Dora", "Emil")
POSITIONS = {"coloretto": [(2, 12), (3, 41), (5, 500)], "colorado-county": [(3, 0), (4, 45), (2, 2000)]}


def names(seats, given=NAMES):
    """Render the board for seat 0."""
    return Names(tuple(given[:seats]), 0)


def position(game, seats, moves, **options):
    """Return seat 0's view after some random moves."""
    rules, dice = engine(game), Dice(b"\5" * 32)
    state = rules.new_match(seats, rules.read_options(options), dice).state
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
def test_a_board_matches_its_golden_screen(game, seats, moves, style):
    rules, view = position(game, seats, moves)
    screen = shown(rules, view, names(seats), STYLES[style])
    path = GOLDEN / f"{game}_{seats}_{moves}_{style}.txt"
    if os.environ.get("GOLDEN") == "new":
        path.parent.mkdir(exist_ok=True)
        path.write_text(screen + "\n")
    assert screen + "\n" == path.read_text()


@pytest.mark.parametrize("game", [game.slug for game in engines()])
@pytest.mark.parametrize("style", ["drawn", "plain"])
def test_no_line_is_wider_than_the_screen(game, style):
    hard = ["猫" * 15, "Maximiliane von und zu Hohenstaufen", "Ann", "B" * 60, "é" * 30]
    rules = engine(game)
    for seats in rules.seats:
        for moves in range(0, 60, 7):
            found, view = position(game, seats, moves)
            widest = max(width(line) for line in shown(found, view, names(seats, hard), STYLES[style]).splitlines())
            assert widest <= 80


def figures(line):
    """Return the numbers at the end of a line; a dot means zero."""
    return [0 if word == "·" else int(word) for word in line.split() if word == "·" or word.lstrip("-").isdigit()]


@pytest.mark.parametrize("columns", [NARROWEST, 60, 71, 79])
class TestInANarrowWindow:
    def drawn(self, columns, *place, **options):
        rules, view = position(*place, **options)
        hard = ["Maximiliane von und zu", "Ben", "猫" * 8, "Dora", "Emil"]
        lines = shown(rules, view, names(len(view.players), hard), Style(drawn=True, width=columns)).splitlines()
        assert max(map(width, lines)) <= columns
        return view, lines

    @pytest.mark.parametrize("moves", [41, 500])
    @pytest.mark.parametrize(("seats", "games"), [(5, 1), (2, 3)])
    def test_a_coloretto_board_shows_everything_that_players_have(self, columns, moves, seats, games):
        view, lines = self.drawn(columns, "coloretto", seats, moves, games=games)
        heads = next(place for place, line in enumerate(lines) if "+2" in line)
        for player, line in zip(view.players, lines[heads + 2 :], strict=False):
            held = [player.hand.count(letter) for letter in (*view.colours, PLUS_TWO)]
            scored = [jokers(player.hand), player.score_now.total, *([player.total] if games > 1 else [])]
            assert figures(line) == [*held, *scored]

    @pytest.mark.parametrize(("seats", "moves"), [(4, 45), (2, 2000)])
    def test_a_colorado_county_board_shows_every_square_and_everything_that_players_have(self, columns, seats, moves):
        view, lines = self.drawn(columns, "colorado-county", seats, moves)
        squares = [line for line in lines if re.match(r" ?\d+ [ \[(~<]", line)]
        assert [line.count("~") // 2 for line in squares if width(line) <= columns] == [
            sum(letter.isdigit() for letter in row) + ("~" in line[48:])
            for row, line in zip(view.board, squares, strict=True)
        ]
        for player in view.players:
            line = next(line for line in lines if re.match(rf"[▶✓ ] \[{'ABCD'[player.seat]}\]", line))
            assert figures(line)[:3] == [player.cowboys, player.cubes, player.tokens]
            assert figures(line)[-1] == player.total


@pytest.mark.parametrize("game", [game.slug for game in engines()])
def test_without_color_there_are_no_escape_codes_and_nothing_is_missing(game):
    rules, view = position(game, max(engine(game).seats), 30)
    coloured = shown(rules, view, names(max(rules.seats)), STYLES["colour"])
    for style in ("drawn", "plain", "speech"):
        assert "\x1b" not in shown(rules, view, names(max(rules.seats)), STYLES[style])
    assert "\x1b[" in coloured


@pytest.mark.parametrize("game", [game.slug for game in engines()])
def test_speech_consists_of_sentences(game):
    rules, view = position(game, max(engine(game).seats), 30)
    for line in shown(rules, view, names(max(rules.seats)), STYLES["speech"]).splitlines():
        assert line.endswith((".", "?", ":", ";"))
        assert "  " not in line
        assert "│" not in line


@pytest.mark.parametrize("game", [game.slug for game in engines()])
def test_speech_uses_correct_plurals(game):
    rules = engine(game)
    for seats in rules.seats:
        for moves in range(0, 60, 5):
            found, view = position(game, seats, moves)
            assert not re.search(r"\b1 (points|cowboys|cubes|tokens)\b", shown(found, view, names(5), STYLES["speech"]))


def test_speech_says_where_flags_are_face_down():
    rules, view = position("colorado-county", 3, 1, flags="players")
    squares = [f"{'ABCDEFGHIJKLMNO'[at]}{number + 1}" for number, row in enumerate(view.board) for at in places(row)]
    assert squares
    assert f"Flags face down: {', '.join(squares)}." in shown(rules, view, names(3), STYLES["speech"])


def test_speech_lists_the_lakes_only_once_until_there_are_flags():
    rules, view = position("colorado-county", 3, 0, flags="players")
    assert shown(rules, view, names(3), STYLES["speech"]).lower().count("lake worth 3") == 1


def places(row):
    return [at for at, letter in enumerate(row) if letter == "?"]


def test_a_result_of_one_point_uses_the_singular():
    seats = [{"seat": seat, "place": 1 + seat, "points": 1 - seat, "player": None} for seat in (0, 1)]
    told = result(FetchedMatch({"outcome": {"reason": "over"}, "seats": seats}, None), Style())
    assert told.splitlines()[1:] == ["  1. departed player: 1 point", "  2. departed player: 0 points"]


@pytest.mark.parametrize("game", [game.slug for game in engines()])
@pytest.mark.parametrize("style", ["drawn", "plain", "speech"])
def test_an_abandoned_match_is_not_waiting_for_anyone(game, style):
    rules, view = position(game, 3, 4)
    before, ended = (shown(rules, seen, names(3), STYLES[style]) for seen in (view, rules.stopped(view)))
    assert "The match has ended." in ended
    assert "The match has ended." not in before
    assert "If the game ended now" not in ended


def test_a_view_from_a_newer_server_is_shown_as_the_server_rendered_it():
    assert (
        picture("coloretto", {"schema": 99}, names(5), STYLES["drawn"], "the server's picture")
        == "the server's picture"
    )


def test_an_unknown_game_is_shown_as_the_server_rendered_it():
    assert picture("go", {}, names(5), STYLES["drawn"], "a board") == "a board"


def test_a_board_without_colors_contains_all_symbols():
    screen = drawn(draw(BOARD, STYLES["drawn"]), STYLES["drawn"])
    for part in ("(N)", "[T] nobody", "[A] Ann", "gone", "A1 + B2 A2", "▶ Ann (you)", "✓ Benjamin", "Your secret: 7"):
        assert part in screen
