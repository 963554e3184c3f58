"""The board is described and rendered as plain text, as shown in emails and on the command line."""

from games.engine.board import Grid
from games.engine.colorado_county.state import Options, State
from games.engine.names import Names
from tests.games.engine.colorado_county.tables import ANN, BEN, CLEO, ENGINE, NAMES, after, bids, table

MIDGAME = table(
    land={ANN: "B1 B3 A10", BEN: "E1 F1 G6", CLEO: "O9 O10"},
    flags={"R": "E9 M9", "G": "J5", "O": "A7", "B": "L2"},
    cards="R21 G00",
    hands={ANN: (3, 12, 45), BEN: (7, 60), CLEO: ()},
    tokens=(5, 4, 5),
)


def picture(state: State, seat: int | None, names: tuple[str, ...] = NAMES) -> str:
    return "\n" + ENGINE.picture(ENGINE.view(state, seat), Names(names[: state.seats], seat))


def land(state: State, seat: int) -> Grid:
    grid = ENGINE.board(ENGINE.view(state, seat), Names(NAMES[: state.seats], seat)).parts[0]
    assert isinstance(grid, Grid)
    return grid


def test_rendering_the_board_while_bids_are_open():
    assert (
        picture(after(MIDGAME, (ANN, "bid 12 45 plan 1 E9 F7 / 1 E9")), ANN)
        == """
Colorado County   round 1 of 4, 2 cards left

    A  B  C  D  E  F  G  H  I  J  K  L  M  N  O
 1  . [A] .  . [B][B] .  .  .  .  .  .  .  .  .  1   Lakes
 2  . ~3~ .  . ~4~~4~ .  . ~5~~5~ . (B) .  .  .  2   ~3~ [A] you
 3  . [A] .  .  .  .  .  . ~5~ .  .  .  .  .  .  3   ~4~ [B] Ben
 4  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  4   ~5~ nobody
 5  .  .  .  .  .  .  .  .  . (G) . ~8~~8~ .  .  5   ~6~ nobody
 6  . ~6~~6~~6~ .  . [B]~7~~7~ . ~8~~8~~8~~8~ .  6   ~7~ [B] Ben
 7 (O) . ~6~ .  .  . ~7~~7~~7~ . ~8~ .  .  .  .  7   ~8~ nobody
 8  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  8
 9  .  .  .  . (R) .  .  .  .  .  .  . (R) . [C] 9
10 [A] .  .  .  .  .  .  .  .  .  .  .  .  . [C] 10
    A  B  C  D  E  F  G  H  I  J  K  L  M  N  O

Card 1  red, two stars, 2 right and 1 down
        E9 with G10, C8 or F7; M9 with K8 or N7
Card 2  green, one star
        J5 alone

            cowboys  cubes  tokens  border  doubles  domain  now  total
+*[A] Ann         3     37       5       2        0       0    7      0
> [B] Ben         2     37       4       2        1       0   10      0
> [C] Cleo        0     38       5       2        1       0    8      0

Bidding is open. Waiting for Ben and Cleo.

Your cowboys: 3 12 45
Your sealed move: bid 12 45 plan 1 F7 E9 / 1 E9 only

land: [A] you [B] Ben [C] Cleo; ~5~ lake worth 5
flags: (R) red (G) green (O) orange (B) blue
> to move, + decided, * you, now: points if the round ended now
"""
    )


def test_the_board_marks_the_square_for_sale():
    state = after(MIDGAME, (ANN, "sell A10"))
    shown = picture(state, BEN)
    assert "10 <A> " in shown
    assert "Ann is selling A10. Do you want it?\n" in shown
    assert "You are selling A10. Who wants it? Waiting for Ben.\n" in picture(state, ANN)
    (square,) = [cell for row in land(state, BEN).rows for cell in row.cells if cell.is_marked]
    assert (square.square, square.label, square.seat) == ("A10", "Ann's land, for sale", ANN)


def test_a_single_buyer_is_told_that_nobody_else_wants_the_land():
    state = after(MIDGAME, (ANN, "sell A10"), (BEN, "interested"))
    assert "Ann is selling A10. Nobody else wants it. Which cowboy do you pay?\n" in picture(state, BEN)
    assert "You are selling A10. Offers are open. Waiting for Ben." in picture(state, ANN)


def test_the_board_shows_bids_and_taken_cards_during_picks():
    state = after(MIDGAME, *bids("12 45", "7", "none"), (ANN, "pick 1 E9"))
    shown = picture(state, None)
    assert "Card 1  red, two stars, 2 right and 1 down   taken by Ann" in shown
    assert "Ann bid 12 45.\nBen bid 7.\nCleo bid none.\nBen picks a card now." in shown


def test_face_down_flags_have_no_color():
    state = table(options=Options(flags="players"), phase="flags", asked=(ANN,))
    state = after(state, (ANN, "flags A1 C1 E1 G1"))
    shown = picture(state, BEN)
    assert " 1 (?) . (?) . (?) . (?)" in shown
    assert "Flags are being placed face down. Waiting for you." in shown
    hidden = [cell for cell in land(state, BEN).rows[0].cells if cell.is_hidden]
    assert [(cell.square, cell.label) for cell in hidden] == [
        (name, "flag, face down") for name in ("A1", "C1", "E1", "G1")
    ]


def test_the_final_board_shows_the_points_of_every_round_and_who_won():
    first = after(table(2, cards="R00", deck="", land={BEN: "A1"}), *bids("none", "none")).scores
    ended = after(table(2, cards="R00", deck="", round=4, land={ANN: "A1"}, scores=first * 3), *bids("none", "none"))
    shown = picture(ended, ANN)
    assert "           round 1  round 2  round 3  round 4  total\n" in shown
    assert " *[A] Ann        0        0        0        2      2\n" in shown
    assert "  [B] Ben        6        6        6        0     18\n" in shown
    assert "The match is over. Ben won with 18 points.\n" in shown
