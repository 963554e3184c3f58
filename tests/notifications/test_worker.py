"""Real workers send email with the in-memory broker, Redis and RabbitMQ."""

from collections import Counter
from datetime import timedelta
from uuid import uuid4

import pytest
import requests
from celery import Celery
from django.utils import timezone

from config.celery import app
from core.jobs import runner
from games.selectors.loading import load_match
from notifications import outbox
from notifications.mail import sender
from notifications.mail.sender import deliver_due
from notifications.models import Delivery, Notification, NotificationKind
from tests.brokers import broker
from tests.games.builders import awaited, running_match, send, sitting
from tests.not_none import not_none
from tests.requirements import BROKERS
from tests.waiting import until
from tests.workers import service_process, worker_process, worker_thread

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.filterwarnings("ignore::celery.exceptions.SecurityWarning"),
]
NOBODY_LISTENS = "redis://127.0.0.1:1/0"


def play_on(table, turns):
    """Draw and place a card, or take a row, so that it becomes another player's turn."""
    for _ in range(turns):
        table = load_match(table.match.id)
        seat = awaited(table)
        for move in turn_of(table, seat):
            now = load_match(table.match.id)
            assert send(now.match.id, seat.user, move, now.match.turn).status == 200
        yield


def turn_of(table, seat):
    first = table.engine.notation(table.engine.choices(table.state, seat.drawn).moves[0])
    if first != "draw":
        return [first]
    row = next(row.row for row in table.engine.view(table.state, seat.drawn).rows if has_room(row))
    return ["draw", f"place {row}"]


def has_room(row):
    return row.taken_by is None and len(row.cards) < row.room


def mails(mail_server, kind="your_turn"):
    return [mail for mail in mail_server.arrived if mail["X-Turnpost-Kind"] == kind]


def settled(kind=NotificationKind.YOUR_TURN):
    return Counter(Notification.objects.filter(kind=kind).values_list("delivery", flat=True))


def play_and_count(table, mail_server, turns=6):
    """Play some turns, and check that there are as many notifications and emails as turns, because each turn notifies
    one other player. The match starts before the worker does, so that no outdated invitations are mailed."""
    start = len(mail_server.wait_for(3))
    assert start == 3, 'One player gets "your turn", and two get "match started".'
    for number, _ in enumerate(play_on(table, turns), start=1):
        assert len(mail_server.wait_for(start + number)) == start + number
    assert Notification.objects.filter(kind=NotificationKind.YOUR_TURN).count() == len(mails(mail_server)) == turns + 1
    assert max(Counter(mail["Message-ID"] for mail in mail_server.arrived).values()) == 1


def test_every_turn_is_mailed_once_with_the_in_memory_broker(mail_server):
    table = running_match()
    with worker_thread(app):
        play_and_count(table, mail_server)


@pytest.mark.parametrize("name", BROKERS)
def test_every_turn_is_mailed_once_with_a_real_broker(name, mail_server, tmp_path, monkeypatch):
    with broker(name) as real:
        monkeypatch.setattr(runner, "current_app", real)
        table = running_match()
        with worker_process(real, mail_server.port, tmp_path):
            play_and_count(table, mail_server)


@pytest.mark.parametrize("name", BROKERS)
def test_moves_work_without_a_broker_and_are_mailed_when_the_broker_is_back(name, mail_server, tmp_path, monkeypatch):
    monkeypatch.setattr(runner, "current_app", Celery(broker=NOBODY_LISTENS))
    table = running_match()
    assert len(list(play_on(table, 4))) == 4
    assert set(Notification.objects.values_list("delivery", flat=True)) == {Delivery.QUEUED}
    with broker(name) as real, worker_process(real, mail_server.port, tmp_path):
        real.send_task(runner.task_name("mail"))
        assert until(lambda: not outbox.QUEUE.due(timezone.now() + timedelta(days=1)).exists())
    assert settled() == {Delivery.SENT: 1, Delivery.SUPPRESSED: 4}, "Only the last turn still matters."
    assert len(mail_server.arrived) == Notification.objects.filter(delivery=Delivery.SENT).count()
    (mail,) = mails(mail_server)
    assert mail["To"] == sitting(awaited(load_match(table.match.id))).email


def owe_many(count):
    """Create this many players, each with a turn in a separate match."""
    for _ in range(count):
        running_match(seats=2)
    Notification.objects.exclude(kind=NotificationKind.YOUR_TURN).delete()


def lease_ends(now_it_is_due):
    Notification.objects.filter(delivery=Delivery.SENDING).update(due_at=now_it_is_due)


@pytest.mark.parametrize("name", BROKERS)
def test_a_worker_killed_between_claim_and_send_loses_nothing_and_repeats_nothing(name, mail_server, tmp_path):
    owe_many(5)
    with broker(name) as real, worker_process(real, mail_server.port, tmp_path) as worker:
        mail_server.on_connect = worker.kill
        real.send_task(runner.task_name("mail"))
        worker.wait(60)
    mail_server.on_connect = lambda: None
    assert settled() == {Delivery.SENDING: 5}
    assert mail_server.arrived == []
    deliver_due()
    assert mail_server.arrived == [], "The dead worker holds the notifications until the lease ends."
    lease_ends(not_none(Notification.objects.first()).created_at)
    deliver_due()
    assert settled() == {Delivery.SENT: 5}
    assert len(mail_server.arrived) == 5


@pytest.mark.parametrize("name", BROKERS)
def test_a_worker_killed_after_the_mail_servers_reply_repeats_only_unrecorded_emails(name, mail_server, tmp_path):
    owe_many(5)
    with broker(name) as real, worker_process(real, mail_server.port, tmp_path) as worker:
        mail_server.on_mail = lambda _: worker.kill() if len(mail_server.arrived) == 2 else None
        real.send_task(runner.task_name("mail"))
        worker.wait(60)
    mail_server.on_mail = lambda _: None
    before = {mail["Message-ID"] for mail in mail_server.wait_for(3)}
    noted = settled()[Delivery.SENT]
    lease_ends(not_none(Notification.objects.first()).created_at)
    deliver_due()
    arrived = Counter(mail["Message-ID"] for mail in mail_server.arrived)
    repeated = {message_id for message_id, times in arrived.items() if times > 1}
    assert len(arrived) == settled()[Delivery.SENT] == 5, "Nothing is lost."
    assert repeated <= before, "Only emails that the server accepted can be repeated."
    assert sum(times - 1 for times in arrived.values()) == len(before) - noted <= sender.LOOKED_AT_ONCE


def wake(port):
    """Register, which sends an email and therefore wakes the worker inside the service."""
    name = f"new{uuid4().hex[:8]}"
    body = {"username": name, "email": f"{name}@example.org", "password": "Gr33n cowboys ride"}
    assert requests.post(f"http://localhost:{port}/api/v1/registrations", json=body, timeout=30).status_code == 202


def test_a_service_killed_between_claim_and_send_sends_everything_after_a_restart(mail_server, tmp_path):
    owe_many(5)
    with service_process(mail_server.port, tmp_path) as (service, port):
        mail_server.on_connect = service.kill
        wake(port)
        service.wait(60)
    mail_server.on_connect = lambda: None
    assert (settled(), mail_server.arrived) == ({Delivery.SENDING: 5}, [])
    lease_ends(not_none(Notification.objects.first()).created_at)
    with service_process(mail_server.port, tmp_path) as (_, port):
        wake(port)
        assert until(lambda: settled() == {Delivery.SENT: 5})
    assert Counter(mail["Message-ID"] for mail in mails(mail_server)).total() == 5
