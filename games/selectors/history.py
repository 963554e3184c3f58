"""What became of sealed moves, read from the moves in their order.

The table sees that a seat has sealed something, not what, nor that it was replaced. So the moves *as the table saw
them* have one slot for each time a seat came in, and a replacement goes into the slot that is there.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from core import vault
from games.models import Event, Move


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
    return vault.unlock(move.content) if move.is_sealed else move.content.encode()


def event_content(event: Event) -> bytes:
    return event.content.encode() if event.audience is None else vault.unlock(event.content)


def nonce(move: Move) -> str:
    """Empty for a move that is not sealed."""
    return vault.unlock(move.nonce).decode() if move.nonce else ""
