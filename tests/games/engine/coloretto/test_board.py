"""The board is rendered as plain text, as shown in emails and on the command line."""

from games.engine.coloretto import ENGINE
from games.engine.coloretto.state import FinishedDeal, State
from games.engine.names import Names
from tests.games.engine.coloretto.tables import ANN, BEN, CLEO, NAMES, after, table

MIDGAME = table(
    4,
    rows=["B+", None, "GRJ", ""],
    hands=["BB", "GJ*", "+YY", "VVV"],
    took=[None, None, 2, None],
    to_move=BEN,
    supply="RGB!" + 16 * "Y",
)
LAST_ROUND_OF_TWO = table(
    2,
    rows=["B", "GG", ""],
    colours="BGOPR",
    supply=9 * "B",
    last_round=True,
    games=3,
    deal=2,
    finished=[FinishedDeal("BGOPR", ("BBB", "RR"))],
    hands=["B", "G"],
)
TIED = after(
    table(rows=[None, None, "R"], took=[1, 2, None], to_move=CLEO, last_round=True, hands=["BBB", "GGG", ""]), "take 3"
)


def picture(state: State, seat: int | None, names: tuple[str, ...] = NAMES) -> str:
    return "\n" + ENGINE.picture(ENGINE.view(state, seat), Names(names[: state.seats], seat))


def test_rendering_the_board_in_the_middle_of_a_game():
    assert (
        picture(MIDGAME, BEN)
        == """
Coloretto, modern edition, brown scoring   game 1 of 1
Supply 19 cards, 3 of them before the last-round card

  Row 1   [B ] [+2] [  ]
  Row 2   taken by Cleo
  Row 3   [G ] [R ] [Jo]   full
  Row 4   [  ] [  ] [  ]

          B  G  O  P  R  V  Y  +2  Jo  now
    Ann   2  .  .  .  .  .  .   .   .    3
>*  Ben   .  1  .  .  .  .  .   .   2    6
    Cleo  .  .  .  .  .  .  2   1   .    5
    Dan   .  .  .  .  .  3  .   .   .    6

You may draw a card or take a row.
If the game ended now, you would have 6 points (+6 green).

B blue G green O orange P pink R red V violet Y yellow; Jo joker J* golden joker
> to move, * you, now: points if the game ended now
"""
    )


def test_rendering_the_last_round_of_a_two_player_match_for_a_spectator():
    assert (
        picture(LAST_ROUND_OF_TWO, None)
        == """
Coloretto, modern edition, brown scoring   game 2 of 3
Supply 9 cards. This is the LAST ROUND.

  Row 1   [B ]   full
  Row 2   [G ] [G ]   full
  Row 3   [  ] [  ] [  ]

         B  G  O  P  R  +2  Jo  now  total
>   Ann  1  .  .  .  .   .   .    1      6
    Ben  .  1  .  .  .   .   .    1      3

Ann may draw a card or take a row.

B blue G green O orange P pink R red; Jo joker J* golden joker
> to move, now: points if the game ended now
"""
    )


def test_rendering_the_board_after_the_match():
    assert (
        picture(TIED, ANN)
        == """
Coloretto, modern edition, brown scoring   game 1 of 1, over

          B  G  O  P  R  V  Y  +2  Jo  points
 *  Ann   3  .  .  .  .  .  .   .   .       6
    Ben   .  3  .  .  .  .  .   .   .       6
    Cleo  .  .  .  .  1  .  .   .   .       1

The match is over. You and Ben share the win with 6 points.

B blue G green O orange P pink R red V violet Y yellow; Jo joker J* golden joker
* you
"""
    )


def test_the_drawn_card_is_shown_to_everybody():
    drawn = after(MIDGAME, "draw")
    assert "You drew a red card. Choose a row.\n" in picture(drawn, BEN)
    assert "Ben drew a red card and is choosing a row.\n" in picture(drawn, ANN)


def test_the_board_says_when_a_player_must_draw_or_must_take_a_row():
    assert "You must draw a card.\n" in picture(table(), ANN)
    assert "Ann must take a row.\n" in picture(table(rows=["BBB", "GGG", "RRR"]), BEN)


def test_long_names_are_cut_and_wide_ones_keep_the_columns_straight():
    names = ("Bartholomew-Maximilian", "王小明", "Zoe\N{COMBINING DIAERESIS}")
    lines = picture(table(rows=["B", None, ""], took=[None, 2, None]), ANN, names).splitlines()
    assert "  Row 2   taken by 王小明" in lines
    assert ">*  Bartholomew-Max.  .  .  .  .  .  .  .   .   .    0" in lines
    assert "    王小明            .  .  .  .  .  .  .   .   .    0" in lines
    assert "    Zoe\N{COMBINING DIAERESIS}               .  .  .  .  .  .  .   .   .    0" in lines
