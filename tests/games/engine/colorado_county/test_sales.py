"""A player puts a square up for sale, the others answer in secret, and interested players offer cowboys."""

from typing import Any

import pytest

from games.engine.colorado_county.events import (
    CowboysDrawn,
    InterestRevealed,
    LandFreed,
    LandPutUp,
    LandSold,
    OffersRevealed,
)
from games.engine.colorado_county.state import State
from tests.games.engine.colorado_county.tables import (
    ANN,
    BEN,
    CLEO,
    DAN,
    ENGINE,
    after,
    bids,
    happened,
    owner_of,
    play,
    refused,
    table,
)

LAND = {ANN: "A1 A10", BEN: "O1", CLEO: "O10"}


def for_sale(seats: int = 3, **changes: Any) -> State:
    """Return a position in which Ann has put A1 up for sale."""
    return after(table(seats, land=LAND, **changes), (ANN, "sell A1"))


def test_the_other_players_are_asked_whether_they_want_the_land():
    state = for_sale(4)
    assert state.phase == "interest"
    assert ENGINE.awaiting(state) == {BEN, CLEO, DAN}


def test_if_nobody_wants_the_square_it_becomes_free():
    moves = [(BEN, "not interested"), (CLEO, "not interested")]
    state = after(for_sale(), *moves)
    assert owner_of(state, "A1") is None
    assert happened(for_sale(), *moves, kind=LandFreed) == [LandFreed(ANN, "A1")]
    assert happened(for_sale(), *moves, kind=InterestRevealed) == [InterestRevealed(())]


def test_a_single_buyer_gives_the_seller_a_cowboy_of_their_choice_and_places_a_cube():
    moves = [(BEN, "not interested"), (CLEO, "interested"), (CLEO, "offer 33")]
    state = after(for_sale(), *moves)
    assert owner_of(state, "A1") == CLEO
    assert 33 in state.hands[ANN]
    assert 33 not in state.hands[CLEO]
    assert happened(for_sale(), *moves, kind=LandSold) == [LandSold(ANN, CLEO, "A1", (33,))]


def test_a_single_buyer_gives_exactly_one_cowboy():
    state = after(for_sale(), (BEN, "not interested"), (CLEO, "interested"))
    assert refused(state, CLEO, "offer 33 34").code == "one_cowboy"
    assert refused(state, CLEO, "offer none").code == "offer_of_none"


def wanted_by_two() -> State:
    return after(for_sale(), (BEN, "interested"), (CLEO, "interested"))


def test_several_buyers_make_sealed_offers_and_the_strongest_wins():
    moves = [(BEN, "offer 16 17"), (CLEO, "offer 45")]
    state = after(wanted_by_two(), *moves)
    assert owner_of(state, "A1") == BEN
    assert {16, 17} <= set(state.hands[ANN])
    assert happened(wanted_by_two(), *moves, kind=OffersRevealed) == [OffersRevealed((BEN, CLEO), ((16, 17), (45,)))]


def test_with_equal_numbers_of_cowboys_the_offer_with_the_highest_cowboy_wins():
    assert owner_of(after(wanted_by_two(), (BEN, "offer 30 16"), (CLEO, "offer 31 32")), "A1") == CLEO


def test_outbid_players_keep_their_cowboys():
    state = after(wanted_by_two(), (BEN, "offer 16 17"), (CLEO, "offer 45"))
    assert state.hands[CLEO] == tuple(range(31, 46))


def test_only_interested_players_make_offers():
    state = after(for_sale(4), (BEN, "interested"), (CLEO, "not interested"), (DAN, "interested"))
    assert ENGINE.awaiting(state) == {BEN, DAN}
    assert refused(state, CLEO, "offer 31").code == "not_your_turn"


@pytest.mark.parametrize(
    "answers",
    [
        [(BEN, "not interested"), (CLEO, "not interested")],
        [(BEN, "interested"), (CLEO, "not interested"), (BEN, "offer 16")],
        [(BEN, "interested"), (CLEO, "interested"), (BEN, "offer 16"), (CLEO, "offer 31")],
    ],
    ids=["nobody", "one", "two"],
)
def test_in_every_sale_the_seller_loses_a_token_and_gets_a_cube_back_and_draws_two_cowboys(answers):
    state = after(for_sale(), *answers)
    assert (state.tokens[ANN], state.tokens_in_box) == (4, 2)
    assert state.cubes[ANN] == 39
    assert happened(for_sale(), *answers, kind=CowboysDrawn) == [CowboysDrawn(ANN, 2)]


