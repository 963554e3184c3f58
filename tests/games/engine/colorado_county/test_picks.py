"""Players put a card's first star on a flag of its color. The card's rotation decides where the second star can go."""

from typing import Any

import pytest

from games.engine.colorado_county.events import CardPicked
from games.engine.colorado_county.placements import picks
from games.engine.colorado_county.state import Pick, State
from tests.games.engine.colorado_county.tables import ANN, BEN, after, bids, happened, owner_of, refused, table


def picking(card: str, flags: str = "E9", **changes: Any) -> State:
    """Return a position in which Ann picks first and the only card is red."""
    return after(table(2, cards=card, flags={"R": flags}, **changes), *bids("1 2", "16"))


def offered(state: State) -> set[tuple[str, ...]]:
    return {pick.squares for pick in picks(state, ANN)}


def seconds(card: str, flag: str) -> set[str]:
    """Return the possible squares for the second star."""
    return {square for squares in offered(picking(card, flag)) if len(squares) == 2 for square in squares} - {flag}


def test_a_single_star_goes_on_a_flag_of_the_cards_color():
    assert offered(picking("R00", "E9 A1")) == {("E9",), ("A1",), ()}


def test_the_second_star_has_four_possible_squares_because_the_card_can_be_rotated():
    assert seconds("R10", "E9") == {"F9", "E10", "D9", "E8"}
    assert seconds("R11", "E9") == {"F10", "D10", "D8", "F8"}


def test_a_card_is_never_mirrored():
    assert seconds("R21", "F8") == {"H9", "E10", "D7", "G6"}
    assert seconds("R12", "E7") == {"F9", "C8", "D5", "G6"}


def test_cubes_can_go_on_both_squares_or_on_one_of_them_or_on_none():
    assert offered(picking("R30", "A10")) == {
        ("A10", "D10"),
        ("A7", "A10"),
        ("A10",),
        ("D10",),
        ("A7",),
        (),
    }


def test_squares_that_several_flags_reach_are_listed_once():
    state = picking("R10", "E9 G9")
    assert [pick.squares for pick in picks(state, ANN)].count(("F9",)) == 1


@pytest.mark.parametrize(
    ("written", "owned", "flag_left"),
    [("pick 1 E9 F9", "E9 F9", False), ("pick 1 E9 only", "E9", False), ("pick 1 F9 only", "F9", True)],
)
def test_a_cube_on_the_flags_square_replaces_the_flag(written, owned, flag_left):
    state = after(picking("R10"), (ANN, written))
    assert [owner_of(state, square) for square in owned.split()] == [ANN] * len(owned.split())
    assert ("R" in state.board) == flag_left
    assert state.flags_aside == 12 - flag_left


def test_a_card_can_be_taken_without_placing_a_cube():
    state = after(picking("R10"), (ANN, "pick 1 nothing"))
    assert state.cubes == (40, 40)
    assert "R10" in state.discards


def test_squares_may_be_named_in_any_order():
    (picked,) = happened(picking("R10"), (ANN, "pick 1 F9 E9"), kind=CardPicked)
    assert picked == CardPicked(ANN, 1, "R10", ("E9", "F9"))


def test_cards_keep_their_numbers_when_others_are_taken():
    state = after(table(2, cards="R00 G00", flags={"G": "A1"}), *bids("1 2", "16"), (ANN, "pick 1 nothing"))
    assert {pick.card for pick in picks(state, BEN)} == {2}
    assert refused(state, BEN, "pick 1 nothing").code == "card_taken"


def test_a_flag_that_was_replaced_is_out_for_the_rest_of_the_round():
    state = table(2, cards="R00 R00", flags={"R": "A1"})
    state = after(state, *bids("1 2", "16"), (ANN, "pick 1 A1"))
    assert picks(state, BEN) == (Pick(2),)


def test_the_second_square_must_be_free_land_on_the_board():
    state = picking("R10", "G6", land={BEN: "F6"})
    assert offered(state) == {("G6",), ("G5", "G6"), ("G5",), ()}
    state = after(table(2, cards="R10", flags={"R": "A10", "B": "A9"}), *bids("1 2", "16"))
    assert offered(state) == {("A10",), ("A10", "B10"), ("B10",), ()}


def test_a_player_without_cubes_places_none():
    assert offered(picking("R10", cubes=(0, 40))) == {()}
    assert max(map(len, offered(picking("R10", cubes=(1, 40))))) == 1


@pytest.mark.parametrize(
    ("written", "code"),
    [
        ("pick 3 nothing", "no_such_card"),
        ("pick 1 Z9 only", "off_board"),
        ("pick 1 E11 only", "off_board"),
        ("pick 1 E9 E9", "same_square_twice"),
        ("pick 1 E9 F9 G9", "too_many_squares"),
        ("pick 1 E9 E2", "lake"),
        ("pick 1 E9 D9", "occupied"),
        ("pick 1 H9 only", "wrong_flag_colour"),
        ("pick 1 E9 F8", "out_of_reach"),
        ("pick 1 A1 only", "out_of_reach"),
        ("pick 1 A1 B1", "no_flag"),
        ("pick 1 E9 E10", "flag_in_the_way"),
        ("pick 2 F9 only", "no_flag"),
        ("pick 2 E9 F9", "too_many_squares"),
    ],
)
def test_each_illegal_pick_has_its_own_code_and_the_allowed_squares(written, code):
    state = table(2, cards="R10 R00", flags={"R": "E9 E10", "B": "H9"}, land={BEN: "D9"})
    refusal = refused(after(state, *bids("1 2", "16")), ANN, written)
    assert refusal.code == code
    assert refusal.data["allowed"]


def test_the_refusal_of_a_second_flag_names_its_square():
    state = table(2, cards="R10 R00", flags={"R": "E9 E10"})
    refusal = refused(after(state, *bids("1 2", "16")), ANN, "pick 1 E9 E10")
    assert refusal.message == "The second star can't be on a flag, and there is one on E10."


def test_placing_more_cubes_than_the_reserve_holds_has_its_own_code():
    refusal = refused(picking("R10", cubes=(1, 40)), ANN, "pick 1 E9 F9")
    assert (refusal.code, refusal.message) == ("no_cubes", "You have 1 cube left.")
    assert refused(picking("R10", cubes=(0, 40)), ANN, "pick 1 E9").hint == "Try 'pick 1 nothing'."
