"""A job that always fails or crashes its worker does not delay other jobs, and is eventually marked as dead."""

from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.urls import reverse
from kombu import Connection

from config.celery import app
from core import vault
from core.jobs.runner import task_name
from games.models import Match
from inbound import handling
from inbound.models import InboundMail, MailResult
from inbound.parsing import read
from notifications import outbox
from notifications.mail.sender import deliver_due
from notifications.models import Delivery, Notification, NotificationKind, WebhookCall
from notifications.webhooks import calls, http, sender, service
from tests.brokers import broker
from tests.games.builders import awaited, running_match, sitting
from tests.mail_server import RecordingMailServer
from tests.not_none import not_none
from tests.notifications.webhooks.conftest import hook, listener, private_allowed
from tests.requirements import BROKERS
from tests.waiting import until
from tests.workers import worker_process

__all__ = ["hook", "listener", "private_allowed"]

MAIL = task_name(outbox.MAIL)
NOON = datetime(2026, 11, 16, 12, tzinfo=UTC)
GARBAGE = [b"", b"\xff\x00garbage", b"[1, 2", b"{}", b"null", b'{"body": 7}', b'{"body": "", "properties": {}}']


def throw_garbage_into(app):
    """Put foreign messages into the queue that all workers read from."""
    queue = app.conf.task_default_queue
    with Connection(app.conf.broker_url) as connection:
        channel: Any = connection.default_channel
        if connection.transport.driver_type == "redis":
            channel.client.lpush(queue, *GARBAGE)
            return
        for body in GARBAGE:
            for kind in ("application/json", "application/x-python-serialize", ""):
                message = channel.prepare_message(body, content_type=kind, content_encoding="utf-8")
                channel.basic_publish(message, exchange="", routing_key=queue)


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.filterwarnings("ignore::celery.exceptions.SecurityWarning")
@pytest.mark.parametrize("name", BROKERS)
def test_garbage_in_the_queue_does_not_stop_a_worker(name, tmp_path):
    running_match()
    Notification.objects.exclude(kind=NotificationKind.YOUR_TURN).delete()
    with (
        broker(name) as real,
        RecordingMailServer() as mail_server,
        worker_process(real, mail_server.port, tmp_path) as worker,
    ):
        real.send_task("games.no_such_task", args=[1])
        real.send_task(MAIL, args=["too", "many"], kwargs={"strange": True})
        throw_garbage_into(real)
        real.send_task(MAIL)
        assert until(lambda: mail_server.arrived or worker.poll() is not None, 60)
        assert worker.poll() is None, "The worker has not ended."


def test_a_worker_keeps_reconnecting_to_its_broker():
    assert app.conf.broker_connection_max_retries is None


def fates(of=Notification):
    return Counter(of.objects.values_list("delivery", flat=True))


def attempts(work, lease, clock, most):
    """Run workers that crash on a job, and return how many of them crashed."""
    deaths = 0
    for _ in range(most):
        try:
            work()
        except SystemExit:
            deaths += 1
        clock.shift(lease)
    return deaths


@pytest.mark.django_db
class TestNotifications:
    def test_a_notification_with_an_unreadable_position_does_not_delay_others_and_is_marked_as_dead(self, mail_server):
        """This happens, for example, if somebody loses a key or edits the database by hand."""
        poisoned, *_ = [running_match(seats=2) for _ in range(3)]
        Notification.objects.exclude(kind=NotificationKind.YOUR_TURN).delete()
        Match.objects.filter(pk=poisoned.match.pk).update(encrypted_state=vault.encrypt(b"garbage"))
        with time_machine.travel(NOON + timedelta(days=999), tick=False) as clock:
            deliver_due()
            assert fates() == {Delivery.SENT: 2, Delivery.QUEUED: 1}
            attempts(deliver_due, timedelta(hours=5), clock, outbox.QUEUE.most_tries)
        assert fates() == {Delivery.SENT: 2, Delivery.DEAD: 1}
        why = "Turnpost couldn't write this email (UnreadableRecord)."
        assert Notification.objects.get(delivery=Delivery.DEAD).why == why

    def test_operators_can_find_dead_notifications_and_the_reason(self, operator, mail_server, caplog):
        running_match(seats=2)
        mail_server.refusal = "451 Try again later"
        Notification.objects.update(tries=outbox.QUEUE.most_tries - 1)
        deliver_due()
        dead = Notification.objects.filter(delivery=Delivery.DEAD).first()
        assert f"Giving up on {dead}." in caplog.text
        page = operator.get(
            reverse("admin:notifications_notification_changelist"), {"delivery": "dead"}
        ).content.decode()
        assert "451 Try again later" in page
        assert reverse("admin:notifications_notification_change", args=[not_none(dead).pk]) in page


