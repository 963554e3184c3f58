"""Bids, answers and offers stay sealed until everyone has decided."""

import pytest

from games.engine.colorado_county.events import BidsRevealed, Committed, Withdrawn
from games.engine.colorado_county.state import Answer, Bid, Offer, Pick, PlaceFlags, Sell, State, Withdraw
from tests.games.engine.colorado_county.tables import ANN, BEN, CLEO, ENGINE, after, play, refused, table


def test_the_match_waits_for_everybody_who_has_not_decided():
    state = table(3)
    assert ENGINE.awaiting(state) == {ANN, BEN, CLEO}
    assert ENGINE.awaiting(after(state, (BEN, "bid none"))) == {ANN, CLEO}


def test_others_see_that_a_player_has_decided_but_not_what():
    played = play(table(3), ANN, "bid 1 2 3")
    assert played.events == (Committed(ANN),)
    assert played.quiet


def test_a_bid_can_be_replaced_unnoticed_until_everyone_has_bid():
    state = after(table(3), (ANN, "bid 1 2 3"), (BEN, "bid 16"))
    replaced = play(state, ANN, "bid 4")
    assert replaced.events == ()
    assert replaced.quiet
    assert replaced.state.sealed[ANN] == Bid((4,))


def test_a_player_who_withdraws_a_bid_must_decide_again():
    withdrawn = play(after(table(3), (ANN, "bid 1 2 3")), ANN, "withdraw")
    assert withdrawn.events == (Withdrawn(ANN),)
    assert withdrawn.quiet
    assert ANN in ENGINE.awaiting(withdrawn.state)


def test_there_is_nothing_to_withdraw_before_deciding():
    assert refused(table(3), ANN, "withdraw").code == "nothing_to_withdraw"


def test_the_last_bid_reveals_all_bids_and_increases_the_turn():
    played = play(after(table(3), (ANN, "bid 1 2"), (CLEO, "bid none")), BEN, "bid 16")
    assert not played.quiet
    assert played.events[0] == BidsRevealed(((1, 2), (16,), ()), (ANN, BEN))


def for_sale(seats: int = 3) -> State:
    return after(table(seats, land={ANN: "A1"}), (ANN, "sell A1"))


def test_answers_and_offers_can_be_replaced_and_withdrawn_too():
    answered = play(for_sale(), BEN, "interested")
    assert (answered.events, answered.quiet) == ((Committed(BEN),), True)
    replaced = play(answered.state, BEN, "not interested")
    assert (replaced.events, replaced.quiet) == ((), True)
    assert play(replaced.state, BEN, "withdraw").events == (Withdrawn(BEN),)
    wanted = after(for_sale(), (BEN, "interested"), (CLEO, "interested"), (BEN, "offer 16"))
    assert play(wanted, BEN, "offer 17 18").events == ()
    assert play(wanted, BEN, "withdraw").events == (Withdrawn(BEN),)


@pytest.mark.parametrize(
    ("move", "sealed"),
    [
        (Bid((1,)), True),
        (Answer(interested=True), True),
        (Offer((1,)), True),
        (Withdraw(), False),
        (Sell("A1"), False),
        (Pick(1), False),
        (PlaceFlags(("A1",)), False),
    ],
)
def test_only_bids_and_answers_and_offers_are_sealed(move, sealed):
    assert ENGINE.is_sealed(move) == sealed


def test_a_reveal_shows_the_cowboys_of_a_bid_but_not_its_plan():
    assert ENGINE.revealed(Bid((1, 2), (Pick(1),))) == Bid((1, 2))
    assert ENGINE.revealed(Offer((1,))) == Offer((1,))
