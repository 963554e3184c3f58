"""Bounces stop or delay mail, depending on the report."""

from datetime import timedelta

import pytest
from django.utils import timezone

from notifications import bounces
from notifications.mail.sender import deliver_due
from notifications.models import BouncingAddress, Delivery, Notification, NotificationKind
from notifications.smtp_replies import MailOutcome, Report
from tests.games.builders import awaited, player, running_match, say, sitting
from tests.notifications.bounces.returned import HARD, SOFT, bounced, bouncing_address, notify, report, sample, sent
from tests.notifications.builders import outcome

pytestmark = pytest.mark.django_db


class TestHard:
    def test_a_hard_bounce_stops_mail_to_the_address_and_appears_in_the_delivery_log(self, ann, mail_server):
        notification = bounced(ann, HARD)
        assert notification.delivery == Delivery.BOUNCED
        assert notification.why.startswith("Bounced: 550 5.1.1 <ann@example.net>: Recipient address rejected")
        assert bouncing_address(ann).is_stopped
        assert outcome(notify(ann)) == (Delivery.SUPPRESSED, "Mail to this address bounced.")
        assert len(mail_server.arrived) == 1

    def test_other_users_still_get_mail(self, ann, mail_server):
        bounced(ann, HARD)
        assert outcome(notify(player("ben")))[0] == Delivery.SENT

    def test_even_turn_emails_are_not_sent_after_a_hard_bounce(self, clock, mail_server):
        table = running_match()
        asked = awaited(table)
        BouncingAddress.objects.create(email=sitting(asked).email, is_stopped=True)
        deliver_due()
        assert sitting(asked).email not in [mail["To"] for mail in mail_server.arrived]

    @pytest.mark.parametrize("kind", [NotificationKind.TEST_MAIL, NotificationKind.RESET_PASSWORD])
    def test_emails_that_the_user_requested_are_still_sent(self, ann, mail_server, kind):
        bounced(ann, HARD)
        notification = notify(ann, kind, email=ann.email)
        assert outcome(notification)[0] == Delivery.SENT

    def test_mail_to_an_address_without_an_account_is_stopped_too(self, ann, mail_server):
        notification = notify(ann, user=None, email="nobody@example.org")
        deliver_due()
        report(HARD, notification.pk)
        again = notify(ann, user=None, email="nobody@example.org")
        assert outcome(again)[0] == Delivery.SUPPRESSED
        assert bouncing_address(ann) is None


class TestSoft:
    def test_each_soft_bounce_makes_the_delay_longer(self, ann, mail_server, clock):
        notification, waits = sent(ann), []
        for _ in range(3):
            report(SOFT, notification.pk)
            notification.refresh_from_db()
            assert notification.delivery == Delivery.QUEUED
            waits.append(notification.due_at - timezone.now())
            clock.move_to(notification.due_at)
            assert outcome(notification)[0] == Delivery.SENT
        assert waits == [timedelta(hours=1), timedelta(hours=2), timedelta(hours=4)]

    def test_other_mail_to_the_address_waits_too(self, ann, mail_server, clock):
        bounced(ann, SOFT)
        other = notify(ann)
        assert outcome(other) == (Delivery.QUEUED, "Mail to this address is bouncing.")
        clock.shift(timedelta(hours=1))
        assert outcome(other)[0] == Delivery.SENT

    def test_an_outdated_notification_is_not_sent_again(self, clock, mail_server):
        table = running_match()
        seat = awaited(table)
        deliver_due()
        notification = Notification.objects.get(user=seat.user, kind=NotificationKind.YOUR_TURN)
        Notification.objects.filter(pk=notification.pk).update(sent_at=timezone.now() + timedelta(seconds=1))
        report(SOFT, notification.pk)
        say(table, seat.number, "draw")
        clock.shift(timedelta(hours=1))
        assert outcome(notification) == (Delivery.SUPPRESSED, "It's no longer your turn.")

    def test_many_soft_bounces_over_several_days_stop_mail(self, ann, mail_server, clock):
        for _ in range(bounces.MOST_BOUNCES - 1):
            bounced(ann, SOFT)
            clock.shift(bounces.LONGEST_PAUSE)
            Notification.objects.all().delete()
        assert not bouncing_address(ann).is_stopped
        assert bounced(ann, SOFT).delivery == Delivery.BOUNCED
        assert bouncing_address(ann).is_stopped

    def test_many_soft_bounces_within_a_day_do_not_stop_mail(self, ann, mail_server):
        for _ in range(2 * bounces.MOST_BOUNCES):
            bounces.record_bounce(ann.email, Report(MailOutcome.SOFT, "full"), timezone.now())
        assert not bouncing_address(ann).is_stopped

    def test_the_delay_has_a_maximum(self, ann, mail_server):
        for _ in range(100):
            bounces.record_bounce(ann.email, Report(MailOutcome.SOFT, "full"), timezone.now())
        assert bouncing_address(ann).quiet_until == timezone.now() + bounces.LONGEST_PAUSE

    def test_old_bounces_are_forgotten(self, ann, mail_server, clock):
        bounced(ann, SOFT)
        clock.shift(bounces.FORGOTTEN_AFTER + timedelta(days=1))
        bounced(ann, SOFT)
        assert bouncing_address(ann).bounces == 1

    def test_a_report_of_a_delay_is_recorded_without_further_effect(self, ann, mail_server):
        notification = bounced(ann, sample("postfix_delayed"))
        assert (notification.delivery, bouncing_address(ann)) == (Delivery.SENT, None)
        assert notification.why.startswith("Delayed: 4.4.1 connect to mail.example.net")


class TestDelivered:
    def test_a_confirmed_delivery_appears_in_the_delivery_log(self, ann, mail_server):
        assert bounced(ann, sample("postfix_delivered")).delivery == Delivery.DELIVERED

    def test_a_confirmed_delivery_clears_earlier_bounces(self, ann, mail_server, clock):
        bounced(ann, SOFT)
        clock.shift(timedelta(hours=2))
        bounced(ann, sample("postfix_delivered"))
        assert bouncing_address(ann).quiet_until is None

    def test_a_confirmed_delivery_does_not_clear_later_bounces(self, ann, mail_server, clock):
        early = sent(ann)
        clock.shift(timedelta(minutes=5))
        bounced(ann, HARD)
        report(sample("postfix_delivered"), early.pk)
        assert bouncing_address(ann).is_stopped


class TestWhichReportsCount:
    def test_a_report_about_an_unsent_or_deleted_notification_changes_nothing(self, ann):
        report(HARD, notify(ann).pk)
        report(HARD, 987654)
        assert not BouncingAddress.objects.exists()

    def test_a_report_that_arrives_twice_counts_once(self, ann, mail_server):
        notification = bounced(ann, HARD)
        bounces.clear(ann.email)
        report(HARD, notification.pk)
        assert not bouncing_address(ann).is_stopped

    def test_a_bounce_that_arrives_before_the_email_is_recorded_as_sent_still_counts(self, ann):
        notification = notify(ann, delivery=Delivery.SENDING)
        report(HARD, notification.pk)
        notification.refresh_from_db()
        assert (notification.delivery, bouncing_address(ann).is_stopped) == (Delivery.SENDING, True)
