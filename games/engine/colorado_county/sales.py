"""For Sale: a player puts a square up for sale, the others say whether they want it, and those who do offer cowboys."""

from msgspec.structs import replace

from games.engine.colorado_county.auction import ask_for_bids
from games.engine.colorado_county.events import (
    InterestRevealed,
    LandFreed,
    LandPutUp,
    LandSold,
    OffersRevealed,
)
from games.engine.colorado_county.geometry import NAMES
from games.engine.colorado_county.holdings import Cowboys, draw_cowboys, hand_over, joined, strength, without
from games.engine.colorado_county.state import DRAWN_BY_SELLER, Answer, Offer, Sale, State
from games.engine.dice import Dice
from games.engine.records import Happened, put


def put_up(state: State, seller: int, square: int, dice: Dice, happened: Happened) -> State:
    returned = tuple([seat for seat, bid in enumerate(state.sealed) if bid is not None])
    happened.add(LandPutUp, seller, NAMES[square], returned)
    asked = replace(
        state,
        phase="interest",
        asked=able_to_buy(state, seller),
        sealed=state.nobody,
        tokens=put(state.tokens, seller, state.tokens[seller] - 1),
        tokens_in_box=state.tokens_in_box + 1,
        sales=put(state.sales, seller, state.sales[seller] + 1),
        sale=Sale(seller, square),
    )
    return asked if asked.asked else set_free(asked, dice, happened)


def able_to_buy(state: State, seller: int) -> tuple[int, ...]:
    """Return the players who can buy. A buyer needs a cowboy to give and a cube to place."""
    others = [seat for seat in range(state.seats) if seat != seller]
    return tuple([seat for seat in others if state.hands[seat] and state.cubes[seat]])


def resolve_answers(state: State, dice: Dice, happened: Happened) -> State:
    answers = [(seat, state.sealed[seat]) for seat in state.asked]
    interested = tuple([seat for seat, answer in answers if isinstance(answer, Answer) and answer.interested])
    happened.add(InterestRevealed, interested)
    if not interested:
        return set_free(state, dice, happened)
    return replace(state, phase="offers", asked=interested, sealed=state.nobody)


def resolve_offers(state: State, dice: Dice, happened: Happened) -> State:
    """Give the winner's whole offer to the seller. The other players keep their offers."""
    made = [(seat, state.sealed[seat]) for seat in state.asked]
    offers = {seat: offer.cowboys for seat, offer in made if isinstance(offer, Offer)}
    if len(offers) > 1:
        happened.add(OffersRevealed, tuple(offers), tuple(offers.values()))
    buyer = max(offers, key=lambda seat: strength(offers[seat]))
    return sell_to(state, buyer, offers[buyer], dice, happened)


def sell_to(state: State, buyer: int, cowboys: Cowboys, dice: Dice, happened: Happened) -> State:
    seller, square = the_sale(state)
    happened.add(LandSold, seller, buyer, NAMES[square], cowboys)
    hands = put(state.hands, buyer, without(state.hands[buyer], cowboys))
    hands = put(hands, seller, joined(hands[seller], cowboys))
    sold = hand_over(replace(state, hands=hands), seller, buyer, square, happened)
    return finish(sold, seller, dice, happened)


def set_free(state: State, dice: Dice, happened: Happened) -> State:
    seller, square = the_sale(state)
    happened.add(LandFreed, seller, NAMES[square])
    return finish(hand_over(state, seller, None, square, happened), seller, dice, happened)


def finish(state: State, seller: int, dice: Dice, happened: Happened) -> State:
    due = [DRAWN_BY_SELLER if seat == seller else 0 for seat in range(state.seats)]
    return ask_for_bids(draw_cowboys(replace(state, sale=None), due, dice, happened))


def the_sale(state: State) -> tuple[int, int]:
    if state.sale is None:
        raise ValueError("No land is for sale.")
    return state.sale.seller, state.sale.square
