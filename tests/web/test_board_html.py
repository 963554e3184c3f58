"""Boards of every game are rendered as HTML."""

import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from games.engine.board import PAINTS, Board, Card, Cards, Cell, Grid, Legend, Note, Row
from games.engine.dice import Dice
from games.engine.names import Names
from games.engine.registry import engine
from tests.games.engine.playing import positions
from tests.games.engine.setups import ALL
from web.board_html import NO_TAPS, Taps, draw, rotations

STYLES = Path("web/static/web/turnpost.css").read_text()
NAMES = Names(("<b>Ann</b>", 'B"en', "Cleo & Co", "Dan", "Eve"), reader=0)
VOID = {"br", "input", "line"}


class Outline(HTMLParser):
    """Checks that elements are closed in order, and collects classes and attributes."""

    def __init__(self, html):
        super().__init__()
        self.open: list[str] = []
        self.classes: set[str] = set()
        self.attributes: list[tuple[str, dict[str, Any]]] = []
        self.texts: list[str] = []
        self.feed(html)
        assert not self.open

    def handle_starttag(self, tag, attrs):
        self.attributes.append((tag, dict(attrs)))
        self.classes.update((dict(attrs).get("class") or "").split())
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)


def outline(board, taps=NO_TAPS):
    drawing = draw(board, taps)
    return Outline(drawing.table + drawing.notes + drawing.figures)


def test_a_mark_and_its_meaning_stay_on_one_line():
    legend = draw(Board("Game", "", "", (), legend=Legend(marks=(("awaited", "to move"),)))).figures
    assert '<span class="key">▶ to move</span>' in legend


ONE_OF_EACH_GAME = list({setup.engine.slug: setup for setup in ALL}.values())


@pytest.mark.parametrize("setup", ONE_OF_EACH_GAME, ids=str)
def test_boards_of_every_game_are_well_formed_and_have_no_inline_styles(setup):
    names = Names(NAMES.names[: setup.seats], 0)
    for position in positions(setup)[:12]:
        for seat in (0, None):
            board = setup.engine.board(setup.engine.view(position.state, seat), names)
            drawn = outline(board)
            assert not any("style" in attributes for _, attributes in drawn.attributes)
            assert not any(name.startswith("on") for _, attributes in drawn.attributes for name in attributes)
            assert any("<b>Ann" in text for text in drawn.texts)


def test_every_color_has_a_class_with_the_same_colors_as_in_emails():
    for name, (paper, ink) in PAINTS.items():
        found = re.search(rf"\.paint-{name} {{ --p: (#\w+); --i: (#\w+); }}", STYLES)
        assert found, name
        assert [wide(found[1]), wide(found[2])] == [paper, ink]


def wide(color):
    """Expand a short color, so that #fff becomes #ffffff."""
    return color if len(color) == 7 else "#" + "".join(digit * 2 for digit in color[1:])


def test_only_places_that_can_be_tapped_are_buttons_and_their_labels_say_what_they_do():
    rows = Grid((Row("Row 1", (Cell("B", colour="blue", label="blue"),)), Row("Row 2", (Cell(label="free"),))))
    drawn = outline(Board("G", "", "", (rows,)), Taps({"Row 1": "Take row 1"}))
    buttons = [attributes for tag, attributes in drawn.attributes if tag == "button"]
    assert [(button["value"], button["form"], button["aria-pressed"]) for button in buttons] == [
        ("Row 1", "choose", "false")
    ]
    assert buttons[0]["aria-label"] == "Take row 1. Row 1: blue."


def test_labels_of_squares_say_where_they_are_and_what_is_on_them():
    grid = Grid(
        (Row("1", (Cell("R", "()", "red", "red flag", "A1"), Cell(label="free land", square="B1"))),), ("A", "B")
    )
    drawn = outline(Board("G", "", "", (grid,)), Taps({"B1": ""}, chosen={"A1"}))
    labels = {attributes["value"]: attributes for tag, attributes in drawn.attributes if tag == "button"}
    assert labels["B1"]["aria-label"] == "B1, free land"
    assert labels["A1"]["aria-pressed"] == "true"


def test_a_card_shows_every_rotation_once():
    assert list(rotations(("★ ★",))) == [("★ ★",), ("★", "★")]
    assert len(list(rotations(("★ · ·", "· · ★")))) == 4 - 2
    assert list(rotations(())) == []
    cards = Cards((Card("Card 1", Cell("R", "()", "red", "red"), "two stars", ("★ ★",), ways=(("A1", ("B1",)),)),))
    assert outline(Board("G", "", "", (cards,))).classes >= {"turns", "turn"}


def test_private_lines_are_marked():
    assert "own" in outline(Board("G", "", "", (Note(("Your cowboys: 1",), is_own=True),))).classes


def test_the_colorado_county_board_has_a_cell_for_every_square():
    game = engine("colorado-county")
    state = game.new_match(3, game.read_options({}), Dice(bytes(32), 0)).state
    drawn = outline(game.board(game.view(state, 0), Names(("Ann", "Ben", "Cleo"), 0)))
    assert sum(tag == "td" for tag, _ in drawn.attributes) > 150
