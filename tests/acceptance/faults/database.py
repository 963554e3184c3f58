"""The database is restarted repeatedly and without warning while people play."""

import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from os import environ

from tests.acceptance.faults import postgresql
from tests.acceptance.faults.playing import Party, Report, playing, unhelpful
from tests.acceptance.storm.deployment import Deployment, distributed
from tests.acceptance.storm.parts import ROOT, running
from tests.waiting import until

MOVES_BETWEEN = 15
DRAINED_AFTER = 60
IMPATIENT = "import time; time.sleep = lambda seconds: None; from cli.main import app; app()"
"""A command-line client that retries immediately instead of waiting."""
SAID = ("unavailable", "unreachable")
"""The error codes allowed when the database is down or the connection is closed in the middle of a response."""


def restart(restarts: int, down_for: float, matches: int) -> Report:
    with postgresql.server() as server, distributed("redis", webs=1, workers=1, server=server.url) as deployment:
        with running(deployment.parts):
            before = [part.process for part in deployment.parts]
            with playing(deployment, matches) as party:
                found = [one for _ in range(restarts) for one in restart_once(server, deployment, party, down_for)]
                party.play_on(MOVES_BETWEEN)
            drained = drain()
            if [part.process for part in deployment.parts if part.process and part.process.poll() is None] != before:
                found.append("a process of the service ended")
        return report(deployment, party, found, drained)


def restart_once(server: postgresql.Server, deployment: Deployment, party: Party, down_for: float) -> Iterator[str]:
    """Restart the database once, and check what the command line prints in the meantime."""
    party.play_on(MOVES_BETWEEN)
    before = len(party.errors)
    server.stop()
    began = time.monotonic()
    party.wait_for(lambda: len(party.errors) > before, "somebody is told that the database is gone")
    yield from at_a_terminal(deployment.webs[0].url, party.tokens[0])
    until(lambda: time.monotonic() - began > down_for, down_for + 1)
    server.start()


def at_a_terminal(url: str, token: str) -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        variables = {"TURNPOST_URL": url, "TURNPOST_TOKEN": token, "TURNPOST_CONFIG": folder}
        command = [sys.executable, "-c", IMPATIENT, "matches"]
        done = subprocess.run(command, cwd=ROOT, env=environ | variables, capture_output=True, text=True)
    if "temporarily unavailable" not in done.stderr or "Traceback" in done.stderr:
        yield f"the command line said: {done.stdout}{done.stderr}"


def drain() -> bool:
    """Wait until all notifications are sent, and return whether that happened in time.

    The leases of interrupted attempts are ended immediately.
    """
    from django.db import DatabaseError, connection
    from django.utils import timezone

    from notifications.models import Delivery, Notification

    with suppress(DatabaseError):
        connection.close()
    Notification.objects.filter(delivery=Delivery.SENDING).update(due_at=timezone.now())
    waiting = Notification.objects.filter(delivery__in=[Delivery.QUEUED, Delivery.SENDING])
    return until(lambda: not waiting.exists(), DRAINED_AFTER)


def report(deployment: Deployment, party: Party, found: list[str], drained: bool) -> Report:
    from games.models import Move
    from tests.acceptance.faults.verification import complaints

    arrived = deployment.mail_server.received
    codes = Counter(problem.code for problem in party.errors)
    found += [*complaints(party.acknowledged, arrived), *unhelpful(party.errors)]
    found += [f"a player got the error {code!r}" for code in codes if code not in SAID]
    found += [] if drained else ["not all notifications were sent"]
    figures = {
        "moves acknowledged": len(party.acknowledged),
        "moves stored": Move.objects.count(),
        "requests told to try again": dict(codes),
        "emails that arrived twice": len(arrived) - len(set(arrived)),
    }
    return Report(figures, found)
