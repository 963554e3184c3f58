"""Mail that came back: it stops or waits, as the report says."""

from datetime import timedelta

import pytest
from django.utils import timezone

from notifications import bounces
from notifications.mail.sender import deliver_due
from notifications.models import BouncingAddress, Delivery, Notification, NotificationKind
from tests.games.builders import awaited, player, running_match, say
from tests.notifications.bounces.returned import HARD, SOFT, bounced, owe, report, sample, sent, trouble
from tests.notifications.owing import fate

pytestmark = pytest.mark.django_db


class TestHard:
    def test_it_stops_mail_to_the_address_and_is_in_the_delivery_log(self, ann, sink):
        notification = bounced(ann, HARD)
        assert notification.delivery == Delivery.BOUNCED
        assert notification.why.startswith("Bounced: 550 5.1.1 <ann@example.net>: Recipient address rejected")
        assert trouble(ann).is_stopped
        assert fate(owe(ann)) == (Delivery.SUPPRESSED, "Mail to this address bounced.")
        assert len(sink.arrived) == 1

    def test_others_go_on_getting_mail(self, ann, sink):
        bounced(ann, HARD)
        assert fate(owe(player("ben")))[0] == Delivery.SENT

    def test_a_turn_is_not_mailed_either(self, clock, sink):
        table = running_match()
        asked = awaited(table)
        BouncingAddress.objects.create(email=asked.user.email, is_stopped=True)
        deliver_due()
        assert asked.user.email not in [mail["To"] for mail in sink.arrived]

    @pytest.mark.parametrize("kind", [NotificationKind.TEST_MAIL, NotificationKind.RESET_PASSWORD])
    def test_what_its_owner_asks_for_is_tried_all_the_same(self, ann, sink, kind):
        bounced(ann, HARD)
        notification = owe(ann, kind, email=ann.email)
        assert fate(notification)[0] == Delivery.SENT

    def test_mail_to_an_address_without_an_account_stops_alike(self, ann, sink):
        notification = owe(ann, user=None, email="nobody@example.org")
        deliver_due()
        report(HARD, notification.pk)
        again = owe(ann, user=None, email="nobody@example.org")
        assert fate(again)[0] == Delivery.SUPPRESSED
        assert trouble(ann) is None


class TestSoft:
    def test_it_makes_mail_wait_longer_each_time_and_sends_it_again(self, ann, sink, clock):
        notification, waits = sent(ann), []
        for _ in range(3):
            report(SOFT, notification.pk)
            notification.refresh_from_db()
            assert notification.delivery == Delivery.QUEUED
            waits.append(notification.due_at - timezone.now())
            clock.move_to(notification.due_at)
            assert fate(notification)[0] == Delivery.SENT
        assert waits == [timedelta(hours=1), timedelta(hours=2), timedelta(hours=4)]

    def test_other_mail_waits_too(self, ann, sink, clock):
        bounced(ann, SOFT)
        other = owe(ann)
        assert fate(other) == (Delivery.QUEUED, "Mail to this address is bouncing.")
        clock.shift(timedelta(hours=1))
        assert fate(other)[0] == Delivery.SENT

    def test_what_is_not_worth_sending_later_is_not_sent_again(self, clock, sink):
        table = running_match()
        seat = awaited(table)
        deliver_due()
        notification = Notification.objects.get(user=seat.user, kind=NotificationKind.YOUR_TURN)
        Notification.objects.filter(pk=notification.pk).update(sent_at=timezone.now() + timedelta(seconds=1))
        report(SOFT, notification.pk)
        say(table, seat.number, "draw")
        clock.shift(timedelta(hours=1))
        assert fate(notification) == (Delivery.SUPPRESSED, "It's no longer your turn.")

    def test_after_so_many_over_days_mail_stops(self, ann, sink, clock):
        for _ in range(bounces.MOST_BOUNCES - 1):
            bounced(ann, SOFT)
            clock.shift(bounces.LONGEST_PAUSE)
            Notification.objects.all().delete()
        assert not trouble(ann).is_stopped
        assert bounced(ann, SOFT).delivery == Delivery.BOUNCED
        assert trouble(ann).is_stopped

    def test_many_within_a_day_do_not_stop_it(self, ann, sink):
        for _ in range(2 * bounces.MOST_BOUNCES):
            bounces.note_trouble(ann.email, bounces.Report(bounces.Fate.SOFT, "full"), timezone.now())
        assert not trouble(ann).is_stopped

    def test_however_often_it_comes_back_the_pause_has_an_end(self, ann, sink):
        for _ in range(100):
            bounces.note_trouble(ann.email, bounces.Report(bounces.Fate.SOFT, "full"), timezone.now())
        assert trouble(ann).quiet_until == timezone.now() + bounces.LONGEST_PAUSE

    def test_an_old_one_is_forgotten(self, ann, sink, clock):
        bounced(ann, SOFT)
        clock.shift(bounces.FORGOTTEN_AFTER + timedelta(days=1))
        bounced(ann, SOFT)
        assert trouble(ann).bounces == 1

    def test_a_delay_is_only_told(self, ann, sink):
        notification = bounced(ann, sample("postfix_delayed"))
        assert (notification.delivery, trouble(ann)) == (Delivery.SENT, None)
        assert notification.why.startswith("Delayed: 4.4.1 connect to mail.example.net")


class TestDelivered:
    def test_it_is_in_the_delivery_log(self, ann, sink):
        assert bounced(ann, sample("postfix_delivered")).delivery == Delivery.DELIVERED

    def test_it_ends_the_trouble_before_it(self, ann, sink, clock):
        bounced(ann, SOFT)
        clock.shift(timedelta(hours=2))
        bounced(ann, sample("postfix_delivered"))
        assert trouble(ann).quiet_until is None

    def test_but_not_what_happened_after_the_mail(self, ann, sink, clock):
        early = sent(ann)
        clock.shift(timedelta(minutes=5))
        bounced(ann, HARD)
        report(sample("postfix_delivered"), early.pk)
        assert trouble(ann).is_stopped


class TestProof:
    def test_a_report_on_a_notification_that_was_never_sent_or_is_gone_changes_nothing(self, ann):
        report(HARD, owe(ann).pk)
        report(HARD, 987654)
        assert not BouncingAddress.objects.exists()

    def test_the_same_mail_comes_back_only_once(self, ann, sink):
        notification = bounced(ann, HARD)
        bounces.clear(ann.email)
        report(HARD, notification.pk)
        assert not trouble(ann).is_stopped

    def test_a_report_that_is_quicker_than_our_own_note_stops_mail_all_the_same(self, ann):
        notification = owe(ann, delivery=Delivery.SENDING)
        report(HARD, notification.pk)
        notification.refresh_from_db()
        assert (notification.delivery, trouble(ann).is_stopped) == (Delivery.SENDING, True)
