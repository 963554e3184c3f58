"""Test the contract itself. An honest toy game passes, and each cheating game fails the test that should catch it."""

from dataclasses import dataclass

import pytest
from msgspec.structs import replace

from games.engine.base import Played
from games.engine.choices import Choices
from games.engine.errors import IllegalMove
from tests.games.engine import attempts
from tests.games.engine.contract import test_matches, test_moves, test_secrecy
from tests.games.engine.rules import rules_for_a_setup
from tests.games.engine.setups import FEW, MANY, SETUPS, Setup
from tests.toy_games.toy import Bid, Committed, Options, Toy, component_counts


@dataclass(frozen=True)
class ToySetup(Setup):
    toy: Toy = Toy()  # noqa: RUF009

    @property
    def engine(self):
        return self.toy


@pytest.fixture
def hold(monkeypatch):
    """Run one contract test on a toy game."""

    def hold_to(test, toy, *more, tries=MANY):
        setup = ToySetup("toy", 3, "", Options(), 1, component_counts, toy=toy, tries=tries)
        monkeypatch.setitem(SETUPS, "toy", [setup])
        attempts.forget()
        test(setup, *more)

    return hold_to


@pytest.mark.parametrize("test", list(rules_for_a_setup()), ids=lambda test: test.__name__)
def test_an_honest_game_keeps_the_contract(hold, test):
    hold(test, Toy())


class ShowsAnothersCard(Toy):
    def view(self, state, seat):
        return replace(super().view(state, seat), own_card=state.cards[0])


class ShowsTheDeckInItsChoices(Toy):
    def choices(self, state, seat):
        offered = super().choices(state, seat)
        return Choices(tuple(sorted(offered.moves, key=lambda bid: (bid.number + state.deck[0]) % 3)))


class TellsTheCardsInARefusal(Toy):
    def refusal(self, state, seat, move):
        refused = super().refusal(state, seat, move)
        return refused and IllegalMove(refused.code, refused.message, refused.hint, cards=state.cards)


class DrawsWhatItSawLast(Toy):
    """A game whose boards show more than the given view contains."""

    def view(self, state, seat):
        self.seen = state
        return super().view(state, seat)

    def board(self, view, names):
        return replace(super().board(view, names), status=f"{self.seen.deck}")


class ImaginesByTheTrueCards(Toy):
    def imagine(self, state, seat, dice):
        imagined = super().imagine(state, seat, dice)
        return imagined if state.over else replace(imagined, deck=dice.shuffle(state.deck))


class BidsByAnothersCardWhenTimeRunsOut(Toy):
    def on_timeout(self, state, seat):
        return Bid(1 + state.cards[(seat + 1) % 3] % 3)


class TellsASealedBid(Toy):
    def play(self, state, seat, move, dice):
        played = super().play(state, seat, move, dice)
        return played._replace(events=(Committed(seat, str(move.number)),)) if played.quiet else played


class TellsThatABidWasReplaced(Toy):
    """A game that advances the turn when a bid is replaced, which everybody can see."""

    def play(self, state, seat, move, dice):
        played = super().play(state, seat, move, dice)
        return played._replace(quiet=played.quiet and state.bids[seat] is None)


class SaysNothingOfWhatItShows(Toy):
    def play(self, state, seat, move, dice):
        return super().play(state, seat, move, dice)._replace(events=())


class RepeatsABidInMail(Toy):
    def mailable(self, view):
        return view


class LosesACard(Toy):
    def play(self, state, seat, move, dice):
        played = super().play(state, seat, move, dice)
        return played._replace(state=replace(played.state, deck=played.state.deck[1:]))


class LeavesASeatWithoutAChoice(Toy):
    def choices(self, state, seat):
        return super().choices(state, seat) if state.bids[seat] is None and seat != 2 else Choices()


class OffersWhatItRefuses(Toy):
    def choices(self, state, seat):
        offered = super().choices(state, seat)
        return Choices((*offered.moves, Bid(4))) if offered else offered


class HidesAnOffer(Toy):
    def choices(self, state, seat):
        return Choices(super().choices(state, seat).moves[:2])


class RollsItsOwnDice(Toy):
    rolled = 0

    def new_match(self, seats, options, dice):
        type(self).rolled += 1
        started = super().new_match(seats, options, dice)
        return Played(replace(started.state, deck=(*started.state.deck, self.rolled)), ())


@pytest.mark.parametrize(
    ("cheat", "test"),
    [
        (ShowsAnothersCard, test_secrecy.test_hidden_information_does_not_change_what_a_seat_gets),
        (ShowsTheDeckInItsChoices, test_secrecy.test_hidden_information_does_not_change_what_a_seat_gets),
        (BidsByAnothersCardWhenTimeRunsOut, test_secrecy.test_hidden_information_does_not_change_what_a_seat_gets),
        (DrawsWhatItSawLast, test_secrecy.test_hidden_information_does_not_change_a_seats_boards),
        (
            ImaginesByTheTrueCards,
            test_secrecy.test_an_imagined_position_depends_only_on_what_the_seat_knows_and_the_dice,
        ),
        (TellsTheCardsInARefusal, test_secrecy.test_refusals_do_not_reveal_hidden_information),
        (TellsASealedBid, test_secrecy.test_others_learn_only_that_a_sealed_move_was_made),
        (TellsThatABidWasReplaced, test_secrecy.test_nobody_learns_that_a_sealed_move_was_replaced),
        (
            SaysNothingOfWhatItShows,
            test_secrecy.test_a_view_contains_only_what_was_already_known_and_what_later_events_revealed,
        ),
        (RepeatsABidInMail, test_secrecy.test_emails_do_not_contain_the_players_own_sealed_move),
        (OffersWhatItRefuses, test_moves.test_every_offered_move_is_accepted),
        (HidesAnOffer, test_moves.test_every_other_move_is_refused_with_a_message_and_changes_nothing),
        (RollsItsOwnDice, test_matches.test_replaying_the_seed_and_the_moves_gives_the_same_bytes),
    ],
)
@pytest.mark.parametrize("tries", [MANY, FEW], ids=["many", "few"])
def test_the_contract_catches_every_cheat(hold, cheat, test, tries):
    with pytest.raises((AssertionError, IllegalMove)):
        hold(test, cheat(), tries=tries)


@pytest.mark.parametrize("cheat", [LosesACard, LeavesASeatWithoutAChoice])
def test_random_matches_catch_every_cheat(hold, cheat):
    test = test_matches.test_random_matches_never_get_stuck_and_keep_all_components_and_reach_an_outcome
    hold(test, Toy(), range(20))
    with pytest.raises(AssertionError):
        hold(test, cheat(), range(20))
