"""Squares change their owner, and lakes with them."""

from msgspec.structs import replace

from games.engine.colorado_county.board import FLAGS, FREE, LAKES, OWNERS, mark
from games.engine.colorado_county.events import LakeChangedHands
from games.engine.colorado_county.lakes import holders_after
from games.engine.colorado_county.state import State
from games.engine.records import Event
from games.engine.tuples import put


def occupy(state: State, seat: int, squares: tuple[int, ...], happened: list[Event]) -> State:
    """Cubes from the reserve; one on a flag's square replaces the flag."""
    board = state.board
    flags = sum(board[square] in FLAGS for square in squares)
    for square in squares:
        board = mark(board, square, OWNERS[seat])
    cubes = put(state.cubes, seat, state.cubes[seat] - len(squares))
    occupied = replace(state, board=board, cubes=cubes, flags_aside=state.flags_aside + flags)
    return settle_lakes(occupied, squares, happened)


def hand_over(state: State, seller: int, buyer: int | None, square: int, happened: list[Event]) -> State:
    """The seller's cube goes back to the reserve; the buyer's, if there is one, takes its place."""
    board = mark(state.board, square, FREE if buyer is None else OWNERS[buyer])
    cubes = put(state.cubes, seller, state.cubes[seller] + 1)
    if buyer is not None:
        cubes = put(cubes, buyer, cubes[buyer] - 1)
    return settle_lakes(replace(state, board=board, cubes=cubes), (square,), happened)


def settle_lakes(state: State, changed: tuple[int, ...], happened: list[Event]) -> State:
    holders = holders_after(state.board, state.lakes, state.holders, state.seats, changed)
    if holders == state.holders:
        return state
    for value, before, after in zip(LAKES, state.holders, holders, strict=True):
        if before != after:
            happened.append(LakeChangedHands(int(value), after, before))
    return replace(state, holders=holders)
