"""If a player has a plan, its first pick that is still possible is made automatically."""

import pytest

from games.engine.choices import Ranking
from games.engine.colorado_county.events import BidsRevealed, CardPicked, CardsTurnedUp
from games.engine.colorado_county.state import LONGEST_PLAN, Pick, State
from tests.games.engine.colorado_county.tables import (
    ANN,
    BEN,
    CLEO,
    ENGINE,
    after,
    bids,
    events,
    happened,
    owner_of,
    play,
    refused,
    table,
)


def auction(seats: int = 3) -> State:
    """Return a position with two red cards and two red flags."""
    return table(seats, cards="R00 R10", flags={"R": "A1 O10"})


def test_the_first_planned_pick_is_made_automatically():
    told = events(auction(), *bids("1 2 plan 1 A1 only", "none", "none"))
    assert [type(event) for event in told[:2]] == [BidsRevealed, CardPicked]
    assert told[1] == CardPicked(ANN, 1, "R00", ("A1",))
    assert any(isinstance(event, CardsTurnedUp) for event in told)


def test_a_planned_pick_that_has_become_impossible_is_skipped():
    state = after(auction(), *bids("1 2 plan 1 A1", "16 plan 1 A1 / 1 O10 / 2 A1 / 2 O10 only", "none"))
    assert owner_of(state, "A1") == ANN
    assert owner_of(state, "O10") == BEN


def test_if_no_planned_pick_is_possible_the_player_chooses():
    state = after(auction(), *bids("1 2 plan 1 A1", "16 plan 1 A1 / 2 A1 B1", "none"))
    assert (state.phase, state.asked) == ("picks", (BEN,))
    assert ENGINE.view(state, BEN).plan == ()


def test_plans_continue_after_a_player_who_had_to_choose():
    state = after(auction(), *bids("1 2", "16 plan 2 O10", "none"))
    assert state.asked == (ANN,)
    picks = happened(state, (ANN, "pick 1 A1"), kind=CardPicked)
    assert [pick.seat for pick in picks] == [ANN, BEN]


def test_a_plan_is_dropped_if_its_bid_gets_no_card():
    state = after(auction(), *bids("1 plan 1 A1", "16 17 plan 1 O10", "31 32 plan 2 A1"))
    assert owner_of(state, "A1") == CLEO
    assert state.plans == ()


def test_a_planned_picks_squares_can_be_named_in_any_order():
    picks = happened(auction(2), *bids("1 plan 2 B1 A1", "none"), kind=CardPicked)
    assert picks == [CardPicked(ANN, 2, "R10", ("A1", "B1"))]


def test_a_plan_is_replaced_together_with_its_bid_and_dropped_when_a_sale_returns_the_bid():
    state = after(auction(2), (ANN, "bid 1 plan 1 A1"), (ANN, "bid 1 plan 1 O10"))
    assert ENGINE.view(state, ANN).sealed.plan == (Pick(1, ("O10",)),)
    state = after(table(2, flags={"R": "A1"}, land={BEN: "O1"}), (ANN, "bid 1 plan 1 A1"), (BEN, "sell O1"))
    assert state.sealed == (None, None)


@pytest.mark.parametrize(
    ("written", "code"),
    [
        ("bid 1 plan 1 A1 / 3 A1", "no_such_card"),
        ("bid 1 plan 1 A1 / 1 C3", "no_flag"),
        ("bid 1 plan 1 A1 / 2 A1 B2", "lake"),
    ],
)
def test_a_planned_pick_that_is_impossible_from_the_start_is_refused(written, code):
    refusal = refused(auction(), ANN, written)
    assert refusal.code == code
    assert refusal.data["pick"] == 2
    assert refusal.message.startswith("Pick 2 of your plan: ")


def test_a_bid_of_none_cannot_have_a_plan():
    assert refused(auction(), ANN, "bid none plan 1 A1").code == "plan_without_bid"


def test_a_plan_stays_secret_after_the_reveal():
    played = play(after(auction(), *bids("1 2", "16 plan 2 O10 only")), CLEO, "bid none")
    assert all("plan" not in event.__struct_fields__ for event in played.events)
    assert ENGINE.view(played.state, BEN).plan == (Pick(2, ("O10",)),)
    for seat in (ANN, CLEO, None):
        assert ENGINE.view(played.state, seat).plan == ()


def test_the_bid_form_offers_every_pick_for_the_plan():
    (form,) = ENGINE.choices(auction(), ANN).forms
    picks = form.fields[1]
    assert isinstance(picks, Ranking)
    assert picks.most == LONGEST_PLAN
    assert Pick(1, ("A1",)) in picks.values
    assert Pick(2, ("A1", "B1")) in form.fields[1].values
