"""48 cards are played in four rounds. The deck of each round has three cards of each color."""

from collections import Counter

import pytest

from games.engine.colorado_county.events import CardsTurnedUp, CowboysDrawn, LakesLaid, RoundScored, RoundStarted
from games.engine.colorado_county.geometry import FLAGS
from games.engine.colorado_county.state import CARDS_OF, Options, State, colour
from games.engine.dice import Dice
from tests.games.engine.colorado_county.tables import ANN, BEN, ENGINE, after, bids, events, play, table
from tests.games.engine.playing import seed_of


def started(seats: int, number: int = 0) -> State:
    state: State = ENGINE.new_match(seats, Options(), Dice(seed_of("rounds", number))).state
    return state


def test_there_are_twelve_cards_of_each_color():
    assert list(CARDS_OF) == ["R", "G", "O", "B"]
    for letter, cards in CARDS_OF.items():
        assert Counter(card[1:] for card in cards) == {
            "00": 2,
            "10": 2,
            "20": 2,
            "30": 2,
            "11": 2,
            "21": 1,
            "12": 1,
        }
        assert all(colour(card) == letter for card in cards)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_each_player_starts_with_fifteen_cowboys_and_forty_cubes_and_tokens(seats):
    state = started(seats)
    assert [len(hand) for hand in state.hands] == [15] * seats
    assert len(state.bag) == 66 - 15 * seats
    assert state.cubes == (40,) * seats
    assert state.round == 1


def test_a_match_starts_with_lakes_and_cowboys_and_flags_and_cards():
    told = ENGINE.new_match(3, Options(), Dice(seed_of("begins"))).events
    assert isinstance(told[0], LakesLaid)
    assert [event for event in told if isinstance(event, CowboysDrawn)] == [CowboysDrawn(seat, 15) for seat in range(3)]
    assert isinstance(told[-1], CardsTurnedUp)


@pytest.mark.parametrize(("seats", "auctions"), [(2, 6), (3, 6), (4, 4)])
def test_a_round_has_three_cards_of_each_color(seats, auctions):
    state, seen = started(seats), Counter[str]()
    for _ in range(auctions):
        assert state.round == 1
        seen.update(colour(card) for card in state.turned_up)
        state = after(state, *bids(*["none"] * seats))
    assert seen == dict.fromkeys(FLAGS, 3)
    assert state.round == 2


def test_all_48_cards_are_used_exactly_once_in_four_rounds():
    state = started(4)
    while state.phase != "over":
        state = after(state, *bids(*["none"] * 4))
    assert Counter(state.discards) == Counter(card for cards in CARDS_OF.values() for card in cards)
    assert len(state.scores) == 4


def test_every_round_ends_with_scoring_and_starts_with_new_flags_and_no_sales():
    state = table(2, cards="R00", deck="", sales=(2, 1))
    told = events(state, *bids("none", "none"))
    kinds = [type(event) for event in told]
    assert kinds.index(RoundScored) < kinds.index(RoundStarted) < kinds.index(CardsTurnedUp)
    assert after(state, *bids("none", "none")).sales == (0, 0)


def test_cubes_stay_on_the_board_from_round_to_round():
    state = table(2, cards="R00", deck="", land={ANN: "A1", BEN: "O10"})
    following = after(state, *bids("none", "none"))
    assert (following.board[0], following.board[-1]) == ("a", "b")


def test_the_same_seed_deals_the_same_match_and_another_seed_deals_a_different_one():
    assert started(3, 1) == started(3, 1)
    assert started(3, 1) != started(3, 2)


def test_only_the_last_sealed_move_of_a_round_uses_dice():
    class NoDice(Dice):
        def word(self) -> int:
            raise AssertionError("dice were thrown")

    state = table(2, land={ANN: "A1"})
    assert play(state, ANN, "bid 1", NoDice(bytes(32))).quiet
    assert play(after(state, (ANN, "bid 1")), ANN, "withdraw", NoDice(bytes(32))).quiet
