"""Resolve an auction: reveal the bids, pick and play cards, and hand out the consolation."""

from collections.abc import Sequence

from msgspec.structs import replace

from games.engine.colorado_county.events import BidsRevealed, CardPicked, CardsDiscarded, CardsTurnedUp
from games.engine.colorado_county.geometry import SQUARES, names
from games.engine.colorado_county.holdings import Cowboys, draw_cowboys, occupy, strength, without
from games.engine.colorado_county.placements import is_possible
from games.engine.colorado_county.state import CARDS_TURNED_UP, CONSOLATION, CONSOLATION_FOR_NONE, Bid, Pick, State
from games.engine.dice import Dice
from games.engine.records import Happened, put

EVERYBODY = tuple(tuple(range(seats)) for seats in range(5))


def turn_up(state: State, happened: Happened) -> State:
    count = CARDS_TURNED_UP[state.seats]
    cards, deck = state.deck[:count], state.deck[count:]
    happened.add(CardsTurnedUp, cards, len(deck))
    return ask_for_bids(replace(state, deck=deck, turned_up=cards, takers=(None,) * count))


def ask_for_bids(state: State) -> State:
    return replace(state, phase="bids", asked=EVERYBODY[state.seats], sealed=state.nobody)


def order_of_picks(bids: Sequence[Cowboys]) -> list[int]:
    """Return the seats that bid something, starting with the strongest bid."""
    bidders = [seat for seat, bid in enumerate(bids) if bid]
    return sorted(bidders, key=lambda seat: strength(bids[seat]), reverse=True)


def reveal_bids(state: State, happened: Happened) -> State:
    """Reveal the bids, and put all cowboys that were bid back into the bag, no matter who won."""
    committed = [bid if isinstance(bid, Bid) else Bid() for bid in state.sealed]
    bids = tuple([bid.cowboys for bid in committed])
    order = tuple(order_of_picks(bids)[: len(state.turned_up)])
    happened.add(BidsRevealed, bids, order)
    return replace(
        state,
        phase="picks",
        asked=(),
        sealed=state.nobody,
        hands=tuple([without(hand, bid) for hand, bid in zip(state.hands, bids, strict=True)]),
        bag=sum(bids, state.bag),
        revealed=bids,
        order=order,
        plans=tuple([bid.plan if seat in order else () for seat, bid in enumerate(committed)]),
    )


def play_plans(state: State, happened: Happened) -> State:
    """Make planned picks until a player has to choose or all picks are made."""
    while state.order:
        seat = state.order[0]
        pick = first_possible(state, seat)
        if pick is None:
            return replace(state, asked=(seat,), plans=put(state.plans, seat, ()))
        state = take_card(state, seat, pick, happened)
    return state


def first_possible(state: State, seat: int) -> Pick | None:
    for pick in state.plans[seat]:
        if is_possible(state, seat, pick):
            return pick
    return None


def take_card(state: State, seat: int, pick: Pick, happened: Happened) -> State:
    squares = tuple([SQUARES[square] for square in pick.squares])
    happened.add(card_picked, seat, pick.card, state.turned_up, squares)
    taken = replace(
        state,
        asked=(),
        takers=put(state.takers, pick.card - 1, seat),
        order=state.order[1:],
        plans=put(state.plans, seat, ()),
    )
    return occupy(taken, seat, squares, happened)


def card_picked(seat: int, number: int, turned_up: tuple[str, ...], squares: tuple[int, ...]) -> CardPicked:
    return CardPicked(seat, number, turned_up[number - 1], names(squares))


def close(state: State, dice: Dice, happened: Happened) -> State:
    unused = tuple([card for card, taker in zip(state.turned_up, state.takers, strict=True) if taker is None])
    if unused:
        happened.add(CardsDiscarded, unused)
    closed = replace(state, turned_up=(), takers=(), plans=(), discards=state.discards + state.turned_up)
    return draw_cowboys(closed, consolation(state.revealed, state.options.consolation), dice, happened)


def consolation(bids: Sequence[Cowboys], rule: str) -> list[int]:
    """Return how many cowboys each seat draws.

    Seats that bid no cowboys draw some. If every seat bid something, only the lowest bidder draws.
    """
    if () in bids:
        return [0 if bid else CONSOLATION_FOR_NONE for bid in bids]
    lowest = min(bids, key=strength)
    return [CONSOLATION[rule] if bid == lowest else 0 for bid in bids]
