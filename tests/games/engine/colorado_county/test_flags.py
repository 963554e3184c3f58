"""The twelve flags of a round are placed on free land. Flags are next to each other only if there is no other room."""

from typing import Any

import pytest

from games.engine.colorado_county.events import FlagsPlaced, FlagsRevealed
from games.engine.colorado_county.flags import open_squares, place_at_random
from games.engine.colorado_county.geometry import FLAGS, NEIGHBOURS, SQUARES, squares_with
from games.engine.colorado_county.state import Options, PlaceFlags, State
from games.engine.dice import Dice
from tests.games.engine.colorado_county.tables import ANN, BEN, CLEO, ENGINE, after, happened, refused, table
from tests.games.engine.playing import seed_of

LAID = [place_at_random(table(land={ANN: "A1 A2 C9"}).board, Dice(seed_of("flags", number))) for number in range(100)]
PLAYERS = Options(flags="players")
FOUR_OF_ANN, FOUR_OF_BEN, FOUR_OF_CLEO = "flags A1 C1 E1 G1", "flags A3 C3 E3 G3", "flags A9 C9 E9 G9"


def flagged(board: str) -> list[int]:
    return [square for letter in FLAGS for square in squares_with(board, letter)]


def placing(seats: int = 3, number: int = 1, **changes: Any) -> State:
    """Return a position in which the first player has to place flags."""
    first = (number - 1) % seats
    return table(seats, options=PLAYERS, phase="flags", asked=(first,), round=number, **changes)


def test_three_flags_of_each_color_are_placed():
    for board in LAID:
        assert [board.count(letter) for letter in FLAGS] == [3, 3, 3, 3]


def test_flags_go_on_free_land_only():
    before = table(land={ANN: "A1 A2 C9"}).board
    for board in LAID:
        assert all(before[square] == "." for square in flagged(board))


def test_no_two_flags_share_a_side():
    for board in LAID:
        squares = set(flagged(board))
        assert not any(squares.intersection(NEIGHBOURS[square]) for square in squares)


def test_flags_are_in_different_places_in_every_round():
    assert len(set(LAID)) == len(LAID)


def crowded(free: str) -> str:
    """Return a board on which only these squares are free."""
    board = ["a"] * 150
    for square in free.split():
        board[SQUARES[square]] = "."
    return "".join(board)


def test_if_no_legal_square_is_left_a_flag_may_be_next_to_another():
    board = place_at_random(crowded("A1 B1 C1 D1 E1 F1 G1 H1 I1 J1 K1 L1"), Dice(seed_of("crowded")))
    assert len(flagged(board)) == 12


def test_a_square_next_to_a_flag_is_open_only_if_no_other_square_is():
    names = [SQUARES[name] for name in ("A1", "B1", "O10")]
    assert open_squares(crowded("A1 B1 O10")) == names
    assert open_squares(crowded("A1 B1 O10").replace(".", "?", 1)) == [SQUARES["O10"]]


@pytest.mark.parametrize(("seats", "each"), [(2, 6), (3, 4), (4, 3)])
def test_all_players_place_the_same_number_of_flags(seats, each):
    state = placing(seats)
    assert refused(state, ANN, "flags A1").data["count"] == each


def test_players_place_all_their_flags_in_one_move_in_seat_order():
    state = placing()
    assert ENGINE.awaiting(state) == {ANN}
    state = after(state, (ANN, FOUR_OF_ANN))
    assert ENGINE.awaiting(state) == {BEN}
    assert ENGINE.awaiting(after(state, (BEN, FOUR_OF_BEN))) == {CLEO}


def test_a_different_player_places_flags_first_in_each_round():
    state = placing(number=2)
    state = after(state, (BEN, FOUR_OF_BEN), (CLEO, FOUR_OF_CLEO))
    assert ENGINE.awaiting(state) == {ANN}
    assert after(state, (ANN, FOUR_OF_ANN)).phase == "bids"


