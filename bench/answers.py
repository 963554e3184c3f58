"""Compare the API's responses with those of an earlier version, byte by byte, for a whole match of each game.

Both versions play the same match: time stands still, random IDs and secrets are the same, and a seed determines the
moves. Only signatures, keys and cursors are left out, because every new service generates its own keys.
"""

import json
import logging
import random
import re
import secrets
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from unittest.mock import patch

import msgspec

GAMES = ("coloretto", "colorado-county")
NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)
EVERY = 20
"""The number of moves after which the players look at everything."""
PATHS = ("", "/choices", "/log", "/messages", "/note", "/proposals")
AT_THE_END = ("/proof",)
SIGNED = re.compile(rb'(?<="key":")[0-9a-f]+|(?<=signature":")[^"]+|(?<=cursor=)[^"&]+')
INTENDED = (".bouncing is new", ".think is new")
"""Differences that end like this are intended: a match now lists the players whose emails are bouncing, and how long
bots may think."""
CHILD = 'import runpy, sys; runpy.run_path(sys.argv[1], run_name="earlier")["record"](sys.argv[2])'
"""Runs this file's `record` with the packages of the current folder, which may be the earlier version."""

Answers = list[tuple[str, int, str]]
"""The requests, each with the status and the body of its response."""


def report() -> Iterator[str]:
    from bench.before import BEFORE, ROOT, NoHistoryError, extracted

    yield f"answers: the API's responses in a whole match, compared byte by byte with those of commit {BEFORE[:7]}"
    try:
        with tempfile.TemporaryDirectory() as folder:
            before = extracted(BEFORE, Path(folder))
            for game in GAMES:
                yield from compared(game, recorded(before, game), recorded(ROOT, game))
    except NoHistoryError as missing:
        yield f"not measured: {missing}"


def recorded(tree: Path, game: str) -> Answers:
    done = subprocess.run([sys.executable, "-c", CHILD, __file__, game], cwd=tree, stdout=subprocess.PIPE, check=True)
    answers: Answers = json.loads(done.stdout)
    return answers


def compared(game: str, before: Answers, now: Answers) -> Iterator[str]:
    same = sum(first == second for first, second in zip(before, now, strict=False))
    found: Counter[str] = Counter()
    for first, second in zip(before, now, strict=False):
        found.update({f"{kind_of(first[0])}: {difference}" for difference in differences(first, second)})
    yield f"{game}: {same} of {len(before)} responses are identical ({len(now)} now)"
    for difference, count in found.most_common():
        yield f"  {count:>5} x {difference} ({'intended' if difference.endswith(INTENDED) else 'NOT INTENDED'})"


def kind_of(request: str) -> str:
    return re.sub(r"/matches/[a-z0-9]+", "/matches/ID", request)


def differences(before: tuple[str, int, str], now: tuple[str, int, str]) -> Iterator[str]:
    """Name the fields that differ."""
    if before == now:
        return
    if before[:2] != now[:2]:
        yield f"{before[1]} became {now[1]}" if before[0] == now[0] else f"it became {now[0]}"
        return
    found = list(of_values(json.loads(before[2]), json.loads(now[2]), ""))
    yield from found or ["only the order or spelling of fields"]


def of_values(before: Any, now: Any, path: str) -> Iterator[str]:
    if isinstance(before, dict) and isinstance(now, dict):
        yield from (f"{path}.{name} is new" for name in now if name not in before)
        yield from (f"{path}.{name} is gone" for name in before if name not in now)
        for name in before.keys() & now.keys():
            yield from of_values(before[name], now[name], f"{path}.{name}")
    elif isinstance(before, list) and isinstance(now, list) and len(before) == len(now):
        for first, second in zip(before, now, strict=True):
            yield from of_values(first, second, f"{path}[]")
    elif before != now:
        yield f"{path or 'everything'} differs"


def record(game: str) -> None:
    """Run in either version: play a match over the API, and print all responses."""
    import time_machine

    from bench.scratch import database

    logging.disable(logging.INFO)
    with database("sqlite"), time_machine.travel(NOW, tick=False), patch.multiple(secrets, **repeatable()):
        print(json.dumps(list(play(game))))


def repeatable() -> dict[str, Any]:
    """Return replacements for the functions in `secrets`. Their results depend only on which function has called them
    and how often, so that they don't change if other functions draw more or fewer secrets."""
    drawn: Counter[str] = Counter()

    def dice() -> random.Random:
        code = sys._getframe(2).f_code
        name = f"{Path(code.co_filename).name} {code.co_name}"
        drawn[name] += 1
        return random.Random(f"{name} {drawn[name]}")

    return {
        "token_hex": lambda count=32: dice().randbytes(count).hex(),
        "token_bytes": lambda count=32: dice().randbytes(count),
        "token_urlsafe": lambda count=32: dice().randbytes(count).hex(),
        "choice": lambda values: dice().choice(values),
        "randbits": lambda count: dice().getrandbits(count),
        "randbelow": lambda most: dice().randrange(most),
    }


def play(game: str) -> Iterator[tuple[str, int, str]]:
    from django.conf import settings

    from bench.web_settings import RATES
    from games.engine.dice import Dice
    from games.selectors.loading import load_match
    from tests.games.builders import running_match, sitting

    settings.RATES = RATES
    match_id = running_match(game).match.id
    tokens: dict[int, str] = {}
    will, path, made = Dice(bytes(32)), f"/api/v1/matches/{match_id}", 0
    while True:
        table = load_match(match_id)
        tokens = tokens or {seat.drawn: token_for(sitting(seat)) for seat in table.seats}
        awaited = sorted(table.engine.awaiting(table.state))
        if made % EVERY == 0 or not awaited:
            for token in tokens.values():
                for part in (*PATHS, *(() if awaited else AT_THE_END)):
                    yield sent("GET", f"{path}{part}", token)
                yield sent("GET", "/api/v1/matches?which=mine", token)
        if not awaited:
            return
        seat = awaited[will.below(len(awaited))]
        move = table.engine.notation(table.engine.sample(table.state, seat, will))
        yield sent("POST", f"{path}/moves", tokens[seat], {"move": move, "turn": table.match.turn})
        made += 1


def token_for(user: Any) -> str:
    from bench import scripts

    return scripts.token_for(user)


def sent(method: str, path: str, token: str, body: Any = None) -> tuple[str, int, str]:
    from django.test import Client

    client = Client(SERVER_NAME="localhost", headers={"Authorization": f"Bearer {token}"})
    answer = client.generic(method, path, msgspec.json.encode(body) if body else b"", "application/json")
    content = SIGNED.sub(b"", answer.content)
    return f"{method} {path}", answer.status_code, content.decode()
