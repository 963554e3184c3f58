"""Another position that a seat cannot tell from the true one: all that it may not know is dealt anew."""

from msgspec.structs import replace

from games.engine.colorado_county.geometry import FLAGS
from games.engine.colorado_county.moves import Answer, Bid, Offer, Pick, SealedMove
from games.engine.colorado_county.options import COWBOYS, MOST_WISHES
from games.engine.colorado_county.placements import picks
from games.engine.colorado_county.state import State
from games.engine.dice import Dice


def imagine(state: State, seat: int | None, dice: Dice) -> State:
    others = [other for other in range(state.seats) if other != seat]
    dealt = deal_cards_anew(deal_cowboys_anew(state, others, dice), dice)
    return decide_anew(dealt, others, dice)


def deal_cowboys_anew(state: State, others: list[int], dice: Dice) -> State:
    """How many cowboys each has is public, which ones is not."""
    hands = list(state.hands)
    known = {cowboy for seat, hand in enumerate(hands) if seat not in others for cowboy in hand}
    unknown = [cowboy for cowboy in range(1, COWBOYS + 1) if cowboy not in known]
    for other in others:
        coming, unknown = dice.draw(unknown, len(hands[other]))
        hands[other] = tuple(sorted(coming))
    return replace(state, hands=tuple(hands), bag=tuple(dice.shuffle(unknown)))


def deal_cards_anew(state: State, dice: Dice) -> State:
    """How many cards of each colour are in the deck can be counted, which ones and in which order is not known."""
    deck: list[str] = []
    stock = []
    for letter, cards in zip(FLAGS, state.stock, strict=True):
        in_deck = [card for card in state.deck if card[0] == letter]
        drawn, left = dice.draw(sorted((*cards, *in_deck)), len(in_deck))
        deck += drawn
        stock.append(tuple(left))
    return replace(state, stock=tuple(stock), deck=tuple(dice.shuffle(deck)))


def decide_anew(state: State, others: list[int], dice: Dice) -> State:
    """Who has committed is public; to what, and what they plan, is not."""
    sealed = list(state.sealed)
    plans = list(state.plans)
    for other in others:
        if sealed[other] is not None:
            sealed[other] = another_decision(state, other, dice)
        if other in state.order and other not in state.asked:
            plans[other] = another_plan(state, other, dice)
    return replace(state, sealed=tuple(sealed), plans=tuple(plans))


def another_decision(state: State, seat: int, dice: Dice) -> SealedMove:
    if state.phase == "interest":
        return Answer(interested=bool(dice.below(2)))
    if state.phase == "offers":
        return Offer(some_cowboys(state, seat, 1, dice))
    cowboys = some_cowboys(state, seat, 0, dice)
    return Bid(cowboys, another_plan(state, seat, dice) if cowboys else ())


def some_cowboys(state: State, seat: int, least: int, dice: Dice) -> tuple[int, ...]:
    hand = state.hands[seat]
    count = least + dice.below(len(hand) - least + 1)
    return tuple(sorted(dice.draw(hand, count)[0]))


def another_plan(state: State, seat: int, dice: Dice) -> tuple[Pick, ...]:
    wishes = picks(state, seat)
    return tuple(dice.draw(wishes, dice.below(min(MOST_WISHES, len(wishes)) + 1))[0])
