"""Bids, plans, hands, the bag, decks and answers stay hidden.

The contract compares random positions. These tests check the most important cases one by one.
"""

import pytest
from msgspec.structs import replace

from games.engine.colorado_county.state import Answer, Bid, Offer, Options, State
from games.engine.dice import Dice
from games.engine.names import Names
from games.engine.records import seen_by
from tests.games.engine.colorado_county.tables import ANN, BEN, CLEO, ENGINE, after, bids, play, refused, table
from tests.games.engine.playing import seed_of

EVERYBODY_BUT_BEN = (ANN, CLEO, None)


def all_that(state: State, seat: int | None) -> bytes:
    choices = None if seat is None else ENGINE.choices(state, seat)
    picture = ENGINE.picture(ENGINE.view(state, seat), Names(("Ann", "Ben", "Cleo"), seat))
    return ENGINE.views.dump(ENGINE.view(state, seat)) + repr((choices, picture)).encode()


def assert_alike_but_for_ben(one: State, other: State) -> None:
    assert all_that(one, BEN) != all_that(other, BEN)
    for seat in EVERYBODY_BUT_BEN:
        assert all_that(one, seat) == all_that(other, seat)


def bidding() -> State:
    return table(flags={"R": "A1 O10"}, land={ANN: "C1"})


def test_a_sealed_bid_is_hidden_from_others():
    assert_alike_but_for_ben(after(bidding(), (BEN, "bid 16 17")), after(bidding(), (BEN, "bid none")))


def test_a_plan_is_hidden_like_the_bid():
    planned, plain = after(bidding(), (BEN, "bid 16 plan 1 A1")), after(bidding(), (BEN, "bid 16"))
    assert_alike_but_for_ben(planned, plain)


def test_replacing_a_bid_leaves_no_trace():
    once = play(bidding(), BEN, "bid 16 17")
    again = play(play(bidding(), BEN, "bid none").state, BEN, "bid 16 17")
    assert again.state == once.state
    assert again.events == ()
    assert again.quiet


def test_answers_are_secret_until_everyone_has_answered():
    state = after(bidding(), (ANN, "sell C1"))
    assert_alike_but_for_ben(after(state, (BEN, "interested")), after(state, (BEN, "not interested")))


def test_offers_are_secret_until_everyone_has_offered():
    state = after(bidding(), (ANN, "sell C1"), (BEN, "interested"), (CLEO, "interested"))
    assert_alike_but_for_ben(after(state, (BEN, "offer 16")), after(state, (BEN, "offer 29 30")))


def test_a_bid_returned_by_a_sale_is_never_shown():
    sold = [play(after(bidding(), (BEN, bid)), ANN, "sell C1") for bid in ("bid 16 17 plan 1 A1", "bid none")]
    assert sold[0] == sold[1]


def test_a_plan_that_has_not_been_used_yet_is_secret():
    waiting, plain = (after(bidding(), *bids("1 2", bid, "none")) for bid in ("16 plan 1 A1", "16"))
    assert waiting.asked == plain.asked == (ANN,)
    assert_alike_but_for_ben(waiting, plain)


def test_hands_are_secret_but_their_size_is_public():
    other = replace(bidding(), hands=(bidding().hands[ANN], tuple(range(52, 67)), bidding().hands[CLEO]))
    assert_alike_but_for_ben(bidding(), other)
    assert ENGINE.view(bidding(), ANN).players[BEN].cowboys == 15


@pytest.mark.parametrize("seat", [ANN, BEN, CLEO, None])
def test_the_bag_and_the_decks_are_hidden_from_everybody(seat):
    state = bidding()
    other = replace(
        state, bag=state.bag[::-1], deck=state.deck[::-1], stock=tuple(cards[::-1] for cards in state.stock)
    )
    assert all_that(state, seat) == all_that(other, seat)


def test_only_the_player_who_draws_sees_which_cowboys_came_out_of_the_bag():
    events = play(after(bidding(), (ANN, "bid 1 2"), (BEN, "bid none")), CLEO, "bid 31")
    played = play(play(events.state, ANN, "pick 1 nothing").state, CLEO, "pick 2 nothing")
    told = {seat: repr(seen_by(played.events, seat)) for seat in (ANN, BEN, CLEO, None)}
    assert "CowboysSeen" in told[BEN]
    assert all("CowboysSeen" not in told[seat] and "count=2" in told[seat] for seat in EVERYBODY_BUT_BEN)


def test_refusals_do_not_reveal_what_others_have_decided():
    committed, waiting = after(bidding(), (BEN, "bid 16")), after(bidding(), (BEN, "bid none"))
    for written in ("bid 16", "pick 1 A1", "sell A1", "withdraw"):
        one, other = refused(committed, ANN, written), refused(waiting, ANN, written)
        assert (one.code, one.message, one.hint, one.data) == (other.code, other.message, other.hint, other.data)


def test_imagined_positions_are_always_possible():
    """Otherwise, the contract might compare impossible positions."""
    states = [
        after(bidding(), (BEN, "bid 16 17 plan 1 A1"), (CLEO, "bid none")),
        after(bidding(), (ANN, "sell C1"), (BEN, "interested")),
        after(bidding(), (ANN, "sell C1"), (BEN, "interested"), (CLEO, "interested"), (BEN, "offer 20")),
    ]
    for number, state in enumerate(states):
        other = ENGINE.imagine(state, ANN, Dice(seed_of("imagined", number)))
        empty = replace(other, sealed=(None, None, None))
        assert [move is None for move in other.sealed] == [move is None for move in state.sealed]
        assert all(not move or ENGINE.refusal(empty, seat, move) is None for seat, move in enumerate(other.sealed))


def test_bids_and_plans_and_answers_and_offers_vary_in_imagined_positions():
    def imagined(state: State) -> list[object]:
        worlds = [ENGINE.imagine(state, ANN, Dice(seed_of("reach", number))) for number in range(40)]
        return [world.sealed[BEN] for world in worlds]

    bids_of_ben = imagined(after(bidding(), (BEN, "bid 16")))
    assert Bid() in bids_of_ben
    assert any(isinstance(bid, Bid) and bid.plan for bid in bids_of_ben)
    answers = imagined(after(bidding(), (ANN, "sell C1"), (BEN, "interested")))
    assert {answer.interested for answer in answers if isinstance(answer, Answer)} == {True, False}
    offers = imagined(after(bidding(), (ANN, "sell C1"), (BEN, "interested"), (CLEO, "interested"), (BEN, "offer 20")))
    assert len({offer.cowboys for offer in offers if isinstance(offer, Offer)}) > 10


def test_even_the_position_does_not_contain_the_colors_of_face_down_flags():
    state = table(options=Options(flags="players"), phase="flags", asked=(ANN,))
    placed = after(state, (ANN, "flags A1 C1 E1 G1"))
    assert not set("RGOB") & set(placed.board)


def test_emails_do_not_contain_sealed_moves():
    committed = after(bidding(), (BEN, "bid 16 plan 1 A1"))
    letter = ENGINE.mailable(ENGINE.view(committed, BEN))
    assert (letter.sealed, letter.plan) == (None, ())
    assert letter.players[BEN].committed
