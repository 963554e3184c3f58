"""A move: what it changes, and what follows once the last sealed move of a round is in."""

from msgspec.structs import replace

from games.engine.base import Played
from games.engine.colorado_county import auction, rounds, sales
from games.engine.colorado_county.board import NAMES, SQUARES
from games.engine.colorado_county.events import Committed, Withdrawn
from games.engine.colorado_county.flags import first_squares
from games.engine.colorado_county.legality import refusal
from games.engine.colorado_county.moves import (
    Answer,
    AnyMove,
    Bid,
    Offer,
    Pick,
    PlaceFlags,
    SealedMove,
    Sell,
    Withdraw,
)
from games.engine.colorado_county.options import FLAGS_EACH
from games.engine.colorado_county.placements import picks
from games.engine.colorado_county.state import State, all_committed
from games.engine.dice import Dice
from games.engine.records import Event
from games.engine.tuples import put


def play(state: State, seat: int, move: AnyMove, dice: Dice) -> Played[State]:
    refused = refusal(state, seat, move)
    if refused:
        raise refused
    if isinstance(move, SealedMove):
        return commit(state, seat, move, dice)
    if isinstance(move, Withdraw):
        return Played(replace(state, sealed=put(state.sealed, seat, None)), (Withdrawn(seat),), quiet=True)
    happened: list[Event] = []
    return Played(act(state, seat, move, dice, happened), tuple(happened))


def commit(state: State, seat: int, move: SealedMove, dice: Dice) -> Played[State]:
    """That somebody commits for the first time is public; that they think again is not."""
    committed = replace(state, sealed=put(state.sealed, seat, move))
    if not all_committed(committed):
        first = state.sealed[seat] is None
        return Played(committed, (Committed(seat),) if first else (), quiet=True)
    happened: list[Event] = []
    return Played(resolve(committed, dice, happened), tuple(happened))


def resolve(state: State, dice: Dice, happened: list[Event]) -> State:
    """The last sealed move is in."""
    if state.phase == "interest":
        return sales.hear_answers(state, dice, happened)
    if state.phase == "offers":
        return sales.judge_offers(state, dice, happened)
    return go_on_picking(auction.reveal_bids(state, happened), dice, happened)


def act(state: State, seat: int, move: PlaceFlags | Pick | Sell, dice: Dice, happened: list[Event]) -> State:
    if isinstance(move, PlaceFlags):
        return rounds.place_flags(state, seat, move.squares, dice, happened)
    if isinstance(move, Sell):
        return sales.put_up(state, seat, SQUARES[move.square], dice, happened)
    return go_on_picking(auction.take_card(state, seat, move, happened), dice, happened)


def go_on_picking(state: State, dice: Dice, happened: list[Event]) -> State:
    state = auction.play_plans(state, happened)
    if state.asked:
        return state
    return rounds.go_on(auction.close(state, dice, happened), dice, happened)


def on_timeout(state: State, seat: int) -> AnyMove:
    """Keep the absent player's cowboys and land. Only a card already paid for is used: the one that allows most cubes,
    of equal ones the first, because those who paid would rather have land than nothing."""
    if state.phase == "flags":
        squares = first_squares(state.board, FLAGS_EACH[state.seats])
        return PlaceFlags(tuple(NAMES[square] for square in squares))
    if state.phase == "picks":
        return max(picks(state, seat), key=lambda pick: len(pick.squares))
    if state.phase == "interest":
        return Answer(interested=False)
    if state.phase == "offers":
        return Offer(state.hands[seat][:1])
    return Bid()
