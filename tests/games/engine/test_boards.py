"""Shared code renders a board with every kind of part."""

import msgspec

from games.engine.board import (
    Board,
    Card,
    Cards,
    Cell,
    Entry,
    Grid,
    Head,
    Key,
    Legend,
    Note,
    Panel,
    Row,
    Table,
    short_names,
)
from games.engine.board_text import board_speech, board_text
from games.engine.names import Names


def free(square):
    return Cell(label="free", square=square)


KNIGHT = Cell("N", "()", label="knight", square="B1")
OTHER_KNIGHT = Cell("N", "()", label="knight", square="A2")
TOWER = Cell("T", "[]", label="tower")
BOARD = Board(
    "Keep",
    "long game",
    "day 2",
    (
        Grid(
            (
                Row("1", (Cell(label="free", square="A1"), KNIGHT)),
                Row("2", (OTHER_KNIGHT, Cell(label="free", square="B2"))),
            ),
            ("A", "B"),
            Panel("Towers", "held by", (Entry(TOWER, "nobody"), Entry(TOWER, "Ann", Cell("A", "[]")))),
        ),
        Grid((Row("Row 1", (Cell("G", label="green"), Cell(label="free"))), Row("Row 2", note="gone")), has_boxes=True),
        Cards(
            (Card("Card 1", KNIGHT, "a ride", ways=(("A1", ("B2", "A2")), ("C1", ()))), Card("Card 2", TOWER, "a roof"))
        ),
        Table(
            (Head("gold"), Head("wood", label="logs")),
            (
                Row("Ann", (Cell("12"), Cell()), mark="awaited", is_own=True),
                Row("Benjamin", (Cell("3"), Cell("4")), mark="decided"),
            ),
        ),
        Note(("It is Ann's day.", "Rest")),
        Note(("Your secret: 7",), is_own=True),
    ),
    summary=Note(("The gate is open",), "strong"),
    legend=Legend((Key((KNIGHT, TOWER), "pieces"),), (("awaited", "to move"),), (("gold", "in coins"),)),
)


def test_a_board_can_be_converted_to_json():
    assert msgspec.json.decode(msgspec.json.encode(BOARD), type=Board) == BOARD


def test_plain_text_shows_every_part():
    assert (
        "\n" + board_text(BOARD)
        == """
Keep, long game   day 2
The gate is open

   A  B
1  . (N) 1  Towers
2 (N) .  2  [T] nobody
   A  B     [T] [A] Ann

  Row 1   [G ] [  ]
  Row 2   gone

Card 1  a ride
        A1 with B2 or A2; C1 alone
Card 2  a roof

              gold  wood
>*  Ann         12     .
+   Benjamin     3     4

It is Ann's day.
Rest

Your secret: 7

pieces: (N) knight [T] tower
> to move, * you, gold: in coins
"""
    )


def test_speech_describes_every_part_in_sentences():
    assert board_speech(BOARD).splitlines() == [
        "Keep, long game, day 2.",
        "The gate is open.",
        "Tower, held by nobody.",
        "Tower, held by Ann.",
        "Knight: B1, A2.",
        "Row 1: green and free.",
        "Row 2: gone.",
        "Card 1 is a ride; A1 with B2 or A2; C1 alone.",
        "Card 2 is a roof.",
        "Ann: gold 12, logs 0.",
        "Benjamin: gold 3, logs 4.",
        "It is Ann's day. Rest.",
        "Your secret: 7.",
    ]


def test_a_table_that_is_too_wide_gets_narrower_columns_and_shorter_headings_and_names():
    name, figures = "An unusual name!", tuple(Cell("1") for _ in range(9))
    for word in ("figures", "statistics", "incontrovertible"):
        table = Table(tuple(Head(word, word[:4]) for _ in figures), (Row(name, figures),))
        lines = board_text(Board("Wide", "", "", (table,))).splitlines()[2:]
        assert max(map(len, lines)) <= 80
        assert lines[1].count("1") == len(figures)
        assert lines[0].count(word[:4]) == len(figures)


def test_long_names_are_shortened_for_boards():
    assert short_names(Names(("Ann", "Bartholomew-Maximilian"), 1)) == Names(("Ann", "Bartholomew-Max."), 1)
