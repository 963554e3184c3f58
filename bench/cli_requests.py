"""Count the requests that commands send to the service when they play a move."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench import scripts
from bench.document import target_line
from bench.scratch import database
from bench.servers import server

TURNPOST = [sys.executable, "-c", "from cli.main import app; app()"]
MOST_REQUESTS = {"on a new machine": 3, "with the board": 2, "with --json": 1}


def figures(folder: Path) -> Iterator[str]:
    from tests.cli.faulty_server import faulty, forward

    with database("sqlite"), server("sqlite") as (_, port), faulty(forward(f"http://127.0.0.1:{port}")) as proxy:
        [group] = scripts.groups(1)
        match_id = scripts.new_match(group)
        environment = os.environ | {"TURNPOST_URL": proxy.url}
        yield "requests that a command sends to play a move"
        for name, most in MOST_REQUESTS.items():
            seat, move, token = next_move(match_id, group)
            own = environment | {"TURNPOST_CONFIG": str(folder / f"player{seat}"), "TURNPOST_TOKEN": token}
            is_json = "--json" in name
            if is_json:
                run(["board", match_id], own)
            before = len(proxy.requests)
            run(["play", match_id, *move.split(), *["--json"] * is_json], own)
            count = len(proxy.requests) - before
            yield f"{name:<26}{count:>8}"
            yield target_line(f"a move {name}: at most {most} request{'s' * (most > 1)}", f"{count}", count <= most)


def next_move(match_id: str, group: list[Any]) -> tuple[int, str, str]:
    """Return whose turn it is, a legal move, and the player's token."""
    from games.selectors.loading import load_match

    table = load_match(match_id)
    [seat] = [seat for seat in table.seats if seat.awaited_since]
    move = table.engine.choices(table.state, seat.drawn).moves[0]
    token = next(token for user, token in group if user.pk == seat.user_id)
    return seat.drawn, table.engine.notation(move), token


def run(words: list[str], environment: dict[str, str]) -> None:
    done = subprocess.run([*TURNPOST, *words], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
