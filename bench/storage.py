"""Measure how much space a finished match takes up in PostgreSQL, before and after it is archived.

The matches are played through the services, and an email is sent whenever somebody has to move. Everything that remains
of a match counts, including indexes: the match, its seats and invitations, and its moves, events and notifications or
their archives. Chat is left out, because it depends on the players, and so are rows that are deleted after some days
anyway: stream events and the stored results of requests.
"""

from collections.abc import Iterator
from functools import partial

from psycopg.errors import Diagnostic

from bench.scratch import NoServerError, database

FIRST, MATCHES = 4, 20
"""The number of matches to start with, and the number then added to measure growth."""
TARGETS = {"coloretto": 10, "colorado-county": 25}
TABLES = (
    "games_match",
    "games_seat",
    "games_invitation",
    "games_move",
    "games_event",
    "games_archivedlog",
    "notifications_notification",
    "notifications_archivednotifications",
)


def report() -> Iterator[str]:
    yield f"storage: KiB per finished match with 3 or 4 players, PostgreSQL; what {MATCHES} matches add"
    try:
        with database():
            yield f"{'':>20}{'before':>10}{'archived':>10}{'of it log':>12}{'notifications':>15}{'match, seats':>14}"
            for game, target in TARGETS.items():
                yield from measured(game, target)
    except NoServerError as missing:
        yield f"not measured: {missing}"


def measured(game: str, target: float) -> Iterator[str]:
    play(game, FIRST)
    archive()
    first = sizes()
    play(game, MATCHES)
    full = sizes()
    archive()
    last = sizes()
    before = sum(full.values()) - sum(first.values())
    added = {name: (last[name] - first[name]) / MATCHES / 1024 for name in TABLES}
    total = sum(added.values())
    log = added["games_archivedlog"] + added["games_move"] + added["games_event"]
    told = added["notifications_archivednotifications"] + added["notifications_notification"]
    yield (
        f"{game:>20}{before / MATCHES / 1024:>10.1f}{total:>10.1f}{log:>12.1f}{told:>15.1f}{total - log - told:>14.1f}"
    )
    result = "met" if total <= target else "MISSED"
    yield f"target: {game}: at most {target} KiB per archived match; reached {total:.1f}: {result}"


def play(game: str, count: int) -> None:
    """Play matches without waiting for the disk, because nothing here has to survive a power failure."""
    from django.conf import settings
    from django.core import mail
    from django.db import connection

    from core.rates import Rate
    from notifications.mail.sender import deliver_due
    from tests.games.builders import play_some, running_match

    settings.RATES = dict.fromkeys(settings.RATES, Rate(1_000_000, 60))
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    with connection.cursor() as cursor:
        cursor.execute("SET synchronous_commit TO off")
    for number in range(count):
        table = running_match(game, 3 + number % 2)
        while table.match.ended_at is None:
            table = play_some(table, 1, seed=bytes([number + 1]) * 32)
            deliver_due()
        mail.outbox = []


def archive() -> None:
    from datetime import timedelta

    from django.conf import settings
    from django.utils import timezone

    from games.services import archiving as games
    from notifications import archiving as notifications

    settings.ARCHIVE_AFTER = timedelta()
    games.archive_due(timezone.now())
    notifications.archive_due(timezone.now())


def is_vacuumed(table: str) -> bool:
    """Vacuum a table. Return False if dead rows remain because another transaction can still see them."""
    from django.db import connection

    said: list[str] = []

    def listen(notice: Diagnostic) -> None:
        said.append(notice.message_detail or "")

    with connection.cursor() as cursor:
        connection.connection.add_notice_handler(listen)
        cursor.execute(f"VACUUM (FULL, VERBOSE) {table}")
        connection.connection.remove_notice_handler(listen)
    return any(line.startswith("0 dead row versions cannot be removed") for line in said)


def sizes() -> dict[str, int]:
    """Return the size of each table with its indexes, without rows that were deleted or replaced."""
    from django.db import connection

    from tests.waiting import until

    with connection.cursor() as cursor:
        for table in TABLES:
            assert until(partial(is_vacuumed, table)), "Old transactions are still running."
        cursor.execute(
            "SELECT relname, pg_total_relation_size(oid) FROM pg_class WHERE relname = ANY(%s)", [list(TABLES)]
        )
        return dict(cursor.fetchall())
