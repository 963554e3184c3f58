"""A bot that looks one step ahead, which is good enough for realistic playthroughs.

It uses only what its own seat may know: the board, the cards on offer and its own cowboys.
"""

from games.engine.colorado_county.flags import random_squares
from games.engine.colorado_county.geometry import FREE, OWNERS, SQUARES, mark, names, squares_with
from games.engine.colorado_county.lakes import holders_after
from games.engine.colorado_county.legality import selling_barred
from games.engine.colorado_county.placements import picks
from games.engine.colorado_county.scoring import score
from games.engine.colorado_county.state import (
    FLAGS_EACH,
    SALES_PER_ROUND,
    Answer,
    AnyMove,
    Bid,
    Offer,
    Pick,
    PlaceFlags,
    Sell,
    State,
    Withdraw,
)
from games.engine.dice import Dice

WISHES_PER_CARD = 3
LAND_ITSELF = 0.3
"""The value of any square in later rounds."""
FEW_COWBOYS = 4


def decide(state: State, seat: int, dice: Dice, *, plans: bool = True) -> AnyMove:
    if state.sealed[seat] is not None and dice.below(2):
        return Withdraw()
    if state.phase == "flags":
        return PlaceFlags(names(random_squares(state.board, FLAGS_EACH[state.seats], dice)))
    if state.phase == "picks":
        return best_picks(state, seat)[0]
    if state.phase == "interest":
        return Answer(interested=wants(state, seat))
    if state.phase == "offers":
        return Offer(state.hands[seat][: 1 if len(state.asked) == 1 else 1 + dice.below(2)])
    return land_to_sell(state, seat, dice) or bid(state, seat, dice, plans=plans)


def decide_at_times_without_a_plan(state: State, seat: int, dice: Dice) -> AnyMove:
    return decide(state, seat, dice, plans=dice.below(3) > 0)


def bid(state: State, seat: int, dice: Dice, *, plans: bool) -> Bid:
    """Bid more cowboys for better cards, and when fewer auctions are left."""
    hand, ranked = state.hands[seat], best_picks(state, seat)
    gain = worth(state, seat, ranked[0])
    auctions_left = len(state.deck) // len(state.turned_up) + 1
    count = min(len(hand), round(len(hand) / auctions_left * gain / 4) + dice.below(2))
    if count < 1 or gain < 1:
        return Bid()
    return Bid((*hand[: count - 1], hand[-1]), plan(ranked) if plans else ())


def plan(ranked: list[Pick]) -> tuple[Pick, ...]:
    """Return the best few picks of every card."""
    numbers = {pick.card for pick in ranked}
    liked = [pick for number in numbers for pick in [p for p in ranked if p.card == number][:WISHES_PER_CARD]]
    return tuple(pick for pick in ranked if pick in liked)


def best_picks(state: State, seat: int) -> list[Pick]:
    return sorted(picks(state, seat), key=lambda pick: worth(state, seat, pick), reverse=True)


def worth(state: State, seat: int, pick: Pick) -> float:
    squares = tuple(SQUARES[square] for square in pick.squares)
    return gain(state, seat, squares, OWNERS[seat]) + LAND_ITSELF * len(squares)


def gain(state: State, seat: int, squares: tuple[int, ...], letter: str) -> int:
    """Return how many more points this seat would get in this round if these squares had this letter."""
    board = state.board
    for square in squares:
        board = mark(board, square, letter)
    holders = holders_after(board, state.lakes, state.holders, state.seats, squares)
    now = score(state.board, state.holders, state.seats, state.round)
    return score(board, holders, state.seats, state.round)[seat].total - now[seat].total


def wants(state: State, seat: int) -> bool:
    assert state.sale
    return gain(state, seat, (state.sale.square,), OWNERS[seat]) > 1 and len(state.hands[seat]) > 1


def land_to_sell(state: State, seat: int, dice: Dice) -> Sell | None:
    """If few cowboys are left, sell the least valuable square."""
    own = squares_with(state.board, OWNERS[seat])
    if len(state.hands[seat]) > FEW_COWBOYS or selling_barred(state, seat) or not own or dice.below(SALES_PER_ROUND):
        return None
    least = max(own, key=lambda square: gain(state, seat, (square,), FREE))
    return Sell(names((least,))[0]) if gain(state, seat, (least,), FREE) > -2 else None
