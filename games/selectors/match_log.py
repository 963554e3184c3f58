"""Read the moves and events of a match, from their rows or from the archive.

All other code reads past moves and events through this module. The archive replaces the rows in one transaction, so a
query finds either all rows or none.
"""

from collections import defaultdict
from collections.abc import Iterable
from functools import lru_cache
from typing import TypeVar

from django.db.models import Q

from core import sql
from games.models import ArchivedLog, Event, Move
from games.selectors import packed_log
from games.selectors.loading import LoadedMatch

Row = TypeVar("Row", Move, Event)


def moves(loaded: LoadedMatch) -> list[Move]:
    """Return all moves in order."""
    stored = [] if loaded.match.is_archived else list(loaded.match.moves.order_by("number"))
    return stored or archived(loaded)[0]


def events(
    loaded: LoadedMatch,
    *,
    after: int = 0,
    before: int | None = None,
    turn: int | None = None,
    after_turn: int = -1,
    newest_first: bool = False,
    most: int | None = None,
) -> list[Event]:
    """Return the events whose numbers and turns are within these ranges, in order or newest first."""
    wanted = Q(number__gt=after)
    if before is not None:
        wanted &= Q(number__lt=before)
    if turn is not None:
        wanted &= Q(turn=turn)
    if after_turn >= 0:
        wanted &= Q(turn__gt=after_turn)
    if not loaded.match.is_archived:
        rows = loaded.match.events.filter(wanted).order_by("-number" if newest_first else "number")
        if stored := list(rows[:most]):
            return stored
    found = [
        event
        for event in archived(loaded)[1]
        if event.number > after
        and (before is None or event.number < before)
        and (turn is None or event.turn == turn)
        and event.turn > after_turn
    ]
    return found[::-1][:most] if newest_first else found[:most]


def events_after(wanted: Iterable[tuple[LoadedMatch, int]]) -> dict[str, list[Event]]:
    """Return the events of several matches, each after its own number, with one query."""
    wanted = list(wanted)
    found: dict[str, list[Event]] = defaultdict(list)
    ranges = sql.filled((loaded.match.pk, after) for loaded, after in wanted)
    parameters = [value for each in ranges for value in each or (None, None)]
    for event in events_in(len(ranges)).rows(parameters) if wanted else ():
        found[event.match_id].append(event)
    for loaded, after in wanted:
        if loaded.match.pk not in found:
            found[loaded.match.pk] = [event for event in archived(loaded)[1] if event.number > after]
    return found


@lru_cache(maxsize=16)
def events_in(count: int) -> sql.Select[Event]:
    """Select the events of this many matches. The parameters are each match's ID and the number before its first
    event."""
    ranges = ", ".join(["(CAST(%s AS text), CAST(%s AS integer))"] * count)
    return sql.Select(
        Event,
        f', (VALUES {ranges}) wanted WHERE one."match_id" = wanted.column1 AND one."number" > wanted.column2 '
        'ORDER BY one."number"',
    )


def archived(loaded: LoadedMatch) -> packed_log.Log:
    """Return the moves and events from the archive.

    They are empty if there is no archive, because the match is still running or ended only recently.
    """
    if loaded.archived is None and loaded.match.ended_at:
        stored = ArchivedLog.objects.filter(match=loaded.match.pk).first()
        loaded.archived = packed_log.unpack(loaded, bytes(stored.content)) if stored else None
    return loaded.archived or ([], [])
