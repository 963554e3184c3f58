"""Measure the list of matches waiting for a player, with 1,000 and with 100,000 matches in the database.

Each player has the same number of matches in both cases, as on a growing site. The floor is a single round trip.
"""

from collections.abc import Callable, Iterator
from statistics import median
from time import perf_counter
from typing import Any

from bench.scratch import NoServerError, analyse, copy_rows, database

SIZES = (1_000, 100_000)
MATCHES_PER_PLAYER = 100
SEATS = 3
LOOKS = 400
TARGET = 1.5


def report() -> Iterator[str]:
    yield "waiting: one page of the matches waiting for a player, PostgreSQL, wall-clock milliseconds (median)"
    try:
        with database():
            yield f"{'matches':>10}{'page':>9}{'floor':>9}   plan"
            times = []
            for size, filled in zip(SIZES, grow(), strict=True):
                page, floor = measured(filled)
                times.append(page)
                yield f"{size:>10,}{page:>9.3f}{floor:>9.3f}   {plan(filled)}"
            ratio = times[1] / times[0]
            result = "met" if ratio <= TARGET else "MISSED"
            yield f"target: at most {TARGET} times as long with more matches; it took {ratio:.2f} times: {result}"
    except NoServerError as missing:
        yield f"not measured: {missing}"


def grow() -> Iterator[list[int]]:
    """Fill the database to each size in turn, and yield the IDs of some players."""
    from accounts.models import User
    from games.models import Match, Seat

    match, seats = template()
    players = [seat.user for seat in seats]
    filled = 0
    for size in SIZES:
        more_players, first = (size - filled) // MATCHES_PER_PLAYER, size * 10
        copy_rows(
            players[0],
            more_players,
            id=f"n + {first}",
            username=f"'player' || n + {first}",
            email=f"n + {first} || '@example.org'",
        )
        copy_rows(match, size - filled, id=f"'m' || n + {filled}", encrypted_state="''")
        for number, seat in enumerate(seats):
            user = f"(n * 7 + {number} * 31) %% {more_players} + 1 + {first}"
            since = "now() - n * interval '1 second'" if number == 0 else "NULL"
            copy_rows(seat, size - filled, match_id=f"'m' || n + {filled}", user_id=user, awaited_since=since)
        filled = size
        analyse()
        yield list(User.objects.filter(pk__gt=first).values_list("pk", flat=True)[:50])
    assert Match.objects.count() == filled + 1
    assert Seat.objects.count() == SEATS * (filled + 1)


def template() -> tuple[Any, list[Any]]:
    """Create one real match, which is then copied."""
    from tests.games.builders import running_match

    table = running_match("coloretto", SEATS)
    return table.match, table.seats


def page(player: int) -> list[Any]:
    from accounts.models import User
    from games.selectors.lists import LISTS

    listing = LISTS["waiting"]
    return list(listing.rows(User(pk=player)).order_by(*listing.ordering)[:20])


def round_trip(_: int) -> None:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")


def measured(players: list[int]) -> tuple[float, float]:
    """Return the milliseconds for a page and for the floor, measured alternately."""
    times: dict[Callable[[int], Any], list[float]] = {page: [], round_trip: []}
    for look in range(LOOKS):
        for work, spent in times.items():
            start = perf_counter()
            work(players[look % len(players)])
            spent.append(1000 * (perf_counter() - start))
    return median(times[page]), median(times[round_trip])


def plan(players: list[int]) -> str:
    """Return the line of the query plan that shows how seats are found."""
    from accounts.models import User
    from games.selectors.lists import LISTS

    listing = LISTS["waiting"]
    rows = listing.rows(User(pk=players[0])).order_by(*listing.ordering)[:20]
    return next(line.strip(" ->") for line in rows.explain().splitlines() if "games_seat" in line)
