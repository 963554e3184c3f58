"""A match's boards from its first turn on, as one seat saw them.

They are played anew from the seed and the moves, and shown as each turn began. By then all that was sealed on the turn
before had come to bear, so they tell nothing that the seat, or the public, was not shown at the time.
"""

from collections.abc import Iterator
from typing import Any

from core import vault
from games.engine.proof import Replay
from games.selectors import history
from games.selectors.loading import LoadedMatch
from games.shapes import Board, Boards


def boards(table: LoadedMatch, seat: int | None, since: int, most: int) -> Boards:
    """Those of the turns after `since`."""
    found: list[Board] = []
    for turn, state in positions(table):
        if turn > since and len(found) == most:
            return Boards(boards=found, more=True)
        if turn > since:
            view = table.engine.view(state, seat)
            found.append(Board(turn=turn, view=view, picture=table.engine.picture(view, table.names)))
    return Boards(boards=found, more=False)


def positions(table: LoadedMatch) -> Iterator[tuple[int, Any]]:
    """Each turn with the position it began with. What is sealed or said on the present one has not come to bear."""
    if not table.match.locked_state:
        return
    replay = Replay(table.engine, table.terms, vault.unlock(table.match.locked_secret))
    yield replay.turn, replay.state
    for move in table.match.moves.filter(turn__lt=table.match.turn).order_by("number"):
        before = replay.turn
        replay.play(move.seat, table.engine.moves.load(history.content(move)))
        if replay.turn != before:
            yield replay.turn, replay.state
