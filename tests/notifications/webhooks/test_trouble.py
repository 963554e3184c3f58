"""What happens to a call that the other side does not take."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine

from notifications.models import Delivery, NotificationKind, WebhookCall
from notifications.webhooks import calls, sender
from notifications.webhooks.sender import deliver_due
from tests.notifications.webhooks.owing import NOON, fate, owe

pytestmark = pytest.mark.django_db


class TestTrouble:
    def test_a_side_that_is_away_for_an_hour_is_called_again_and_in_the_end_hears_it_once(self, asked, listener):
        with time_machine.travel(datetime.now(UTC), tick=False) as clock:
            start = datetime.now(UTC)
            notification = owe(asked)
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

    def test_after_so_many_tries_it_is_given_up(self, asked, listener):
        listener.status = 500
        notification = owe(asked)
        calls.make_all()
        WebhookCall.objects.update(tries=calls.QUEUE.most_tries - 1)
        assert fate(notification)[0] == Delivery.DEAD

    def test_what_was_refused_for_good_is_not_tried_again(self, asked, listener):
        listener.status = 404
        assert fate(owe(asked)) == (Delivery.DEAD, "127.0.0.1 returned 404.")

    def test_whoever_is_too_busy_is_left_alone_as_long_as_they_say(self, asked, listener):
        listener.status, listener.headers = 429, {"Retry-After": "1800"}
        with time_machine.travel(NOON, tick=False):
            notification = owe(asked)
            deliver_due()
            assert notification.calls.get().due_at == NOON + timedelta(seconds=1801)

    def test_each_wait_is_longer_and_never_the_same_for_all(self):
        waits = [{calls.QUEUE.backoff.delay(tries) for _ in range(20)} for tries in range(1, 11)]
        assert all(len(alike) > 1 for alike in waits)
        assert max(waits[0]) <= calls.QUEUE.backoff.first
        assert max(waits[-1]) <= calls.QUEUE.backoff.longest

    def test_a_notification_that_cannot_be_written_holds_up_no_other(self, asked, listener, monkeypatch):
        owe(asked, NotificationKind.REMINDER)
        honest = owe(asked)

        def of_notification(call, context, honestly=sender.signed_payload.of_notification):
            if context.notification.kind == NotificationKind.REMINDER:
                raise KeyError("poison")
            return honestly(call, context)

        monkeypatch.setattr(sender.signed_payload, "of_notification", of_notification)
        assert fate(honest)[0] == Delivery.SENT
        assert (
            WebhookCall.objects.get(notification__kind=NotificationKind.REMINDER).why
            == "Couldn't be written: KeyError."
        )

    def test_a_call_that_died_with_its_worker_is_made_by_another(self, asked, listener):
        owe(asked)
        calls.make_all()
        now = datetime.now(UTC)
        calls.QUEUE.claim(now, 10)
        deliver_due()
        assert listener.heard == [], "Until the lease ends, the call is the dead worker's."
        WebhookCall.objects.update(due_at=now)
        deliver_due()
        assert len(listener.heard) == 1

    def test_whoever_claims_takes_no_more_than_asked_for(self, asked):
        for kind in (NotificationKind.YOUR_TURN, NotificationKind.REMINDER):
            owe(asked, kind=kind)
        calls.make_all()
        assert WebhookCall.objects.count() == 2
        assert len(calls.QUEUE.claim(datetime.now(UTC), 1).jobs) == 1
        assert len(calls.QUEUE.claim(datetime.now(UTC), 5).jobs) == 1

    def test_a_name_that_leads_inside_by_now_is_not_called(self, asked, listener, settings):
        settings.WEBHOOKS_PRIVATE = False
        assert fate(owe(asked)) == (Delivery.DEAD, "127.0.0.1 isn't a public address.")
        assert listener.heard == []
