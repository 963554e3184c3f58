"""What is refused, with which code and which help. Picks, sales, flags and plans have files of their own."""

import pytest
from msgspec.structs import replace

from games.engine.colorado_county.state import State
from tests.games.engine.colorado_county.tables import ANN, BEN, CLEO, ENGINE, after, bids, refused, table

HANDS = {ANN: (3, 12, 45), BEN: (7, 60), CLEO: (1,)}


def bidding() -> State:
    return table(hands=HANDS, land={ANN: "A1"}, flags={"R": "E9"})


def picking() -> State:
    return after(bidding(), *bids("3", "none", "none"))


def answering() -> State:
    return after(bidding(), (ANN, "sell A1"))


def offering() -> State:
    return after(answering(), (BEN, "interested"), (CLEO, "interested"))


@pytest.mark.parametrize(
    ("written", "code", "cowboys"),
    [
        ("bid 3 7", "not_your_cowboy", [7]),
        ("bid 0 99", "not_your_cowboy", [0, 99]),
        ("bid 3 3", "same_cowboy_twice", [3]),
    ],
)
def test_cowboys_one_does_not_hold_or_names_twice_cannot_be_bid(written, code, cowboys):
    refusal = refused(bidding(), ANN, written)
    assert refusal.code == code
    assert refusal.data["cowboys"] == cowboys
    assert refusal.data["allowed"] == [3, 12, 45]
    assert "3 12 45" in refusal.hint


@pytest.mark.parametrize(
    ("written", "code"),
    [("offer none", "offer_of_none"), ("offer 3", "not_your_cowboy"), ("offer 7 7", "same_cowboy_twice")],
)
def test_an_offer_is_at_least_one_cowboy_of_ones_own(written, code):
    refusal = refused(offering(), BEN, written)
    assert refusal.code == code
    assert refusal.data["allowed"] == [7, 60]


def test_a_cowboy_of_somebody_else_and_one_in_the_bag_are_refused_alike():
    of_ben, in_the_bag = refused(bidding(), ANN, "bid 7"), refused(bidding(), ANN, "bid 8")
    assert of_ben.message.replace("7", "8") == in_the_bag.message
    assert of_ben.hint == in_the_bag.hint


@pytest.mark.parametrize(
    ("state", "written"),
    [
        (bidding(), "pick 1 E9"),
        (bidding(), "interested"),
        (bidding(), "offer 3"),
        (bidding(), "flags A1 C3 E5 G7"),
        (picking(), "bid 12"),
        (picking(), "withdraw"),
        (picking(), "sell A1"),
    ],
)
def test_a_move_that_is_not_asked_for_is_refused_with_what_is(state, written):
    refusal = refused(state, ANN, written)
    assert refusal.code == "not_now"
    assert refusal.data["phase"] == state.phase
    assert refusal.data["allowed"] == (["bid", "sell"] if state.phase == "bids" else ["pick"])
    assert ("'bid none'" if state.phase == "bids" else "'pick 2 nothing'") in refusal.hint


@pytest.mark.parametrize(("state", "written"), [(answering(), "bid 7"), (offering(), "interested")])
def test_while_land_is_for_sale_nothing_else_is_decided(state, written):
    assert refused(state, BEN, written).code == "not_now"


@pytest.mark.parametrize(
    ("state", "seat", "awaited"),
    [(picking(), BEN, [ANN]), (answering(), ANN, [BEN, CLEO]), (offering(), ANN, [BEN, CLEO])],
)
def test_who_is_not_asked_is_told_for_whom_all_wait(state, seat, awaited):
    refusal = refused(state, seat, "bid none")
    assert refusal.code == "not_your_turn"
    assert refusal.data["awaited"] == awaited


@pytest.mark.parametrize(
    ("changes", "code"),
    [({"sales": (2, 0, 0)}, "third_sale"), ({"deck": ()}, "last_cards"), ({"tokens": (0, 5, 5)}, "no_tokens")],
)
def test_who_may_not_sell_is_told_what_to_do_instead(changes, code):
    refusal = refused(replace(bidding(), **changes), ANN, "sell A1")
    assert refusal.code == code
    assert refusal.data["allowed"] == ["bid"]


def test_who_has_committed_a_bid_is_told_to_withdraw_it_before_selling():
    refusal = refused(after(bidding(), (ANN, "bid 3")), ANN, "sell A1")
    assert refusal.code == "withdraw_first"
    assert refusal.data["allowed"] == ["bid", "withdraw"]


def test_who_has_nothing_to_withdraw_is_told_what_they_are_asked_for():
    refusal = refused(answering(), BEN, "withdraw")
    assert refusal.code == "nothing_to_withdraw"
    assert refusal.data["allowed"] == ["interested", "not interested"]


def test_a_wish_is_refused_with_wishes_and_not_with_picks():
    refusal = refused(bidding(), ANN, "bid 3 plan 1 A5")
    assert refusal.data["pick"] == 1
    assert refusal.hint == "Try '1 E9' or '1 nothing'."


def test_nothing_is_accepted_after_the_end():
    over = after(table(2, cards="R00", deck="", round=4), *bids("none", "none"))
    assert refused(over, ANN, "bid none").code == "match_over"
    assert not ENGINE.choices(over, ANN)


def test_a_refusal_changes_nothing():
    state = bidding()
    before = ENGINE.states.dump(state)
    refused(state, ANN, "bid 7")
    assert ENGINE.states.dump(state) == before
