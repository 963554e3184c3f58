"""After an auction, the lowest bidder draws cowboys from the bag."""

from typing import Any

import pytest

from games.engine.colorado_county.events import CowboysDrawn, CowboysSeen
from games.engine.colorado_county.state import Options
from tests.games.engine.colorado_county.tables import ANN, BEN, CLEO, DAN, after, bids, happened, table

ONE = Options(consolation="one")


def drawn(*moves: tuple[int, str], options: Options | None = None, **changes: Any) -> dict[int, int]:
    state = table(4, cards="R00 G00 B00", options=options, **changes)
    return {event.seat: event.count for event in happened(state, *moves, kind=CowboysDrawn)}


PICKS = [(DAN, "pick 1 nothing"), (CLEO, "pick 2 nothing"), (BEN, "pick 3 nothing")]


def test_the_lowest_bidder_draws_two_cowboys_after_the_picks():
    assert drawn(*bids("1", "16", "31", "46")) == {}
    assert drawn(*bids("1", "16", "31", "46"), *PICKS) == {ANN: 2}


def test_with_equal_numbers_of_cowboys_the_bid_with_the_lowest_top_cowboy_is_the_lowest():
    assert drawn(*bids("1 15", "16 17", "31 32", "46 47"), *PICKS) == {ANN: 2}


def test_everybody_who_bids_none_draws_two_and_other_bidders_draw_nothing():
    assert drawn(*bids("none", "16", "none", "none"), (BEN, "pick 1 nothing")) == {ANN: 2, CLEO: 2, DAN: 2}


def test_with_a_consolation_of_one_the_lowest_bidder_draws_one():
    assert drawn(*bids("1", "16", "31", "46"), *PICKS, options=ONE) == {ANN: 1}


def test_with_a_consolation_of_one_players_who_bid_none_still_draw_two():
    moves = [*bids("none", "16", "31", "46"), *PICKS]
    assert drawn(*moves, options=ONE) == {ANN: 2}


def test_the_cowboys_that_were_bid_can_be_drawn_again():
    state = table(2, cards="R00", bag=())
    state = after(state, *bids("1", "16 17"), (BEN, "pick 1 nothing"))
    assert len(state.hands[ANN]) == 16
    assert len(state.bag) == 1


@pytest.mark.parametrize(
    ("left", "counts"),
    [(8, (2, 2, 2, 2)), (6, (2, 2, 1, 1)), (3, (1, 1, 1, 0)), (0, (0, 0, 0, 0))],
)
def test_if_the_bag_runs_short_cowboys_are_dealt_one_at_a_time_in_seat_order(left, counts):
    bag = tuple(range(1, left + 1))
    hands = {seat: (60 + seat,) for seat in range(4)}
    state = after(table(4, hands=hands, bag=bag), *bids(*["none"] * 4))
    assert tuple(len(hand) - 1 for hand in state.hands) == counts
    assert len(state.bag) == left - sum(counts)


def test_only_the_player_who_drew_cowboys_sees_which_ones():
    seen = happened(table(2, cards="R00"), *bids("none", "none"), kind=CowboysSeen)
    assert [event.audience() for event in seen] == [{ANN}, {BEN}]
