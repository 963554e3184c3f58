"""Measure the CPU time and the size of "your turn" emails with everything they contain: links that play a move,
a reply address and the deadline as a calendar entry.

The emails show many different positions of matches with the most players. Each is written from freshly loaded rows, and
turned into the bytes that go to the mail server.
"""

from collections.abc import Iterator, Sequence
from statistics import median
from time import process_time
from typing import Any

from bench.document import target_line

SEATS = {"coloretto": 5, "colorado-county": 4}
MATCHES, ROUNDS = 4, 9
MOVES_MADE = {"coloretto": (2, 25, 60, 100), "colorado-county": (1, 14, 31, 60)}
MOST_MILLISECONDS = {"coloretto": 1.0, "colorado-county": 1.5}
MOST_KILOBYTES = {"coloretto": 15, "colorado-county": 35}


def figures() -> Iterator[str]:
    yield f'mails: the cost of a "your turn" email; CPU time, median of {ROUNDS} rounds, and the largest of all'
    for game in MOVES_MADE:
        ids = owe(game)
        messages = written(ids)
        spent = 1000 * median(seconds_each(ids) for _ in range(ROUNDS))
        largest = max(map(len, messages)) / 1000
        yield f"{game:<17}{spent:>6.2f} ms{largest:>8.1f} KB{len(ids):>6} emails, {SEATS[game]} players"
        yield target_line(
            f"{game}: {MOST_MILLISECONDS[game]} ms per email", f"{spent:.2f} ms", spent <= MOST_MILLISECONDS[game]
        )
        yield target_line(f"{game}: {MOST_KILOBYTES[game]} KB", f"{largest:.1f} KB", largest <= MOST_KILOBYTES[game])


def owe(game: str) -> list[int]:
    """Create a notification for each player whose turn it is, at different stages of several matches."""
    from django.utils import timezone

    from notifications.models import Notification
    from tests.games.builders import play_some, running_match

    now, owed = timezone.now(), []
    for number in range(MATCHES):
        for moves in MOVES_MADE[game]:
            table = play_some(
                running_match(game, SEATS[game], players=names(game, number)), moves, bytes([number]) * 32
            )
            asked = [seat for seat in table.seats if seat.awaited_since]
            owed += [
                Notification(
                    user=seat.user,
                    match=table.match,
                    seat=seat.number,
                    turn=table.match.turn,
                    kind="your_turn",
                    number=1000,
                    created_at=now,
                    due_at=now,
                )
                for seat in asked
            ]
    return [notification.pk for notification in Notification.objects.bulk_create(owed)]


def names(game: str, number: int) -> list[str]:
    return [f"{name}{game[-2:]}{number}" for name in ("anna", "ben", "charlotte", "dieter", "eva")]


def seconds_each(ids: Sequence[int]) -> float:
    from notifications.context import load

    contexts = load(ids)
    start = process_time()
    for context in contexts:
        as_bytes(context)
    return (process_time() - start) / len(contexts)


def written(ids: Sequence[int]) -> list[bytes]:
    from notifications.context import load

    return [as_bytes(context) for context in load(ids)]


def as_bytes(context: Any) -> bytes:
    from notifications.letters import write
    from notifications.mail.envelope import seal

    return seal(context, write(context)).as_bytes()
