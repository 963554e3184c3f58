"""Four rounds: flags and a deck at the start of each, points at its end."""

from msgspec.structs import replace

from games.engine.colorado_county import flags
from games.engine.colorado_county.auction import turn_up
from games.engine.colorado_county.board import SQUARES
from games.engine.colorado_county.events import (
    FlagsDrawn,
    FlagsPlaced,
    FlagsRevealed,
    MatchWon,
    RoundScored,
    RoundStarted,
)
from games.engine.colorado_county.options import CARDS_PER_COLOUR, ROUNDS
from games.engine.colorado_county.scoring import score
from games.engine.colorado_county.state import State
from games.engine.dice import Dice
from games.engine.records import Event


def start_round(state: State, number: int, dice: Dice, happened: list[Event]) -> State:
    happened.append(RoundStarted(number))
    drawn = [dice.draw(cards, CARDS_PER_COLOUR) for cards in state.stock]
    started = replace(
        state,
        round=number,
        sales=(0,) * state.seats,
        stock=tuple(tuple(left) for _, left in drawn),
        deck=tuple(dice.shuffle([card for cards, _ in drawn for card in cards])),
        board=flags.without_flags(state.board),
        flags_aside=state.flags_aside + flags.count(state.board),
        sealed=state.nobody,
    )
    if state.options.flags == "players":
        return replace(started, phase="flags", asked=(first_to_place(started),))
    board = flags.lay_by_lot(started.board, dice)
    happened.append(FlagsDrawn(flags.by_colour(board)))
    return turn_up(replace(started, board=board, flags_aside=0), happened)


def first_to_place(state: State) -> int:
    """One seat further each round (house)."""
    return (state.round - 1) % state.seats


def place_flags(state: State, seat: int, squares: tuple[str, ...], dice: Dice, happened: list[Event]) -> State:
    happened.append(FlagsPlaced(seat, squares))
    board = flags.face_down(state.board, [SQUARES[square] for square in squares])
    placed = replace(state, board=board, flags_aside=state.flags_aside - len(squares))
    if placed.flags_aside:
        return replace(placed, asked=((seat + 1) % state.seats,))
    board = flags.turn_up(board, dice)
    happened.append(FlagsRevealed(flags.by_colour(board)))
    return turn_up(replace(placed, board=board), happened)


def go_on(state: State, dice: Dice, happened: list[Event]) -> State:
    """After an auction: the next cards, or the end of the round."""
    return turn_up(state, happened) if state.deck else end_round(state, dice, happened)


def end_round(state: State, dice: Dice, happened: list[Event]) -> State:
    scores = score(state.board, state.holders, state.seats, state.round)
    scored = replace(state, scores=(*state.scores, scores))
    happened.append(RoundScored(state.round, scores, scored.totals))
    if state.round < ROUNDS:
        return start_round(scored, state.round + 1, dice, happened)
    best = max(scored.totals)
    winners = tuple(seat for seat, points in enumerate(scored.totals) if points == best)
    happened.append(MatchWon(winners, scored.totals))
    return replace(scored, phase="over", asked=())
