"""Refused moves have a code and a hint. Picks, sales, flags and plans are tested in their own files."""

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
def test_cowboys_that_the_player_does_not_have_or_lists_twice_cannot_be_bid(written, code, cowboys):
    refusal = refused(bidding(), ANN, written)
    assert refusal.code == code
    assert refusal.data["cowboys"] == cowboys
    assert refusal.data["allowed"] == [3, 12, 45]
    assert "3 12 45" in refusal.hint


@pytest.mark.parametrize(
    ("written", "code"),
    [("offer none", "offer_of_none"), ("offer 3", "not_your_cowboy"), ("offer 7 7", "same_cowboy_twice")],
)
def test_an_offer_needs_at_least_one_of_the_players_own_cowboys(written, code):
    refusal = refused(offering(), BEN, written)
    assert refusal.code == code
    assert refusal.data["allowed"] == [7, 60]


def test_bidding_another_players_cowboy_or_one_in_the_bag_gets_the_same_refusal():
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
def test_the_refusal_of_a_move_in_the_wrong_phase_lists_the_allowed_moves(state, written):
    refusal = refused(state, ANN, written)
    assert refusal.code == "not_now"
    assert refusal.data["phase"] == state.phase
    assert refusal.data["allowed"] == (["bid", "sell"] if state.phase == "bids" else ["pick"])
    assert ("'bid none'" if state.phase == "bids" else "'pick 2 nothing'") in refusal.hint


@pytest.mark.parametrize(("state", "written"), [(answering(), "bid 7"), (offering(), "interested")])
def test_during_a_sale_no_other_moves_are_allowed(state, written):
    assert refused(state, BEN, written).code == "not_now"


@pytest.mark.parametrize(
    ("state", "seat", "awaited"),
    [(picking(), BEN, [ANN]), (answering(), ANN, [BEN, CLEO]), (offering(), ANN, [BEN, CLEO])],
)
def test_a_player_out_of_turn_learns_whose_turn_it_is(state, seat, awaited):
    refusal = refused(state, seat, "bid none")
    assert refusal.code == "not_your_turn"
    assert refusal.data["awaited"] == awaited


@pytest.mark.parametrize(
    ("changes", "code"),
    [({"sales": (2, 0, 0)}, "third_sale"), ({"deck": ()}, "last_cards"), ({"tokens": (0, 5, 5)}, "no_tokens")],
)
def test_a_player_who_may_not_sell_learns_what_to_do_instead(changes, code):
    refusal = refused(replace(bidding(), **changes), ANN, "sell A1")
    assert refusal.code == code
    assert refusal.data["allowed"] == ["bid"]


def test_a_player_with_a_sealed_bid_must_withdraw_it_before_selling():
    refusal = refused(after(bidding(), (ANN, "bid 3")), ANN, "sell A1")
    assert refusal.code == "withdraw_first"
    assert refusal.data["allowed"] == ["bid", "withdraw"]


def test_a_player_with_nothing_to_withdraw_learns_what_to_do():
    refusal = refused(answering(), BEN, "withdraw")
    assert refusal.code == "nothing_to_withdraw"
    assert refusal.data["allowed"] == ["interested", "not interested"]


def test_the_refusal_of_a_planned_pick_has_hints_in_plan_notation():
    refusal = refused(bidding(), ANN, "bid 3 plan 1 A5")
    assert refusal.data["pick"] == 1
    assert refusal.hint == "Try '1 E9' or '1 nothing'."


def test_no_move_is_accepted_after_the_end():
    over = after(table(2, cards="R00", deck="", round=4), *bids("none", "none"))
    assert refused(over, ANN, "bid none").code == "match_over"
    assert not ENGINE.choices(over, ANN)


def test_a_refusal_changes_nothing():
    state = bidding()
    before = ENGINE.states.dump(state)
    refused(state, ANN, "bid 7")
    assert ENGINE.states.dump(state) == before
