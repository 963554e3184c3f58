"""The mail server is down or does not respond.

Players can still move. Players and operators see what is waiting and why, and all emails are sent afterwards.
"""

import socket
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import pytest
import time_machine
from django.db import connections
from django.utils import timezone

from core.metrics import Backlog
from demo.ports import free_port
from notifications.mail.sender import deliver_due
from notifications.models import Delivery, Notification, NotificationKind
from notifications.outbox import QUEUE
from tests.acceptance.storm.mail_counter import Arrived
from tests.acceptance.storm.verification import check_deliveries, check_suppressed
from tests.games.builders import awaited, play_some, running_match, say, sitting
from tests.waiting import until

NOON = datetime(2026, 11, 16, 12, tzinfo=UTC)
PATIENCE = 3
"""The number of seconds that the sender waits for a response. In production, it waits for 30 seconds."""


def figure(name):
    return next(sample.value for family in Backlog().collect() for sample in family.samples if sample.name == name)


@pytest.mark.django_db
def test_waiting_notifications_are_visible_to_players_and_operators(mail_server, settings, api):
    with time_machine.travel(NOON, tick=False) as clock:
        port, settings.EMAIL_PORT = settings.EMAIL_PORT, free_port()
        table = running_match()
        deliver_due()
        asked = awaited(table)
        told = api(sitting(asked)).get("/api/v1/me/notifications").json()["results"]
        assert {notification["state"] for notification in told} <= {"queued", "suppressed"}
        assert any(notification["why"].startswith("Can't reach the mail server: ") for notification in told)
        waiting = Notification.objects.filter(delivery=Delivery.QUEUED).count()
        assert figure("turnpost_queue_failing") == waiting > 0
        say(table, asked.number, "draw")
        settings.EMAIL_PORT = port
        clock.shift(QUEUE.backoff.first)
        deliver_due()
        assert figure("turnpost_queue_failing") == 0
    assert mail_server.arrived


@pytest.fixture
def silent_port():
    """Return a port that accepts connections but never responds."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def deliver_elsewhere():
    """Send emails like a worker, with a separate database connection."""
    try:
        deliver_due()
    finally:
        connections.close_all()


@pytest.mark.django_db(transaction=True)
def test_an_unresponsive_mail_server_delays_no_move_and_loses_no_notification(mail_server, settings, silent_port):
    port, settings.EMAIL_PORT, settings.EMAIL_TIMEOUT = settings.EMAIL_PORT, silent_port, PATIENCE
    table = running_match()
    Notification.objects.filter(kind=NotificationKind.INVITATION).delete()
    with ThreadPoolExecutor(1) as worker:
        sending = worker.submit(deliver_elsewhere)
        assert until(Notification.objects.filter(delivery=Delivery.SENDING).exists)
        play_some(table, 2)
        assert not sending.done(), "The moves were made while the sender was still waiting for a response."
        sending.result()
    reason = {"why__startswith": "Can't reach the mail server: ", "why__endswith": "timed out"}
    assert Notification.objects.filter(**reason).exists()
    settings.EMAIL_PORT = port
    Notification.objects.update(due_at=timezone.now())
    deliver_due()
    assert Notification.objects.filter(kind=NotificationKind.YOUR_TURN).latest("turn").delivery == Delivery.SENT
    mails = [Arrived(mail["Message-ID"], mail["To"]) for mail in mail_server.arrived]
    assert [*check_deliveries(mails), *check_suppressed()] == []
