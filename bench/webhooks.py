"""Measure how soon a player's webhook is called while another account's ten webhooks go to hosts that never respond.

The floor is the same call in an idle service.
"""

import threading
from collections.abc import Iterator
from statistics import median
from time import perf_counter
from typing import Any

from bench.scratch import NoServerError, database

TARPITS, CALLS, ROUNDS = 10, 20, 20
TARGET = 2.0


def report() -> Iterator[str]:
    waiting = f"{TARPITS * CALLS} calls to {TARPITS} silent hosts"
    yield f"webhooks: one call while {waiting} are due, PostgreSQL; {ROUNDS} rounds"
    try:
        with database():
            idle, busy = delays()
    except NoServerError as missing:
        yield f"not measured: {missing}"
        return
    yield f"{'busy':>10}{1000 * median(busy):>8.0f} ms{'floor':>10}{1000 * median(idle):>8.0f} ms"
    result = "met" if max(busy) <= TARGET else "MISSED"
    yield f"target: within {TARGET:g} s; the slowest took {max(busy):.2f} s: {result}"


def delays() -> tuple[list[float], list[float]]:
    """Return the seconds from the commit to the call, in an idle service and in a busy one."""
    from django.conf import settings

    from notifications.webhooks import service
    from tests.accounts.builders import player
    from tests.notifications.webhooks.listener import Listener

    settings.WEBHOOKS_PRIVATE = True
    is_over = threading.Event()
    with Listener() as tarpit, Listener() as listener:
        tarpit.instead = lambda _: is_over.wait(60)
        ann, mallory = player("ann"), player("mallory")
        hook, _ = service.create(ann, listener.url(), service.KINDS)
        idle = [delay(hook, listener) for _ in range(ROUNDS)]
        tarpits = [
            service.create(mallory, tarpit.url(path=f"/{number}"), service.KINDS)[0] for number in range(TARPITS)
        ]
        for webhook in tarpits:
            owe(webhook, CALLS)
        worker = threading.Thread(target=deliver)
        worker.start()
        tarpit.wait_for(1)
        busy = [delay(hook, listener, is_delivered_elsewhere=True) for _ in range(ROUNDS)]
        is_over.set()
        type(hook).objects.filter(user=mallory).delete()
        worker.join()
    return idle, busy


def delay(webhook: Any, listener: Any, *, is_delivered_elsewhere: bool = False) -> float:
    before = len(listener.heard)
    owe(webhook, 1)
    start = perf_counter()
    if not is_delivered_elsewhere:
        deliver()
    assert len(listener.wait_for(before + 1)) > before, "The call was not made."
    return perf_counter() - start


def owe(webhook: Any, count: int) -> None:
    from django.utils import timezone

    from notifications.models import WebhookCall

    now = timezone.now()
    WebhookCall.objects.bulk_create(WebhookCall(webhook=webhook, created_at=now, due_at=now) for _ in range(count))


def deliver() -> None:
    from django.db import connection

    from notifications.webhooks.sender import deliver_due

    deliver_due()
    connection.close()
