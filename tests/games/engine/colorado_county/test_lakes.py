import pytest

from games.engine.colorado_county.events import LakeChangedHands
from games.engine.colorado_county.geometry import BORDER, LAKES, NEIGHBOURS
from games.engine.colorado_county.lakes import SHAPES, fields, holder_after, lay_lakes
from games.engine.colorado_county.state import State
from games.engine.dice import Dice
from tests.games.engine.colorado_county.tables import ANN, BEN, CLEO, after, bids, happened, squares, table
from tests.games.engine.playing import seed_of

LAID = [lay_lakes(Dice(seed_of("lakes", number))) for number in range(300)]
THREE, FOUR = 0, 1


def test_the_lakes_have_six_sizes_and_cover_22_squares():
    sizes = ["".join(SHAPES[value]).count("#") for value in LAKES]
    assert sizes == [1, 2, 3, 4, 5, 7]


def test_placed_lakes_keep_their_sizes_and_do_not_overlap():
    for lakes in LAID:
        assert [len(lake) for lake in lakes] == [1, 2, 3, 4, 5, 7]
        assert len({square for lake in lakes for square in lake}) == 22


def test_placed_lakes_do_not_share_a_side():
    for lakes in LAID:
        owner = {square: lake for lake in lakes for square in lake}
        assert all(owner.get(near, lake) == lake for square, lake in owner.items() for near in NEIGHBOURS[square])


def test_no_lake_is_on_the_border():
    assert not any(square in BORDER for lakes in LAID for lake in lakes for square in lake)


def test_lakes_are_in_different_places_in_different_matches():
    assert len(set(LAID)) == len(LAID)


def test_the_fields_of_a_lake_are_the_land_squares_next_to_it():
    state = table()
    assert fields(state.lakes)[THREE] == set(squares("B1 A2 C2 B3"))
    assert fields(state.lakes)[FOUR] == set(squares("E1 F1 D2 G2 E3 F3"))


def test_the_first_player_to_own_a_field_holds_the_lake():
    assert table(land={BEN: "B1"}).holders[THREE] == BEN


def test_a_player_with_as_many_fields_as_the_holder_does_not_take_the_lake():
    assert table(land={ANN: "B1", BEN: "B3"}).holders[THREE] == ANN


def test_a_player_with_more_fields_than_the_holder_takes_the_lake():
    assert table(land={ANN: "B1", BEN: "B3 A2"}).holders[THREE] == BEN


def test_two_cubes_from_one_card_can_take_a_lake_and_an_event_says_so():
    state = table(2, cards="R11", flags={"R": "B3"}, land={ANN: "B1"})
    (changed,) = happened(state, *bids("none", "16"), (BEN, "pick 1 B3 C2"), kind=LakeChangedHands)
    assert changed == LakeChangedHands(3, BEN, ANN)


def test_a_square_may_be_a_field_of_two_lakes():
    state = table(land={CLEO: "J6 J7"})
    assert state.holders[4] == CLEO
    assert state.holders[5] == CLEO


def sell_b1(state: State, *answers: tuple[int, str]) -> State:
    nobody = [(seat, "not interested") for seat in range(1, state.seats)]
    return after(state, (ANN, "sell B1"), *(answers or nobody))


def test_a_holder_who_sells_a_field_keeps_the_lake_while_nobody_has_more():
    assert sell_b1(table(land={ANN: "B1 B3", BEN: "A2"})).holders[THREE] == ANN


def test_a_holder_who_sells_the_last_field_loses_the_lake_until_somebody_owns_a_field():
    state = sell_b1(table(flags={"R": "B3"}, land={ANN: "B1"}))
    assert state.holders[THREE] is None
    assert after(state, *bids("none", "none", "31"), (CLEO, "pick 1 B3")).holders[THREE] == CLEO


def test_a_sale_that_leaves_one_player_with_the_most_fields_gives_them_the_lake():
    assert sell_b1(table(land={ANN: "B1 B3", BEN: "A2 C2"})).holders[THREE] == BEN


def test_a_sale_that_leaves_several_players_with_the_most_fields_frees_the_lake():
    state = sell_b1(table(land={ANN: "B1", BEN: "A2", CLEO: "C2"}))
    assert state.holders[THREE] is None


def test_a_lake_that_nobody_holds_goes_to_the_first_player_with_more_fields_than_anybody_else():
    state = sell_b1(table(flags={"R": "B3"}, land={ANN: "B1", BEN: "A2", CLEO: "C2"}))
    state = after(state, *bids("none", "none", "31"), (CLEO, "pick 1 B3"))
    assert state.holders[THREE] == CLEO


def test_a_sale_that_gives_the_buyer_the_most_fields_gives_them_the_lake():
    state = table(2, land={ANN: "B1", BEN: "A2"})
    assert after(state, (ANN, "sell B1"), (BEN, "interested"), (BEN, "offer 16")).holders[THREE] == BEN


@pytest.mark.parametrize(
    ("holder", "owned", "after_it"),
    [
        (None, [0, 0, 0], None),
        (None, [0, 1, 0], BEN),
        (None, [2, 2, 0], None),
        (None, [2, 3, 0], BEN),
        (ANN, [2, 2, 2], ANN),
        (ANN, [2, 3, 2], BEN),
        (ANN, [1, 2, 2], None),
        (ANN, [0, 0, 0], None),
    ],
)
def test_a_lake_passes_only_to_a_player_with_more_fields_than_anybody_else(holder, owned, after_it):
    assert holder_after(holder, owned) == after_it


def test_holding_a_lake_costs_no_cube():
    assert table(land={ANN: "B1"}).cubes[ANN] == 39
