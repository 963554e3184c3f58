"""Measure the clock's sweep with ten thousand and with a million running matches, of which a thousand are due.

One pass sends reminders, and another plays for players who have timed out. The floor gets a list of the matches that
are due. It does the same reads and writes by primary key, in transactions of the same size, without the rules. Each
pass uses a thousand other matches.
"""

from collections.abc import Callable, Iterator
from time import perf_counter
from typing import Any

from bench.scratch import NoServerError, analyse, copy_rows, database

SIZES = (10_000, 1_000_000)
SEATS, DUE = 3, 1_000
TAKEN = 2 * DUE
"""How many matches are made due at each size.

The sweep and the floor get matches for a reminder, then for a time-out.
"""
TARGET = 1.25
MADE = {"seat": 0, "source": "time_out", "is_sealed": False, "closes_turn": True}

Pass = Callable[[list[str]], None]


def report() -> Iterator[str]:
    yield f"clock: a sweep with {DUE:,} matches due, PostgreSQL, wall-clock milliseconds"
    try:
        with database():
            yield f"{'matches':>10}{'remind':>9}{'floor':>9}{'time out':>10}{'floor':>9}   plan"
            figures = []
            for size in grow():
                figures.append(measured())
                remind, remind_floor, time_out, time_out_floor = figures[-1]
                columns = f"{remind:>9.0f}{remind_floor:>9.0f}{time_out:>10.0f}{time_out_floor:>9.0f}"
                yield f"{size:>10,}{columns}   {plan()}"
            few, many = figures
            yield growth("reminding", few[:2], many[:2])
            yield growth("timing out", few[2:], many[2:])
    except NoServerError as missing:
        yield f"not measured: {missing}"


def growth(what: str, few: list[float], many: list[float]) -> str:
    """The floor does no searching, so its growth is due to the machine alone."""
    ours, floor = (after / before for before, after in zip(few, many, strict=True))
    share = ours / floor
    met = "met" if share <= TARGET else "MISSED"
    asked = f"{what} slows down at most {TARGET} times as much as its floor"
    return f"target: {asked}; {ours:.2f} / {floor:.2f} = {share:.2f}: {met}"


def grow() -> Iterator[int]:
    """Fill the database to each size in turn. Only matches that will be due need a position."""
    from games.models import Match
    from tests.games.builders import play_some, running_match

    table = play_some(running_match("coloretto", SEATS), 3)
    filled, position = 0, f"CASE WHEN n <= {TAKEN} THEN t.encrypted_state ELSE '' END"
    for size in SIZES:
        copy_rows(table.match, size - filled, id=f"'m' || n + {filled}", encrypted_state=position)
        for seat in table.seats:
            later = f"now() + interval '1 day' + (n + {filled}) * interval '1 second'" if seat.wake_at else "NULL"
            copy_rows(seat, size - filled, match_id=f"'m' || n + {filled}", deadline=later, wake_at=later)
        filled = size
        analyse()
        yield size
    assert Match.objects.count() == filled + 1


def measured() -> list[float]:
    """Return the milliseconds for each pass: reminders, their floor, time-outs, their floor."""
    return [
        timed(0.5, by_sweep, "reminder"),
        timed(0.5, floor_of_reminding, "reminder"),
        timed(1.0, by_sweep, "deadline_passed"),
        timed(1.0, floor_of_timing_out, "deadline_passed"),
    ]


def timed(share: float, work: Pass, kind: str) -> float:
    """Return the milliseconds for one pass. It must find exactly the due matches and notify somebody in each."""
    from notifications.models import Notification

    match_ids = make_due(share, kind)
    told = Notification.objects.filter(kind=kind, match__in=match_ids).values("match").distinct()
    start = perf_counter()
    work(match_ids)
    spent = 1000 * (perf_counter() - start)
    assert told.count() == DUE
    return spent


def make_due(share: float, kind: str) -> list[str]:
    """Let this share of the time pass in a thousand matches that do not have this kind of notification yet."""
    from django.db.models import F
    from django.utils import timezone

    from clock.models import Heartbeat
    from games.models import Match, Seat
    from notifications.models import Notification

    now = timezone.now()
    Heartbeat.objects.update(at=now)
    used = Notification.objects.filter(kind=kind).values("match")
    fresh = Match.objects.exclude(encrypted_state="").exclude(pk__in=used)
    match_ids = list(fresh.order_by("pk").values_list("pk", flat=True)[:DUE])
    asked = Seat.objects.filter(match__in=match_ids, awaited_since__isnull=False)
    asked.update(counted_from=now - F("time_given") * share, deadline=now + F("time_given") * (1 - share), wake_at=now)
    assert Seat.objects.filter(wake_at__lte=now).count() == DUE
    return match_ids


def by_sweep(_: list[str]) -> None:
    from clock.sweep import sweep

    assert sweep() == DUE


def floor_of_reminding(match_ids: list[str]) -> None:
    from django.db import transaction

    from clock.sweep import BATCH
    from games.models import Match, Seat
    from notifications.models import Notification

    for first in range(0, DUE, BATCH):
        batch = match_ids[first : first + BATCH]
        with transaction.atomic():
            list(Match.objects.select_for_update().filter(pk__in=batch))
            asked = [seat for seat in Seat.objects.filter(match__in=batch) if seat.wake_at]
            Notification.objects.bulk_create(notification(seat, "reminder") for seat in asked)
            Seat.objects.filter(pk__in=[seat.pk for seat in asked]).update(wake_at=asked[0].deadline, reminders=1)


def floor_of_timing_out(match_ids: list[str]) -> None:
    """Draw and place a card: two moves with an event each, then the next player's turn, and notifications."""
    from django.db import transaction

    from games.models import Event, Match, Move, Seat
    from notifications.models import Notification

    for match_id in match_ids:
        with transaction.atomic():
            match = Match.objects.select_for_update().get(pk=match_id)
            seats = list(Seat.objects.filter(match=match))
            for number in (1, 2):
                at = {"match": match, "number": match.events_made + number, "turn": match.turn}
                Event.objects.create(**at, content="{}", hash="0" * 64, happened_at=match.created_at)
                Move.objects.create(**at, **MADE, content="{}", made_at=match.created_at)
                Match.objects.filter(pk=match_id).update(
                    turn=match.turn + number, encrypted_state=match.encrypted_state
                )
                Seat.objects.filter(pk=seats[number].pk).update(wake_at=None, deadline=None, awaited_since=None)
            Seat.objects.filter(pk__in=[seat.pk for seat in seats]).update(wake_at=None)
            Notification.objects.bulk_create([notification(seats[0], "your_turn")])
            Notification.objects.bulk_create(notification(seat, "deadline_passed") for seat in seats)


def notification(seat: Any, kind: str) -> Any:
    from notifications.models import Notification

    at = seat.joined_at
    return Notification(
        user_id=seat.user_id, match_id=seat.match_id, seat=seat.number, kind=kind, created_at=at, due_at=at
    )


def plan() -> str:
    """Return the line of the query plan that shows how due seats are found."""
    from django.utils import timezone

    from clock.sweep import due

    return next(line.strip(" ->") for line in due(timezone.now()).explain().splitlines() if "games_seat" in line)
