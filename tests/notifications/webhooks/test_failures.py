"""Failed calls are retried."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine

from notifications.models import Delivery, NotificationKind, WebhookCall
from notifications.webhooks import calls, signed_payload
from notifications.webhooks.sender import deliver_due
from tests.not_none import not_none
from tests.notifications.webhooks.builders import NOON, notify, outcome

pytestmark = pytest.mark.django_db


class TestFailures:
    def test_a_call_to_a_host_that_is_down_for_an_hour_is_retried_until_it_succeeds_once(self, asked, listener):
        with time_machine.travel(datetime.now(UTC), tick=False) as clock:
            start = datetime.now(UTC)
            notification = notify(asked)
            listener.status = 503
            while datetime.now(UTC) < start + timedelta(hours=1):
                deliver_due()
                clock.shift(15)
            assert notification.calls.get().delivery == Delivery.QUEUED
            assert 4 <= len(listener.heard) <= calls.QUEUE.most_tries
            listener.status = 200
            clock.shift(calls.QUEUE.backoff.longest)
            deliver_due()
            deliver_due()
        assert notification.calls.get().delivery == Delivery.SENT
        assert {heard.json["id"] for heard in listener.heard} == {notification.calls.get().public_id}

    def test_a_call_is_not_retried_after_the_last_attempt(self, asked, listener):
        listener.status = 500
        notification = notify(asked)
        calls.make_all()
        WebhookCall.objects.update(tries=calls.QUEUE.most_tries - 1)
        assert outcome(notification)[0] == Delivery.DEAD

    def test_a_permanent_failure_is_not_retried(self, asked, listener):
        listener.status = 404
        assert outcome(notify(asked)) == (Delivery.DEAD, "127.0.0.1 returned 404.")

    def test_a_busy_host_is_left_alone_for_as_long_as_it_requests(self, asked, listener):
        listener.status, listener.headers = 429, {"Retry-After": "1800"}
        with time_machine.travel(NOON, tick=False):
            notification = notify(asked)
            deliver_due()
            assert notification.calls.get().due_at == NOON + timedelta(seconds=1801)

    def test_each_delay_is_longer_than_the_previous_one_and_has_jitter(self):
        waits = [{calls.QUEUE.backoff.delay(tries) for _ in range(20)} for tries in range(1, 11)]
        assert all(len(alike) > 1 for alike in waits)
        assert max(waits[0]) <= calls.QUEUE.backoff.first
        assert max(waits[-1]) <= calls.QUEUE.backoff.longest

    def test_a_notification_that_fails_to_render_does_not_block_others(self, asked, listener, monkeypatch):
        notify(asked, NotificationKind.REMINDER)
        honest = notify(asked)

        def of_notification(call, context, honestly=signed_payload.of_notification):
            if context.notification.kind == NotificationKind.REMINDER:
                raise KeyError("poison")
            return honestly(call, context)

        monkeypatch.setattr(signed_payload, "of_notification", of_notification)
        assert outcome(honest)[0] == Delivery.SENT
        assert (
            WebhookCall.objects.get(notification__kind=NotificationKind.REMINDER).why
            == "Turnpost couldn't write this call (KeyError)."
        )

    def test_a_call_claimed_by_a_dead_worker_is_made_by_another(self, asked, listener):
        notify(asked)
        calls.make_all()
        now = datetime.now(UTC)
        calls.QUEUE.claim(now, 10)
        deliver_due()
        assert listener.heard == [], "The dead worker holds the call until the lease ends."
        WebhookCall.objects.update(due_at=now)
        deliver_due()
        assert len(listener.heard) == 1

    def test_a_claim_takes_no_more_calls_than_requested(self, asked):
        for kind in (NotificationKind.YOUR_TURN, NotificationKind.REMINDER):
            notify(asked, kind=kind)
        calls.make_all()
        assert WebhookCall.objects.count() == 2
        assert len(not_none(calls.QUEUE.claim(datetime.now(UTC), 1)).jobs) == 1
        assert len(not_none(calls.QUEUE.claim(datetime.now(UTC), 5)).jobs) == 1

    def test_a_host_name_that_now_resolves_to_a_private_address_is_not_called(self, asked, listener, settings):
        settings.WEBHOOKS_PRIVATE = False
        assert outcome(notify(asked)) == (Delivery.DEAD, "127.0.0.1 isn't a public address.")
        assert listener.heard == []
