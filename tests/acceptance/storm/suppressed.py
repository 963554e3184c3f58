"""Check that each suppressed notification was suppressed for a reason that was true at the time.

The check uses the stored moves and their times instead of what the service recorded about the seats.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from core import vault
from games.engine.proof import Replay
from games.selectors import history
from games.selectors.loading import LoadedMatch
from notifications.models import Notification, NotificationKind


@dataclass
class Question:
    """A question to one seat on one turn. It is open until the seat acts or gets another question."""

    seat: int
    turn: int
    asked_at: datetime
    ended_at: datetime | None = None


def questions(table: LoadedMatch) -> Iterator[Question]:
    """Yield a question for each time a player was asked to move."""
    match, engine = table.match, table.engine
    replay = Replay(engine, table.terms, vault.decrypt(match.encrypted_secret))
    assert match.started_at
    standing = {seat: Question(seat, replay.turn, match.started_at) for seat in engine.awaiting(replay.state)}
    for move in match.moves.order_by("number"):
        before = replay.turn
        replay.play(move.seat, engine.moves.load(history.content(move)))
        awaited = engine.awaiting(replay.state)
        for seat in [seat for seat in standing if replay.turn != before or seat not in awaited]:
            standing[seat].ended_at = move.made_at
            yield standing.pop(seat)
        standing |= {seat: Question(seat, replay.turn, move.made_at) for seat in awaited - standing.keys()}
    yield from standing.values()


def complaint_about(notification: Notification, table: LoadedMatch, asked: Sequence[Question]) -> str:
    """Return why this notification should not have been suppressed, or an empty string if suppressing it was right."""
    is_true = REASONS.get((NotificationKind(notification.kind), notification.why))
    if is_true is None:
        return f"{notification} was not sent: {notification.why}"
    own = [question for question in asked if question.seat == notification.seat]
    return (
        ""
        if is_true(notification, table, own)
        else f"{notification} was suppressed for a false reason: {notification.why}"
    )


def is_answered(notification: Notification, table: LoadedMatch, asked: Sequence[Question]) -> bool:
    ends = [question.ended_at for question in asked if question.turn == notification.turn]
    return any(end and end <= notification.due_at for end in ends)


def is_over(notification: Notification, table: LoadedMatch, asked: Sequence[Question]) -> bool:
    return table.match.ended_at is not None and table.match.ended_at <= notification.due_at


def is_seen(notification: Notification, table: LoadedMatch, asked: Sequence[Question]) -> bool:
    """Return whether the player had looked at the match.

    Only the latest visit is stored. These players visit only when it is their turn, so the check also requires that
    their turn had begun.
    """
    assert notification.seat is not None
    visited_at = table.seats[notification.seat].visited_at
    has_visited = visited_at is not None and visited_at > notification.created_at
    return has_visited and any(notification.created_at < question.asked_at <= notification.due_at for question in asked)


REASONS: dict[tuple[NotificationKind, str], Callable[[Notification, LoadedMatch, Sequence[Question]], bool]] = {
    (NotificationKind.YOUR_TURN, "It's no longer your turn."): is_answered,
    (NotificationKind.YOUR_TURN, "The match is over."): is_over,
    (NotificationKind.NEWS, "You've already seen it."): is_seen,
}
"""The allowed reasons for suppressing each kind of notification, and how to check each reason. All other kinds must be
sent."""
