"""Boards and moves of the past, read from the moves in their order."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from core import vault
from games.engine.proof import Replay
from games.models import Event, Move
from games.selectors.loading import LoadedMatch
from games.shapes import Board, Boards


@dataclass
class Slot:
    move: Move
    came_to_bear: bool
    """False for a sealed move that waits, or that was taken back or voided: it must stay unknown."""


def as_the_table_saw(moves: Iterable[Move]) -> list[Slot]:
    """`moves` in the order of their numbers."""
    slots: list[Slot] = []
    waiting: dict[int, Slot] = {}
    for move in moves:
        if move.is_sealed and move.seat in waiting:
            waiting[move.seat].move = move
        else:
            slots.append(Slot(move, came_to_bear=not move.is_sealed))
            settle(move, slots[-1], waiting)
        if move.closes_turn:
            for slot in waiting.values():
                slot.came_to_bear = move.is_sealed
            waiting = {}
    return slots


def settle(move: Move, slot: Slot, waiting: dict[int, Slot]) -> None:
    """A new sealed move waits; any open move of the same seat takes its waiting one back."""
    if move.is_sealed:
        waiting[move.seat] = slot
    else:
        waiting.pop(move.seat, None)


def content(move: Move) -> bytes:
    return vault.decrypt(move.content) if move.is_sealed else move.content.encode()


def event_content(event: Event) -> bytes:
    return event.content.encode() if event.audience is None else vault.decrypt(event.content)


def nonce(move: Move) -> str:
    """Empty for a move that is not sealed."""
    return vault.decrypt(move.nonce).decode() if move.nonce else ""


def boards(loaded: LoadedMatch, seat: int | None, since: int, most: int) -> Boards:
    """Those of the turns after `since`."""
    found: list[Board] = []
    for turn, state in positions(loaded):
        if turn > since and len(found) == most:
            return Boards(boards=found, more=True)
        if turn > since:
            view = loaded.engine.view(state, seat)
            found.append(Board(turn=turn, view=view, picture=loaded.engine.picture(view, loaded.names)))
    return Boards(boards=found, more=False)


def positions(loaded: LoadedMatch) -> Iterator[tuple[int, Any]]:
    """Each turn with the position it began with. What is sealed or said on the present one has not come to bear."""
    if not loaded.match.encrypted_state:
        return
    replay = Replay(loaded.engine, loaded.terms, vault.decrypt(loaded.match.encrypted_secret))
    yield replay.turn, replay.state
    for move in loaded.match.moves.filter(turn__lt=loaded.match.turn).order_by("number"):
        before = replay.turn
        replay.play(move.seat, loaded.engine.moves.load(content(move)))
        if replay.turn != before:
            yield replay.turn, replay.state
