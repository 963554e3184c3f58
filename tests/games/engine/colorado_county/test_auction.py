"""Bids are revealed, and the players with the strongest bids pick first."""

from games.engine.colorado_county.events import BidsRevealed, CardsDiscarded, CardsTurnedUp
from tests.games.engine.colorado_county.tables import ANN, BEN, CLEO, DAN, after, bids, events, happened, table


def order_of_picks(seats: int, *written: str, cards: str = "R00 G00 B00") -> tuple[int, ...]:
    (revealed,) = happened(table(seats, cards=cards), *bids(*written), kind=BidsRevealed)
    return revealed.order


def test_a_bid_of_more_cowboys_beats_a_higher_number():
    assert order_of_picks(2, "1 2", "30") == (ANN, BEN)


def test_with_equal_numbers_of_cowboys_the_highest_single_cowboy_wins():
    assert order_of_picks(3, "1 15", "18 19", "31 32") == (CLEO, BEN, ANN)


def test_the_sum_of_the_numbers_does_not_matter():
    hands = {ANN: (1, 66), BEN: (64, 65)}
    (revealed,) = happened(table(2, hands=hands), *bids("1 66", "64 65"), kind=BidsRevealed)
    assert revealed.order == (ANN, BEN)


def test_a_bid_of_none_gets_no_card():
    assert order_of_picks(3, "none", "16", "none") == (BEN,)


def test_with_more_bidders_than_cards_the_last_ones_get_none():
    assert order_of_picks(4, "1", "16 17", "31", "46", cards="R00 G00") == (BEN, DAN)


def test_players_pick_one_after_another():
    state = after(table(3), *bids("1 2", "16", "none"))
    assert (state.phase, state.asked) == ("picks", (ANN,))
    assert after(state, (ANN, "pick 1 nothing")).asked == (BEN,)


def test_winning_and_losing_bids_go_back_into_the_bag():
    state = after(table(3), *bids("1 2", "16", "31 32 33"))
    assert {1, 2, 16, 31, 32, 33} <= set(state.bag)
    assert state.hands[ANN] == tuple(range(3, 16))


def test_cards_that_nobody_takes_are_discarded():
    moves = [*bids("1", "none", "none"), (ANN, "pick 2 nothing")]
    (discarded,) = happened(table(3), *moves, kind=CardsDiscarded)
    assert discarded.cards == ("R00",)
    assert after(table(3), *moves).discards == ("R00", "G00")


def test_if_everybody_bids_none_the_next_cards_are_turned_up_immediately():
    told = events(table(3), *bids("none", "none", "none"))
    assert [event for event in told if isinstance(event, CardsTurnedUp)] == [CardsTurnedUp(("B00", "O00"), 0)]


def test_two_or_three_players_see_two_cards_and_four_see_three():
    for seats, count in ((2, 2), (3, 2), (4, 3)):
        state = after(table(seats, deck="R00 R00 R00 R00"), *bids(*["none"] * seats))
        assert len(state.turned_up) == count