@pytest.mark.django_db
class TestMailThatCameIn:
    def test_a_notification_that_crashes_its_worker_does_not_delay_others_and_is_marked_as_dead(self, monkeypatch):
        with time_machine.travel(NOON, tick=False) as clock:
            running_match()
            asked = Notification.objects.get(kind=NotificationKind.YOUR_TURN)
            mails = [self.keep(asked, words) for words in (b"poison", b"fine")]

            def die_of_poison(content, *sender, honest=read):
                if content == b"poison":
                    raise SystemExit
                return honest(content, *sender)

            monkeypatch.setattr(handling, "read", die_of_poison)
            deaths = attempts(handling.handle_due, timedelta(hours=5), clock, 2 * handling.QUEUE.most_tries)
        assert deaths == handling.QUEUE.most_tries
        poisoned, fine = (InboundMail.objects.get(pk=mail).result for mail in mails)
        assert poisoned == MailResult.FAILED
        assert fine not in (MailResult.FAILED, MailResult.WAITING)

    def keep(self, notification, content):
        now = datetime.now(UTC)
        return InboundMail.objects.create(
            notification=notification,
            user=notification.user,
            purpose="reply",
            source="smtp",
            content=vault.encrypt(content),
            received_at=now,
            due_at=now,
            size=len(content),
            turn=notification.turn,
            fingerprint=content.decode(),
        ).pk


@pytest.mark.django_db
class TestWebhooks:
    @pytest.fixture
    def owed(self, hook, listener):
        """Create webhook calls for three players, to different addresses. The first call fails."""
        for name in ("poison", "one", "two"):
            seat = awaited(running_match(seats=2, players=[f"{name}1", f"{name}2"]))
            hook(sitting(seat), service.KINDS, url=listener.url(path=f"/{name}"))
        Notification.objects.exclude(kind=NotificationKind.YOUR_TURN).delete()
        Notification.objects.update(is_for_webhooks=True)

    def poisoned(self, monkeypatch, death):
        honest = http.post

        def post(target, body, headers):
            if "poison" in target.path:
                raise death
            return honest(target, body, headers)

        monkeypatch.setattr(http, "post", post)

    def test_a_webhook_call_that_always_fails_does_not_delay_others(self, owed, monkeypatch):
        self.poisoned(monkeypatch, AssertionError("poison"))
        sender.deliver_due()
        assert fates(WebhookCall) == {Delivery.SENT: 2, Delivery.QUEUED: 1}
        why = "Turnpost couldn't make this call (AssertionError)."
        assert WebhookCall.objects.get(delivery=Delivery.QUEUED).why == why

    def test_a_webhook_call_that_crashes_its_worker_does_not_delay_others_and_is_marked_as_dead(
        self, owed, monkeypatch
    ):
        self.poisoned(monkeypatch, SystemExit())
        with time_machine.travel(NOON + timedelta(days=999), tick=False) as clock:
            deaths = attempts(sender.deliver_due, timedelta(hours=2), clock, 2 * calls.QUEUE.most_tries)
        assert fates(WebhookCall) == {Delivery.SENT: 2, Delivery.DEAD: 1}
        assert deaths == calls.QUEUE.most_tries
        assert WebhookCall.objects.get(delivery=Delivery.DEAD).why == "Every attempt to call it was interrupted."
