"""Reconstruct past moves and boards from the stored moves."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from core import vault
from games.engine.proof import Replay
from games.models import Event, Move
from games.selectors import match_log
from games.selectors.loading import LoadedMatch
from games.shapes import Board, Boards


@dataclass
class Slot:
    move: Move
    made_at: datetime
    """The time at which the other players saw the move. They do not notice when a sealed move is replaced."""
    took_effect: bool
    """Whether the move took effect. Sealed moves that are pending, withdrawn or voided stay secret."""


def effective_slots(moves: Iterable[Move]) -> list[Slot]:
    """Replace each sealed move with its last version. `moves` must be in the order of their numbers."""
    slots: list[Slot] = []
    pending: dict[int, Slot] = {}
    for move in moves:
        if move.is_sealed and move.seat in pending:
            pending[move.seat].move = move
        else:
            slots.append(Slot(move, move.made_at, took_effect=not move.is_sealed))
            settle(move, slots[-1], pending)
        if move.closes_turn:
            for slot in pending.values():
                slot.took_effect = move.is_sealed
            pending = {}
    return slots


def settle(move: Move, slot: Slot, pending: dict[int, Slot]) -> None:
    """Make a sealed move pending. An open move withdraws the seat's pending move instead."""
    if move.is_sealed:
        pending[move.seat] = slot
    else:
        pending.pop(move.seat, None)


def content(move: Move) -> bytes:
    return vault.decrypt(move.content) if move.is_encrypted else move.content.encode()


def event_content(event: Event) -> bytes:
    return vault.decrypt(event.content) if event.is_encrypted else event.content.encode()


def nonce(move: Move) -> str:
    """Return the nonce of a sealed move, or an empty string for an open one."""
    return vault.decrypt(move.nonce).decode() if move.nonce and move.is_encrypted else move.nonce


def boards(loaded: LoadedMatch, seat: int | None, since: int, most: int) -> Boards:
    """Return the boards of the turns after `since`."""
    found: list[Board] = []
    for turn, state in positions(loaded):
        if turn > since and len(found) == most:
            return Boards(boards=found, more=True)
        if turn > since:
            view = loaded.engine.view(state, seat)
            found.append(Board(turn=turn, view=view, picture=loaded.engine.picture(view, loaded.names_for(seat))))
    return Boards(boards=found, more=False)


def positions(loaded: LoadedMatch) -> Iterator[tuple[int, Any]]:
    """Yield each turn with its starting position.

    Moves of the current turn are left out, because they may be sealed.
    """
    if not loaded.match.encrypted_state:
        return
    replay = Replay(loaded.engine, loaded.terms, vault.decrypt(loaded.match.encrypted_secret))
    yield replay.turn, replay.state
    for move in match_log.moves(loaded):
        if move.turn >= loaded.match.turn:
            break
        before = replay.turn
        replay.play(move.seat, loaded.engine.moves.load(content(move)))
        if replay.turn != before:
            yield replay.turn, replay.state
