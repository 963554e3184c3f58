"""The database is restarted, again and again and without a warning, while people play."""

import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from os import environ

from tests.acceptance.faults import postgresql
from tests.acceptance.faults.playing import Party, Report, playing, unkind
from tests.acceptance.storm.parts import ROOT, running
from tests.acceptance.storm.stage import Stage, spread
from tests.waiting import until

MOVES_BETWEEN = 15
DRAINED_AFTER = 60
IMPATIENT = "import time; time.sleep = lambda seconds: None; from cli.main import app; app()"
"""The command line, which asks again at once where it would wait as it was told."""
SAID = ("unavailable", "unreachable")
"""The codes that people may see: the service has no database, or closed a connection in the middle of an answer."""


def restart(restarts: int, down_for: float, matches: int) -> Report:
    with postgresql.server() as server, spread("redis", webs=1, workers=1, server=server.url) as stage:
        with running(stage.parts):
            before = [part.process for part in stage.parts]
            with playing(stage, matches) as party:
                found = [one for _ in range(restarts) for one in strike(server, stage, party, down_for)]
                party.play_on(MOVES_BETWEEN)
            drained = drain()
            if [part.process for part in stage.parts if part.process and part.process.poll() is None] != before:
                found.append("a part of the service came to its end, and had to be started again")
        return reckon(stage, party, found, drained)


def strike(server: postgresql.Server, stage: Stage, party: Party, down_for: float) -> Iterator[str]:
    """One restart, in the middle of the game; and what somebody at a terminal is told meanwhile."""
    party.play_on(MOVES_BETWEEN)
    before = len(party.told)
    server.stop()
    began = time.monotonic()
    party.wait_for(lambda: len(party.told) > before, "somebody is told that the database is gone")
    yield from at_a_terminal(stage.webs[0].url, party.tokens[0])
    until(lambda: time.monotonic() - began > down_for, down_for + 1)
    server.start()


def at_a_terminal(url: str, token: str) -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        variables = {"TURNPOST_URL": url, "TURNPOST_TOKEN": token, "TURNPOST_CONFIG": folder}
        command = [sys.executable, "-c", IMPATIENT, "matches"]
        done = subprocess.run(command, cwd=ROOT, env=environ | variables, capture_output=True, text=True)
    if "cannot reach its database" not in done.stderr or "Traceback" in done.stderr:
        yield f"the command line said: {done.stdout}{done.stderr}"


def drain() -> bool:
    """Whether all notifications left by themselves. Those that an attempt held when it lost the database are held until its
    lease ends; here it ends at once."""
    from django.db import DatabaseError, connection
    from django.utils import timezone

    from notifications.models import Delivery, Notification

    with suppress(DatabaseError):
        connection.close()
    Notification.objects.filter(delivery=Delivery.SENDING).update(due_at=timezone.now())
    waiting = Notification.objects.filter(delivery__in=[Delivery.QUEUED, Delivery.SENDING])
    return until(lambda: not waiting.exists(), DRAINED_AFTER)


def reckon(stage: Stage, party: Party, found: list[str], drained: bool) -> Report:
    from games.models import Move
    from tests.acceptance.faults.reckoning import complaints

    arrived = stage.sink.lies_there
    codes = Counter(problem.code for problem in party.told)
    found += [*complaints(party.acknowledged, arrived), *unkind(party.told)]
    found += [f"somebody was told {code!r}" for code in codes if code not in SAID]
    found += [] if drained else ["not all notifications left by themselves"]
    figures = {
        "moves acknowledged": len(party.acknowledged),
        "moves kept": Move.objects.count(),
        "times that somebody was told to try again": dict(codes),
        "mails that came twice": len(arrived) - len(set(arrived)),
    }
    return Report(figures, found)
