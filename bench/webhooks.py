"""Measure how soon a player's webhook is called while other webhooks go to hosts that never respond.

One account has ten webhooks to such hosts, and four other accounts have two each. The player's webhook goes first to a
host that has been called before, and then to a new one. The floor is the same call in an idle service.
"""

import threading
from collections.abc import Iterator
from statistics import median
from time import perf_counter
from typing import Any

from bench.scratch import NoServerError, database

TARPITS = {"mallory": 10, "sock1": 2, "sock2": 2, "sock3": 2, "sock4": 2}
CALLS, ROUNDS = 20, 20
TARGET = 2.0


def report() -> Iterator[str]:
    count = sum(TARPITS.values())
    waiting = f"{count * CALLS} calls of {len(TARPITS)} accounts to {count} silent webhooks"
    yield f"webhooks: one call while {waiting} are due, PostgreSQL; {ROUNDS} rounds"
    try:
        with database():
            idle, busy, new = delays()
    except NoServerError as missing:
        yield f"not measured: {missing}"
        return
    columns = {"busy": busy, "new host": new, "floor": idle}
    yield "".join(f"{name:>10}{1000 * median(times):>8.0f} ms" for name, times in columns.items())
    slowest = max(busy + new)
    result = "met" if slowest <= TARGET else "MISSED"
    yield f"target: within {TARGET:g} s; the slowest took {slowest:.2f} s: {result}"


def delays() -> tuple[list[float], list[float], list[float]]:
    """Return the seconds from the commit to the call, measured in an idle service, in a busy one, and in a busy one
    with a new host."""
    from django.conf import settings

    from notifications.models import WebhookHost
    from notifications.webhooks import service
    from tests.accounts.builders import player
    from tests.notifications.webhooks.listener import Listener

    settings.WEBHOOKS_PRIVATE = True
    is_over = threading.Event()
    with Listener() as tarpit, Listener() as listener:
        tarpit.instead = lambda _: is_over.wait(60)
        hook, _ = service.create(player("ann"), listener.url(), service.KINDS)
        idle = [delay(hook, listener) for _ in range(ROUNDS)]
        tarpits = [
            service.create(user, tarpit.url(path=f"/{number}"), service.KINDS)[0]
            for user in map(player, TARPITS)
            for number in range(TARPITS[user.username])
        ]
        for webhook in tarpits:
            owe(webhook, CALLS)
        worker = threading.Thread(target=deliver)
        worker.start()
        tarpit.wait_for(len(TARPITS))
        busy = [delay(hook, listener, is_delivered_elsewhere=True) for _ in range(ROUNDS)]
        new = []
        for _ in range(ROUNDS):
            WebhookHost.objects.filter(webhooks=hook).update(is_quick=None)
            new.append(delay(hook, listener, is_delivered_elsewhere=True))
        is_over.set()
        type(hook).objects.exclude(pk=hook.pk).delete()
        worker.join()
    return idle, busy, new


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
