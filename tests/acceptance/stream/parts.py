"""The processes of the test: one that plays, one that serves streams, and clients that record what they get."""

import logging
import os
import threading
import time
from datetime import timedelta
from pathlib import Path
from typing import Any

import django
import msgspec

django.setup()

from accounts.models import Token  # noqa: E402
from games.engine.dice import Dice  # noqa: E402
from games.selectors.loading import load_match  # noqa: E402
from stream.listening import serve  # noqa: E402
from stream.shapes import StreamEvent  # noqa: E402
from tests.games.builders import player, running_match, send, sitting  # noqa: E402
from turnpost import Client, Unreachable  # noqa: E402

logging.disable(logging.INFO)

BETWEEN_MOVES = 0.02
BETWEEN_ATTEMPTS = 0.1


def names_of(table: int) -> tuple[str, str]:
    return f"ann{table}", f"ben{table}"


def make_token(name: str) -> str:
    secret: str = Token.objects.create(player(name), timedelta(days=1), name="test")[1]
    return secret


def play(tables: int, stopping: Any) -> None:
    """Play in all matches in turn. When a match ends, another one starts."""
    matches = [new_match(table) for table in range(tables)]
    dice = Dice(os.urandom(32))
    while not stopping.is_set():
        for table, match_id in enumerate(matches):
            if not made_move(match_id, dice):
                matches[table] = new_match(table)
            stopping.wait(BETWEEN_MOVES)


def new_match(table: int) -> str:
    return running_match("coloretto", 2, players=names_of(table)).match.id


def made_move(match_id: str, dice: Dice) -> bool:
    table = load_match(match_id)
    asked = sorted(table.engine.awaiting(table.state))
    if not asked:
        return False
    seat = table.seats[asked[0]]
    move = table.engine.sample(table.state, seat.drawn, dice)
    assert send(match_id, sitting(seat), table.engine.notation(move), table.match.turn).status == 200
    return True


def serve_streams(port: int) -> None:
    serve("127.0.0.1", port, when_ready=lambda: None)


def record(url: str, token: str, path: str) -> None:
    """Append each event to a file. After a crash, continue with the last event in the file."""
    client = Client(url, token)
    client.server.pause = lambda _: time.sleep(BETWEEN_ATTEMPTS)
    file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND)
    drop_incomplete_line(file)
    while True:
        recorded = events_in(Path(path))
        try:
            for event in client.stream(after=recorded[-1].cursor if recorded else "0"):
                if event.kind != "connected":
                    os.write(file, msgspec.json.encode(event) + b"\n")
        except Unreachable:
            threading.Event().wait(BETWEEN_ATTEMPTS)


def drop_incomplete_line(file: int) -> None:
    size = os.fstat(file).st_size
    content = os.pread(file, size, 0)
    os.ftruncate(file, content.rfind(b"\n") + 1)


def events_in(path: Path) -> list[StreamEvent]:
    if not path.exists():
        return []
    lines = path.read_bytes().splitlines(keepends=True)
    return [msgspec.json.decode(line, type=StreamEvent) for line in lines if line.endswith(b"\n")]