def test_a_seller_draws_as_many_cowboys_as_are_left_if_the_bag_runs_short():
    state = after(for_sale(bag=(66,)), (BEN, "not interested"), (CLEO, "not interested"))
    assert len(state.hands[ANN]) == 16


def test_sealed_bids_are_returned_unseen_and_made_again_after_a_sale():
    state = after(table(3, land=LAND), (BEN, "bid 16 17"))
    put_up = play(state, ANN, "sell A1")
    assert put_up.events == (LandPutUp(ANN, "A1", (BEN,)),)
    assert not put_up.quiet
    state = after(put_up.state, (BEN, "not interested"), (CLEO, "not interested"))
    assert state.phase == "bids"
    assert ENGINE.awaiting(state) == {ANN, BEN, CLEO}
    assert {16, 17} <= set(state.hands[BEN])


def test_a_bid_must_be_withdrawn_before_selling():
    state = after(table(3, land=LAND), (ANN, "bid 1"))
    assert refused(state, ANN, "sell A1").code == "withdraw_first"
    assert after(state, (ANN, "withdraw"), (ANN, "sell A1")).phase == "interest"


def test_sales_resolve_one_at_a_time():
    assert refused(for_sale(), BEN, "sell O1").code == "not_now"


def test_a_third_sale_in_a_round_is_refused():
    nobody = [(BEN, "not interested"), (CLEO, "not interested")]
    state = table(3, land={ANN: "A1 A3 A5"})
    state = after(state, (ANN, "sell A1"), *nobody, (ANN, "sell A3"), *nobody)
    assert refused(state, ANN, "sell A5").code == "third_sale"


def test_a_sale_needs_a_token():
    assert refused(table(3, land=LAND, tokens=(0, 5, 5)), ANN, "sell A1").code == "no_tokens"


def test_nothing_can_be_sold_during_the_last_auction_of_a_round():
    assert refused(table(3, land=LAND, deck=""), ANN, "sell A1").code == "last_cards"


@pytest.mark.parametrize(
    ("written", "code"), [("sell O1", "not_your_land"), ("sell C1", "not_your_land"), ("sell P1", "off_board")]
)
def test_players_can_sell_only_their_own_land(written, code):
    refusal = refused(table(3, land=LAND), ANN, written)
    assert refusal.code == code
    assert refusal.data["allowed"] == ["A1", "A10"]


def test_players_without_cowboys_or_cubes_cannot_buy():
    assert for_sale(hands={BEN: ()}).asked == (CLEO,)
    assert for_sale(cubes=(38, 39, 0)).asked == (BEN,)


def test_if_nobody_can_buy_the_square_becomes_free_immediately():
    state = for_sale(hands={BEN: (), CLEO: ()})
    assert state.phase == "bids"
    assert owner_of(state, "A1") is None


def test_players_get_five_tokens_each_or_four_each_if_there_are_four_players():
    for seats, each in ((2, 5), (3, 5), (4, 4)):
        state = table(seats)
        assert state.tokens == (each,) * seats
        assert sum(state.tokens) + state.tokens_in_box == 16


def test_choices_list_sales_only_while_selling_is_allowed():
    def sales(state: State) -> list[str]:
        return [written for move in ENGINE.choices(state, ANN).moves if "sell" in (written := ENGINE.notation(move))]

    assert sales(table(3, land=LAND)) == ["sell A1", "sell A10"]
    assert sales(after(table(3, land=LAND), (ANN, "bid none"))) == []
    assert sales(table(3, land=LAND, deck="")) == []


def test_a_sale_does_not_change_the_cards_on_offer():
    state = after(for_sale(), (BEN, "not interested"), (CLEO, "not interested"))
    assert state.turned_up == ("R00", "G00")
    assert after(state, *bids("1", "none", "none")).asked == (ANN,)
