"""Measure the clock's sweep with 10,000 and with 100,000 running matches, 1,000 of which are due.

One pass sends reminders, and another plays for players who have timed out. The floor is given the list of due
matches. It does the same reads and writes by primary key, in transactions of the same size, without the rules. The
sweep and the floor use different matches.
"""

from collections.abc import Callable, Iterator
from statistics import median
from time import perf_counter
from typing import Any

from bench.document import target_line
from bench.scratch import NoServerError, analyse, copy_rows, database

SIZES = (10_000, 100_000)
SEATS, DUE = 3, 1_000
ROUNDS = 3
TAKEN = 2 * ROUNDS * DUE
"""The number of matches that become due at each size. In every round, the sweep and the floor get different matches."""
MOST_TIMES_REMINDING, MOST_TIMES_TIMING_OUT, MOST_GROWTH = 1.5, 1.0, 1.25
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
            yield beside_floor("reminding", MOST_TIMES_REMINDING, many[:2])
            yield beside_floor("timing out", MOST_TIMES_TIMING_OUT, many[2:])
            yield growth("reminding", few[:2], many[:2])
            yield growth("timing out", few[2:], many[2:])
    except NoServerError as missing:
        yield f"not measured: {missing}"


def beside_floor(what: str, most: float, times: list[float]) -> str:
    ratio = times[0] / times[1]
    return target_line(
        f"{what} takes at most {most} times as long as its floor", f"it took {ratio:.2f} times", ratio <= most
    )


def growth(what: str, few: list[float], many: list[float]) -> str:
    """Compare how much the sweep and its floor slow down when there are more matches. The floor does not search, so
    only the machine can slow it down."""
    ours, floor = (after / before for before, after in zip(few, many, strict=True))
    share = ours / floor
    asked = f"{what} slows down at most {MOST_GROWTH} times as much as its floor"
    return target_line(asked, f"{ours:.2f} / {floor:.2f} = {share:.2f}", share <= MOST_GROWTH)


def grow() -> Iterator[int]:
    """Fill the database to each size in turn. Only the matches that will become due get a position."""
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
    """Return the milliseconds for reminders and their floor, and for time-outs and their floor. Sending reminders is
    quick, so it is measured in several rounds, which alternate with those of the floor."""
    reminding = [(timed(0.5, by_sweep, "reminder"), timed(0.5, floor_of_reminding, "reminder")) for _ in range(ROUNDS)]
    return [
        *(median(times) for times in zip(*reminding, strict=True)),
        timed(1.0, by_sweep, "deadline_passed"),
        timed(1.0, floor_of_timing_out, "deadline_passed"),
    ]


def timed(share: float, work: Pass, kind: str) -> float:
    """Return the milliseconds for one pass, which must find exactly the due matches and notify somebody in each of
    them."""
    from notifications.models import Notification

    match_ids = make_due(share, kind)
    told = Notification.objects.filter(kind=kind, match__in=match_ids).values("match").distinct()
    start = perf_counter()
    work(match_ids)
    spent = 1000 * (perf_counter() - start)
    assert told.count() == DUE
    return spent


def make_due(share: float, kind: str) -> list[str]:
    """Let this share of the move time pass in 1,000 matches that haven't had this kind of notification yet."""
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
    from stream.models import StreamEvent

    for first in range(0, DUE, BATCH):
        batch = match_ids[first : first + BATCH]
        with transaction.atomic():
            list(Match.objects.select_for_update().filter(pk__in=batch))
            asked = [seat for seat in Seat.objects.filter(match__in=batch) if seat.wake_at]
            Notification.objects.bulk_create(notification(seat, "reminder") for seat in asked)
            StreamEvent.objects.bulk_create(stream_event(seat, "reminder") for seat in asked)
            Seat.objects.filter(pk__in=[seat.pk for seat in asked]).update(wake_at=asked[0].deadline, reminders=1)


def floor_of_timing_out(match_ids: list[str]) -> None:
    """Write what a time-out writes: two moves with an event each, the next player's turn, and notifications."""
    from django.db import transaction

    from games.models import Event, Match, Move, Seat
    from notifications.models import Notification
    from stream.models import StreamEvent

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
            told = [*[(seat, "move_made") for seat in [*seats, *seats]], *[(seat, "deadline_passed") for seat in seats]]
            told += [(seat, "your_turn") for seat in seats[:2]]
            StreamEvent.objects.bulk_create(stream_event(seat, kind) for seat, kind in told)


def notification(seat: Any, kind: str) -> Any:
    from notifications.models import Notification

    at = seat.joined_at
    return Notification(
        user_id=seat.user_id, match_id=seat.match_id, seat=seat.number, kind=kind, created_at=at, due_at=at
    )


def stream_event(seat: Any, kind: str) -> Any:
    from stream.models import StreamEvent

    return StreamEvent(user_id=seat.user_id, match=seat.match_id, kind=kind, happened_at=seat.joined_at)


def plan() -> str:
    """Return the line of the query plan that shows how due seats are found."""
    from django.utils import timezone

    from clock.sweep import due

    return next(line.strip(" ->") for line in due(timezone.now()).explain().splitlines() if "games_seat" in line)
