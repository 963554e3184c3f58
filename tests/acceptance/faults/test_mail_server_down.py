"""The mail server is down, or takes the connection and says nothing: moves go on, players can read what waits and why,
operators see it, and all leaves after."""

import socket
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import pytest
import time_machine
from core.metrics.backlog import Backlog
from django.db import connections
from django.utils import timezone

from demo.ports import free_port
from notifications import delivery_log
from notifications.mail.sender import deliver_due
from notifications.models import Delivery, Notification, NotificationKind
from tests.acceptance.storm.doormat import Arrived
from tests.acceptance.storm.reckoning import about_notices, about_what_was_not_sent
from tests.games.builders import awaited, play_some, running_match, say, sitting
from tests.notifications.conftest import sink
from tests.waiting import until

__all__ = ["sink"]

NOON = datetime(2026, 11, 16, 12, tzinfo=UTC)
PATIENCE = 3
"""Seconds that the sender waits for a word; in service it is half a minute."""


def figure(name):
    return next(sample.value for family in Backlog().collect() for sample in family.samples if sample.name == name)


@pytest.mark.django_db
def test_notices_wait_for_the_mail_server_in_sight_of_player_and_operator(sink, settings, api):
    with time_machine.travel(NOON, tick=False) as clock:
        port, settings.EMAIL_PORT = settings.EMAIL_PORT, free_port()
        table = running_match()
        deliver_due()
        asked = awaited(table)
        told = api(sitting(asked)).get("/api/v1/me/notifications").json()["results"]
        assert {notification["state"] for notification in told} <= {"queued", "suppressed"}
        assert any(notification["why"].startswith("The mail server cannot be reached: ") for notification in told)
        waiting = Notification.objects.filter(delivery=Delivery.QUEUED).count()
        assert figure("turnpost_queue_failing") == waiting > 0
        say(table, asked.number, "draw")
        settings.EMAIL_PORT = port
        clock.shift(delivery_log.FIRST_DELAY)
        deliver_due()
        assert figure("turnpost_queue_failing") == 0
    assert sink.arrived


@pytest.fixture
def silent_port():
    """Where the kernel takes every connection, and nobody ever says a word."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def deliver_elsewhere():
    """As a worker does, with a connection of its own to the database."""
    try:
        deliver_due()
    finally:
        connections.close_all()


@pytest.mark.django_db(transaction=True)
def test_a_mail_server_that_says_nothing_holds_up_no_move_and_costs_no_notice(sink, settings, silent_port):
    port, settings.EMAIL_PORT, settings.EMAIL_TIMEOUT = settings.EMAIL_PORT, silent_port, PATIENCE
    table = running_match()
    Notification.objects.filter(kind=NotificationKind.INVITATION).delete()
    with ThreadPoolExecutor(1) as worker:
        sending = worker.submit(deliver_elsewhere)
        assert until(Notification.objects.filter(delivery=Delivery.SENDING).exists)
        play_some(table, 2)
        assert not sending.done(), "The moves were made while the sender still waited for a word."
        sending.result()
    (why,) = Notification.objects.exclude(why="").values_list("why", flat=True).distinct()
    assert why.startswith("The mail server cannot be reached: ")
    assert why.endswith("timed out")
    settings.EMAIL_PORT = port
    Notification.objects.update(due_at=timezone.now())
    deliver_due()
    assert Notification.objects.filter(kind=NotificationKind.YOUR_TURN).latest("turn").delivery == Delivery.SENT
    mails = [Arrived(mail["Message-ID"], mail["To"]) for mail in sink.arrived]
    assert [*about_notices(mails), *about_what_was_not_sent()] == []
