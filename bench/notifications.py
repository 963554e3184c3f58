"""Measure how many notifications a worker sends per second, and how soon after the commit it sends a single
notification.

The floor is a loop that sends the same bytes over one connection. The bytes are prepared in advance, so the floor does
not read rows, claim notifications, check anything or compose emails. The worker and the floor run alternately, and send
to the same server in a separate process.
"""

import smtplib
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from statistics import median
from time import perf_counter
from typing import Any

from bench.scratch import NoServerError, database

Prepared = tuple[str, list[str], bytes]
"""The envelope's sender and recipients, and the message."""
MATCHES, NOTIFICATIONS, ROUNDS = 20, 400, 5
SINGLE = 30
RATE_TARGET, DELAY_TARGET = 0.6, 100


def report() -> Iterator[str]:
    yield f"notifications: {NOTIFICATIONS} emails to a local SMTP server, PostgreSQL; the median of {ROUNDS} rounds"
    try:
        with database():
            ids = owe_many()
            with mail_server():
                ours, floor = rates(ids)
            share = ours / floor
            yield f"{'sent':>10}{ours:>8.0f}/s{'floor':>10}{floor:>8.0f}/s"
            result = "met" if share >= RATE_TARGET else "MISSED"
            yield f"target: {RATE_TARGET:.0%} of the floor; reached {share:.0%}: {result}"
            delays = sorted(delays_when_idle(ids[0]))
            yield f"{'alone':>10}{median(delays):>8.0f} ms{'slowest':>10}{delays[-1]:>7.0f} ms of {SINGLE}, one by one"
            yield "alone: worker and broker in this process"
            yield delay_target(delays[-1])
    except NoServerError as missing:
        yield f"not measured: {missing}"


def delay_target(slowest: float) -> str:
    met = "met" if slowest <= DELAY_TARGET else "MISSED"
    return f"target: within {DELAY_TARGET} ms of the commit; the slowest took {slowest:.0f} ms: {met}"


def owe_many() -> list[int]:
    """Create several notifications for one player in every match."""
    from django.utils import timezone

    from games.models import Seat
    from notifications.models import Notification
    from tests.games.builders import play_some, running_match

    for _ in range(MATCHES):
        play_some(running_match("coloretto", 3), 6)
    Notification.objects.all().delete()
    now = timezone.now()
    Notification.objects.bulk_create(
        Notification(
            user=seat.user,
            match=seat.match,
            seat=seat.number,
            turn=seat.match.turn,
            kind="your_turn",
            number=number,
            created_at=now - timedelta(seconds=number),
            due_at=now,
        )
        for seat in Seat.objects.filter(awaited_since__isnull=False).select_related("user", "match")
        for number in range(NOTIFICATIONS // MATCHES)
    )
    return list(Notification.objects.values_list("pk", flat=True))


@contextmanager
def mail_server() -> Iterator[None]:
    """Run aiosmtpd's command-line server, which discards all mail."""
    from django.conf import settings

    from demo.ports import free_port
    from tests.waiting import until

    port = free_port()
    command = [
        sys.executable,
        "-m",
        "aiosmtpd",
        "-n",
        "-l",
        f"127.0.0.1:{port}",
        "-c",
        "aiosmtpd.handlers.Sink",
    ]
    server = subprocess.Popen(command)
    settings.EMAIL_BACKEND = "notifications.mail.smtp_client.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", port
    try:
        assert until(lambda: answers(port)), "The mail server did not start."
        yield
    finally:
        server.terminate()
        server.wait()


def answers(port: int) -> bool:
    import socket

    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
    except OSError:
        return False
    return True


def rates(ids: list[int]) -> tuple[float, float]:
    """Return how many emails per second the service and the floor send."""
    from notifications.mail.sender import deliver_due

    ours, floor, messages = [], [], prepared(ids)
    for _ in range(ROUNDS):
        queue_again(ids)
        ours.append(NOTIFICATIONS / timed(deliver_due))
        assert not left_over()
        floor.append(NOTIFICATIONS / timed(bare_loop, messages))
    return median(ours), median(floor)


def queue_again(ids: list[int]) -> None:
    from django.utils import timezone

    from notifications.models import Notification

    Notification.objects.filter(pk__in=ids).update(delivery="queued", due_at=timezone.now(), tries=0, sent_at=None)


def left_over() -> int:
    from notifications.models import Notification

    return Notification.objects.exclude(delivery="sent").count()


def prepared(ids: list[int]) -> list[Prepared]:
    from notifications.context import load
    from notifications.letters import write
    from notifications.mail.envelope import seal

    messages = [seal(context, write(context)) for context in load(ids)]
    return [(message.from_email, message.to, message.as_bytes()) for message in messages]


def bare_loop(messages: list[Prepared]) -> None:
    from django.conf import settings

    with smtplib.SMTP(settings.EMAIL_HOST, settings.EMAIL_PORT) as connection:
        for sender, recipients, content in messages:
            connection.sendmail(sender, recipients, content)


def timed(work: Callable[..., Any], *arguments: Any) -> float:
    start = perf_counter()
    work(*arguments)
    return perf_counter() - start


def delays_when_idle(notification_id: int) -> Iterator[float]:
    """Return the milliseconds from each commit to the arrival of the email. Only one notification is sent at a time."""
    from django.conf import settings

    from config.celery import app
    from tests.mail_server import RecordingMailServer
    from tests.workers import worker_thread

    with RecordingMailServer() as mail_server:
        settings.EMAIL_PORT = mail_server.port
        arrived = threading.Event()
        mail_server.on_mail = lambda _: arrived.set()
        with worker_thread(app):
            for number in range(SINGLE):
                arrived.clear()
                committed = owe_again(notification_id, 1000 + number)
                assert arrived.wait(20), "No email arrived."
                yield 1000 * (perf_counter() - committed)


def owe_again(notification_id: int, number: int) -> float:
    from django.db import transaction
    from django.utils import timezone

    from notifications import outbox
    from notifications.models import Notification, random_id

    notification = Notification.objects.get(pk=notification_id)
    notification.pk, notification.number, notification.delivery = random_id(), number, "queued"
    notification.created_at = notification.due_at = timezone.now()
    with transaction.atomic():
        outbox.add([notification])
    return perf_counter()
