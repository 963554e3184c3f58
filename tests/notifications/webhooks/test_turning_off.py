"""A webhook that fails for days is turned off."""

from datetime import timedelta

import pytest

from notifications.mail import sender
from notifications.models import Delivery, Notification, WebhookCall
from notifications.webhooks import calls, service
from notifications.webhooks.sender import deliver_due
from tests.games.builders import player, running_match
from tests.notifications.webhooks.builders import NOON, forget

pytestmark = pytest.mark.django_db


class TestTurningOff:
    @pytest.fixture
    def webhook(self, hook):
        webhook = hook(player("ann"))
        forget()
        return webhook

    def fail(self, webhook, times, since):
        for number in range(times):
            calls.note_failure(webhook.pk, "hooks.example.org returned 404.", since + number * timedelta(hours=3))
        webhook.refresh_from_db()

    def test_a_day_of_failures_turns_a_webhook_off_and_notifies_the_player(self, webhook, mailoutbox):
        self.fail(webhook, calls.MOST_FAILURES, NOON)
        assert webhook.disabled_at
        sender.deliver_due()
        (mail,) = mailoutbox
        assert mail.to == ["ann@example.org"]
        assert mail.subject == "Your webhook to 127.0.0.1 was turned off"
        assert "hooks.example.org returned 404." in mail.body
        assert f"turnpost webhooks enable {webhook.pk}" in mail.body
        assert "/turns" not in mail.body

    def test_many_failures_within_a_few_hours_do_not_turn_a_webhook_off(self, webhook):
        for _ in range(3 * calls.MOST_FAILURES):
            calls.note_failure(webhook.pk, "It hung up.", NOON)
        webhook.refresh_from_db()
        assert (webhook.disabled_at, webhook.failures) == (None, 3 * calls.MOST_FAILURES)

    def test_a_few_failures_over_a_long_time_do_not_turn_a_webhook_off(self, webhook):
        calls.note_failure(webhook.pk, "It hung up.", NOON)
        calls.note_failure(webhook.pk, "It hung up.", NOON + timedelta(days=30))
        webhook.refresh_from_db()
        assert webhook.disabled_at is None

    def test_one_success_resets_the_count(self, webhook):
        self.fail(webhook, calls.MOST_FAILURES - 1, NOON)
        calls.note_taken(webhook.pk, NOON + timedelta(days=2))
        self.fail(webhook, 1, NOON + timedelta(days=3))
        assert (webhook.disabled_at, webhook.failures) == (None, 1)

    def test_calls_that_were_queued_when_a_webhook_was_turned_off_are_not_made_later(self, webhook):
        running_match()
        WebhookCall.objects.all().delete()
        call = WebhookCall.objects.create(
            webhook=webhook, notification=Notification.objects.first(), created_at=NOON, due_at=NOON
        )
        self.fail(webhook, calls.MOST_FAILURES, NOON)
        call.refresh_from_db()
        assert (call.delivery, call.why) == (Delivery.SUPPRESSED, "The webhook is off.")

    def test_turning_a_webhook_on_again_resets_the_count(self, webhook, mailoutbox):
        self.fail(webhook, calls.MOST_FAILURES, NOON)
        service.enable(player("ann"), webhook.pk)
        self.fail(webhook, 1, NOON + timedelta(days=9))
        assert (webhook.disabled_at, webhook.failures) == (None, 1)
        sender.deliver_due()
        assert mailoutbox == [], "The webhook is on again, so no email is sent."

    def test_a_failed_test_call_is_not_counted(self, webhook, listener):
        listener.status = 500
        call = service.add_test(player("ann"), webhook.pk)
        deliver_due()
        call.refresh_from_db()
        webhook.refresh_from_db()
        assert (call.delivery, call.status, webhook.failures) == (Delivery.DEAD, 500, 0)

    def test_a_webhook_that_is_turned_off_can_be_tested(self, webhook, listener):
        self.fail(webhook, calls.MOST_FAILURES, NOON)
        service.add_test(player("ann"), webhook.pk)
        deliver_due()
        assert listener.heard[0].json["event"] == "test"
