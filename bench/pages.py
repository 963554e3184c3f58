"""Compare web pages with the same data as JSON: server time and CPU per view, and size in bytes."""

import gzip
import re
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from statistics import median
from typing import Any

from bench import scratch

VIEWS = 60
MOST_TIMES_JSON = 3.0
MOST_BYTES = 60 * 1024
HALFWAY = 30
"""How many moves are made before the match is shown."""
FILES = re.compile(r'(?:src|href)="(/static/[^"]+)"')
OF_A_MATCH = ("", "/choices", "/log", "/messages", "/note", "/proposals")
OF_MY_MATCHES = ("?which=waiting", "?which=mine", "?which=invited")


def report() -> Iterator[str]:
    with scratch.database("sqlite"):
        yield f"pages: median of {VIEWS} views with the test client, SQLite, one player"
        yield f"{'':<28}{'page ms':>9}{'CPU ms':>8}{'JSON ms':>9}{'CPU ms':>8}{'times':>7}{'KB':>7}{'gzip':>7}"
        yield from figures()


def figures() -> Iterator[str]:
    from django.conf import settings

    from bench.web_settings import RATES
    from tests.games.builders import awaited, play_some, running_match, sitting

    settings.RATES = RATES  # Otherwise, a fast machine would exceed the rate limits.
    tables = {game: play_some(running_match(game), HALFWAY) for game in ("coloretto", "colorado-county")}
    for game, table in tables.items():
        user = sitting(awaited(table))
        api = [f"/api/v1/matches/{table.match.id}{part}" for part in OF_A_MATCH]
        yield from compared(f"a match of {game}", user, f"/matches/{table.match.id}", api)
    user = sitting(awaited(tables["coloretto"]))
    lists = [f"/api/v1/matches{query}" for query in OF_MY_MATCHES]
    yield from compared("my matches", user, "/matches/", lists, is_first_view=False)


def compared(name: str, user: Any, page: str, api: Sequence[str], *, is_first_view: bool = True) -> Iterator[str]:
    visit, call = browser(user), program(user)
    packed = visit(page)
    shown = gzip.decompress(packed)
    seen, asked = measured(lambda: visit(page)), measured(lambda: [call(path) for path in api])
    times = seen[1] / asked[1]
    yield (
        f"{name:<28}{seen[0]:>9.1f}{seen[1]:>8.1f}{asked[0]:>9.1f}{asked[1]:>8.1f}{times:>7.2f}"
        f"{len(shown) / 1024:>7.1f}{len(packed) / 1024:>7.1f}"
    )
    result = met(times <= MOST_TIMES_JSON)
    yield f"  target: at most {MOST_TIMES_JSON:.0f} times the CPU of JSON; {name}: {times:.2f}: {result}"
    if is_first_view:
        total = len(packed) + sum(len(visit(path)) for path in set(FILES.findall(shown.decode())))
        result = met(total <= MOST_BYTES)
        yield f"  target: at most {MOST_BYTES // 1024} KB for a first view; {name}: {total / 1024:.1f} KB: {result}"


def met(is_met: bool) -> str:
    return "met" if is_met else "MISSED"


def measured(work: Callable[[], Any]) -> tuple[float, float]:
    took: list[tuple[float, float]] = []
    for _ in range(VIEWS):
        began, cpu = time.perf_counter(), time.process_time()
        work()
        took.append((time.perf_counter() - began, time.process_time() - cpu))
    wall, busy = (median(values) * 1000 for values in zip(*took, strict=True))
    return wall, busy


def browser(user: Any) -> Callable[[str], bytes]:
    from django.test import Client

    from accounts import browser_sessions

    client = Client(SERVER_NAME="localhost", headers={"Accept-Encoding": "gzip"})
    client.cookies["session"] = browser_sessions.start(user, "bench")[1]
    return lambda path: content(client.get(path))


def program(user: Any) -> Callable[[str], bytes]:
    from django.test import Client

    from accounts.models import Token

    _, token = Token.objects.create(user, timedelta(days=1), name="bench")  # type: ignore[no-untyped-call]
    client = Client(SERVER_NAME="localhost", headers={"Authorization": f"Bearer {token}"})
    return lambda path: content(client.get(path))


def content(response: Any) -> bytes:
    assert response.status_code == 200, response
    found: bytes = b"".join(response.streaming_content) if response.streaming else response.content
    return found
