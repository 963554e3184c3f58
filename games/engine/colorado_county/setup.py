"""Set up a match, and imagine positions that look the same to a seat."""

from msgspec.structs import replace

from games.engine.base import Played
from games.engine.colorado_county.events import LakesLaid
from games.engine.colorado_county.flags import ALL_FLAGS
from games.engine.colorado_county.geometry import FLAGS, FREE, LAKES, SIZE, mark, names
from games.engine.colorado_county.holdings import draw_cowboys
from games.engine.colorado_county.lakes import Lakes, lay_lakes
from games.engine.colorado_county.placements import picks
from games.engine.colorado_county.rules import start_round
from games.engine.colorado_county.state import (
    CARDS_OF,
    COWBOYS,
    CUBES,
    LONGEST_PLAN,
    STARTING_COWBOYS,
    TOKENS,
    TOKENS_IN_THE_BOX,
    Answer,
    Bid,
    Offer,
    Options,
    Pick,
    SealedMove,
    State,
)
from games.engine.dice import Dice
from games.engine.records import Happened


def new_match(seats: int, options: Options, dice: Dice) -> Played[State]:
    lakes = lay_lakes(dice)
    happened = Happened()
    happened.add(LakesLaid, tuple(map(names, lakes)))
    state = draw_cowboys(from_the_box(seats, options, lakes), [STARTING_COWBOYS] * seats, dice, happened)
    return Played(start_round(state, 1, dice, happened), tuple(happened))


def from_the_box(seats: int, options: Options, lakes: Lakes) -> State:
    """Return the empty table, before anything is dealt."""
    return State(
        options=options,
        seats=seats,
        round=0,
        phase="bids",
        asked=(),
        sealed=(None,) * seats,
        board=board_with(lakes),
        lakes=lakes,
        holders=(None,) * len(lakes),
        hands=((),) * seats,
        bag=tuple(range(1, COWBOYS + 1)),
        cubes=(CUBES,) * seats,
        tokens=(TOKENS[seats],) * seats,
        tokens_in_box=TOKENS_IN_THE_BOX - seats * TOKENS[seats],
        sales=(0,) * seats,
        flags_aside=len(ALL_FLAGS),
        stock=tuple(CARDS_OF.values()),
        deck=(),
        turned_up=(),
        takers=(),
        discards=(),
    )


def board_with(lakes: Lakes) -> str:
    board = FREE * SIZE
    for value, squares in zip(LAKES, lakes, strict=True):
        for square in squares:
            board = mark(board, square, value)
    return board


def imagine(state: State, seat: int | None, dice: Dice) -> State:
    others = [other for other in range(state.seats) if other != seat]
    dealt = deal_cards_anew(deal_cowboys_anew(state, others, dice), dice)
    return decide_anew(dealt, others, dice)


def deal_cowboys_anew(state: State, others: list[int], dice: Dice) -> State:
    """Deal the hidden cowboys again. Only the number of each player's cowboys is public."""
    hands = list(state.hands)
    known = {cowboy for seat, hand in enumerate(hands) if seat not in others for cowboy in hand}
    unknown = [cowboy for cowboy in range(1, COWBOYS + 1) if cowboy not in known]
    for other in others:
        coming, unknown = dice.draw(unknown, len(hands[other]))
        hands[other] = tuple(sorted(coming))
    return replace(state, hands=tuple(hands), bag=tuple(dice.shuffle(unknown)))


def deal_cards_anew(state: State, dice: Dice) -> State:
    """Deal the hidden cards again.

    Only the number of cards of each color in the deck is public, not their patterns and order.
    """
    deck: list[str] = []
    stock = []
    for letter, cards in zip(FLAGS, state.stock, strict=True):
        in_deck = [card for card in state.deck if card[0] == letter]
        drawn, left = dice.draw(sorted((*cards, *in_deck)), len(in_deck))
        deck += drawn
        stock.append(tuple(left))
    return replace(state, stock=tuple(stock), deck=tuple(dice.shuffle(deck)))


def decide_anew(state: State, others: list[int], dice: Dice) -> State:
    """Replace hidden decisions with made-up ones. Everyone can see who has decided, but not their moves or plans."""
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
    possible = picks(state, seat)
    return tuple(dice.draw(possible, dice.below(min(LONGEST_PLAN, len(possible)) + 1))[0])
