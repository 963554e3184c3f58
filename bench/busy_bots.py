"""Measure how long players wait while hard bots play in many matches, and how fast the service responds in the
meantime.

The whole service runs in one process with SQLite, which is the default. A client plays in all matches as fast as it
can, and a second client measures how long the service takes to show a match. Waiting times are computed from the stored
moves.
"""

import os
import threading
import time
from collections.abc import Iterator, Sequence
from statistics import median, quantiles

from cli.client import Server
from cli.problems import Refused

MATCHES = 100
PLAN = {"game": "coloretto", "seats": 3, "bots": 2, "level": "hard"}
QUIET_SECONDS = 5.0
BUSY_SECONDS = float(os.environ.get("BENCH_BUSY_SECONDS", "60"))
BETWEEN_LOOKS = 0.05


def report() -> Iterator[str]:
    from tests.acceptance.storm.deployment import single_process
    from tests.acceptance.storm.parts import running

    yield f"busy bots: {MATCHES} matches of a player and two hard bots, one process with SQLite"
    with single_process() as deployment, running(deployment.parts):
        server = Server(deployment.webs[0].url, token_of_a_player())
        watched = server.post("matches", {"game": "coloretto", "seats": 3})["id"]
        quiet = times_to_look(server, watched, QUIET_SECONDS)
        for _ in range(MATCHES):
            server.post("matches", PLAN)
        over = threading.Event()
        playing = threading.Thread(target=play, args=(Server(server.url, server.token), over))
        playing.start()
        busy = times_to_look(server, watched, BUSY_SECONDS)
        over.set()
        playing.join()
        yield from described(quiet, busy)


def token_of_a_player() -> str:
    from django.utils import timezone

    from accounts.models import User
    from tests.callers import caller, token_of

    user = User.objects.create_user("player", "player@example.org", None, email_confirmed_at=timezone.now())
    return token_of(caller(user))


def times_to_look(server: Server, match_id: str, seconds: float) -> list[float]:
    times, end = [], time.perf_counter() + seconds
    while (start := time.perf_counter()) < end:
        server.get(f"matches/{match_id}")
        times.append(time.perf_counter() - start)
        time.sleep(BETWEEN_LOOKS)
    return times


def play(server: Server, over: threading.Event) -> None:
    while not over.is_set():
        for match in server.get("matches", which="waiting", limit=50)["results"]:
            choices = server.get(f"matches/{match['id']}/choices")
            if choices["moves"] and not over.is_set():
                play_one(server, match["id"], choices["moves"][-1]["notation"], choices["turn"])
        over.wait(BETWEEN_LOOKS)


def play_one(server: Server, match_id: str, move: str, turn: int) -> None:
    try:
        server.post(f"matches/{match_id}/moves", {"move": move, "turn": turn})
    except Refused as refusal:
        raise RuntimeError(f"A move was refused: {refusal}") from refusal


def described(quiet: Sequence[float], busy: Sequence[float]) -> Iterator[str]:
    from games.models import Move

    waits, bots = list(waits_for_bots()), Move.objects.filter(source="bot").count()
    yield f"{bots} moves by bots, {bots / BUSY_SECONDS:.1f} per second; {len(waits)} times a player waited for bots"
    yield f"until it was the player's turn again: {in_words(waits)}"
    yield f"to show a match, without bots: {in_words(quiet)}"
    yield f"to show a match, while bots think: {in_words(busy)}"


def waits_for_bots() -> Iterator[float]:
    """For each of the player's moves that a bot follows, yield the seconds until the last bot has moved."""
    from games.models import Match

    for match in Match.objects.exclude(started_at=None):
        since, last = match.started_at, None
        for source, made_at in match.moves.order_by("number").values_list("source", "made_at"):
            if source == "bot":
                last = made_at
                continue
            if last and since:
                yield (last - since).total_seconds()
            since, last = made_at, None


def in_words(seconds: Sequence[float]) -> str:
    if len(seconds) < 2:
        return "not measured"
    usual, late, longest = (1000 * one for one in (median(seconds), quantiles(seconds, n=20)[-1], max(seconds)))
    return f"median {usual:,.0f} ms, 95% within {late:,.0f} ms, longest {longest:,.0f} ms"