def test_colors_are_hidden_until_all_flags_are_placed():
    moves = [(ANN, FOUR_OF_ANN), (BEN, FOUR_OF_BEN), (CLEO, FOUR_OF_CLEO)]
    state = after(placing(), *moves[:2])
    assert state.board.count("?") == 8
    assert not flagged(state.board)
    (revealed,) = happened(placing(), *moves, kind=FlagsRevealed)
    assert sorted(square for squares in revealed.flags.values() for square in squares) == sorted(
        " ".join(written.removeprefix("flags ") for _, written in moves).split()
    )
    assert [event.seat for event in happened(placing(), *moves, kind=FlagsPlaced)] == [ANN, BEN, CLEO]


def test_bidding_starts_when_all_flags_are_placed():
    state = after(placing(), (ANN, FOUR_OF_ANN), (BEN, FOUR_OF_BEN), (CLEO, FOUR_OF_CLEO))
    assert state.phase == "bids"
    assert [state.board.count(letter) for letter in FLAGS] == [3, 3, 3, 3]


@pytest.mark.parametrize(
    ("written", "code"),
    [
        ("flags A1 C1 E1", "flag_count"),
        ("flags A1 C1 E1 P1", "off_board"),
        ("flags A1 C1 E1 B2", "lake"),
        ("flags A1 C1 E1 O10", "occupied"),
        ("flags A1 C1 E1 A1", "flag_there"),
        ("flags A1 C1 E1 A2", "flag_beside_flag"),
        ("flags A1 B1 E1 G1", "flag_beside_flag"),
    ],
)
def test_each_illegal_flag_placement_has_its_own_code(written, code):
    refusal = refused(placing(land={BEN: "O10"}), ANN, written)
    assert refusal.code == code
    assert refusal.data["allowed"]


def test_a_flag_may_not_be_next_to_one_that_another_player_placed():
    state = after(placing(), (ANN, FOUR_OF_ANN))
    assert refused(state, BEN, "flags A2 C3 E3 G3").code == "flag_beside_flag"


def test_each_flag_may_touch_another_only_if_no_open_square_is_left_for_it():
    state = placing(2, board=crowded("A1 B1 C1 D1 E1 F1 H1 J1 L1 N1 A10 C10 E10"))
    assert refused(state, ANN, "flags A1 B1 C1 D1 E1 F1").code == "flag_beside_flag"
    state = after(state, (ANN, "flags A10 C10 E10 H1 J1 L1"))
    assert refused(state, BEN, "flags A1 B1 C1 D1 E1 F1").code == "flag_beside_flag"
    assert ENGINE.refusal(state, BEN, ENGINE.parse("flags A1 N1 C1 E1 B1 D1")) is None


def test_flags_are_legal_if_they_can_be_placed_in_some_order():
    """After a flag on B1, only squares next to a flag are left, so A1 can be next. A flag on A1 would leave C1 free."""
    state = placing(4, board=crowded("A1 B1 C1 O10 M10"))
    for written in ("flags B1 A1 O10", "flags O10 A1 B1"):
        assert refused(state, ANN, written).code == "flag_beside_flag"
    state = placing(4, board=crowded("A1 B1 C1 O10"))
    for written in ("flags B1 A1 O10", "flags O10 A1 B1"):
        assert ENGINE.refusal(state, ANN, ENGINE.parse(written)) is None
    assert refused(state, ANN, "flags A1 B1 C1").code == "flag_beside_flag"


def test_a_randomly_filled_form_is_legal_even_where_flags_may_touch():
    state = placing(2, board=crowded("A1 B1 C1 D1 E1 F1 H1"))
    for number in range(50):
        move = ENGINE.sample(state, ANN, Dice(seed_of("waived", number)))
        assert isinstance(move, PlaceFlags)
        assert ENGINE.refusal(state, ANN, move) is None


def test_all_twelve_flags_are_placed_again_every_round():
    state = table(2, cards="R00", deck="", flags={"R": "O1 O3 O5"})
    state = after(state, (ANN, "bid none"), (BEN, "bid none"))
    assert state.round == 2
    assert state.flags_aside == 0
    assert len(flagged(state.board)) == 12
