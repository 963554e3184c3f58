"""Rejections by the mail server and reports from providers count as bounces."""

import pytest
from django.utils import timezone

from notifications import bounces
from notifications.models import Delivery
from tests.games.api.clients import Caller
from tests.notifications.bounces.returned import NOON, bouncing_address, notify, sent
from tests.notifications.builders import outcome

pytestmark = pytest.mark.django_db


class TestRejectedByTheServer:
    def test_a_rejection_because_of_an_unknown_address_counts_as_a_hard_bounce(self, ann, mail_server):
        mail_server.refusal = "550 5.1.1 No such user"
        assert outcome(notify(ann)) == (
            Delivery.BOUNCED,
            "The mail server rejected the address: 550 5.1.1 No such user",
        )
        assert (bouncing_address(ann).is_stopped, bouncing_address(ann).why) == (True, "550 5.1.1 No such user")
        mail_server.refusal = ""
        assert outcome(notify(ann)) == (Delivery.SUPPRESSED, "Mail to this address bounced.")

    def test_the_player_sees_the_reason_and_how_to_fix_it(self, ann, mail_server):
        mail_server.refusal = "550 5.1.1 No such user"
        outcome(notify(ann))
        caller = Caller(ann)
        assert [notification["state"] for notification in caller.get("/me/notifications").json()["results"]] == [
            "bounced"
        ]
        assert caller.get("/me").json()["mail"]["state"] == "stopped"

    @pytest.mark.parametrize(
        ("refusal", "delivery"),
        [("554 5.7.1 Relay access denied", Delivery.DEAD), ("451 4.7.1 Try again later", Delivery.QUEUED)],
    )
    def test_a_failure_that_may_be_our_fault_does_not_count(self, ann, mail_server, refusal, delivery):
        mail_server.refusal = refusal
        assert outcome(notify(ann)) == (delivery, f"The mail server rejected the address: {refusal}")
        assert bouncing_address(ann) is None

    def test_a_full_mailbox_counts_as_a_soft_bounce_and_delays_mail(self, ann, mail_server, clock):
        mail_server.refusal = "552 5.2.2 Mailbox full"
        notification = notify(ann)
        assert outcome(notification) == (
            Delivery.QUEUED,
            "The mail server rejected the address: 552 5.2.2 Mailbox full",
        )
        assert (notification.due_at, bouncing_address(ann).is_stopped) == (NOON + bounces.FIRST_PAUSE, False)
        mail_server.refusal = ""
        clock.move_to(notification.due_at)
        assert outcome(notification) == (Delivery.SENT, "")

    def test_mail_to_a_mailbox_that_stays_full_for_days_is_stopped(self, ann, mail_server, clock):
        mail_server.refusal = "552 5.2.2 Mailbox full"
        notification = notify(ann)
        for _ in range(bounces.MOST_BOUNCES):
            outcome(notification)
            clock.shift(bounces.LONGEST_PAUSE)
        assert (notification.delivery, bouncing_address(ann).is_stopped) == (Delivery.BOUNCED, True)


class TestEvents:
    @pytest.mark.parametrize(
        ("kind", "reason", "why", "delivery", "stopped"),
        [
            ("delivered", "", "", Delivery.DELIVERED, None),
            ("bounced", "bounced", "550 5.1.1 unknown", Delivery.BOUNCED, True),
            ("bounced", "bounced", "", Delivery.BOUNCED, True),
            ("bounced", "bounced", "552 5.2.2 full", Delivery.QUEUED, False),
            ("rejected", "invalid", "", Delivery.BOUNCED, True),
            ("rejected", "blocked", "policy", Delivery.QUEUED, False),
            ("failed", "other", "", Delivery.QUEUED, False),
            ("complained", "", "", Delivery.BOUNCED, True),
            ("deferred", "", "450 4.2.0 greylisted", Delivery.SENT, None),
            ("opened", "", "", Delivery.SENT, None),
        ],
    )
    def test_a_report_from_a_provider_counts_as_a_bounce(self, ann, mail_server, kind, reason, why, delivery, stopped):
        notification = sent(ann)
        bounces.note_event(kind, why, reason=reason, notification_id=notification.pk)
        notification.refresh_from_db()
        assert notification.delivery == delivery
        assert (bouncing_address(ann).is_stopped if bouncing_address(ann) else None) == stopped

    def test_a_report_about_another_address_does_not_affect_the_users_address(self, ann, mail_server):
        notification = sent(ann)
        bounces.note_event(
            "bounced", "550 5.1.1 unknown", notification_id=notification.pk, address="before@example.org"
        )
        notification.refresh_from_db()
        assert (notification.delivery, bouncing_address(ann)) == (Delivery.BOUNCED, None)

    def test_a_late_report_does_not_affect_an_address_that_has_been_fixed(self, ann, clock):
        early = timezone.now()
        bounces.note_event("bounced", "550 5.1.1 unknown", address=ann.email, at=early)
        clock.shift(60)
        bounces.clear(ann.email)
        bounces.note_event("bounced", "550 5.1.1 unknown", address=ann.email, at=early)
        assert not bouncing_address(ann).is_stopped
        bounces.note_event("bounced", "550 5.1.1 unknown", address=ann.email, at=timezone.now())
        assert bouncing_address(ann).is_stopped

    def test_a_report_that_names_no_notification_counts_for_the_address(self, ann):
        bounces.note_event("bounced", "550 5.1.1 unknown", address="Ann@Example.org")
        assert bouncing_address(ann).is_stopped
