"""A player whose mail came back sees why, and can mend it."""

import pytest

from accounts import addresses, links, profile, registration
from core.problems import status_of
from core.rates import Rate
from core.refusals import Refused
from notifications import bounces
from notifications.mail.sender import deliver_due
from notifications.models import BouncingAddress, Delivery, Notification
from tests.notifications.bounces.returned import HARD, bounced, owe, report, sent, trouble
from tests.notifications.owing import fate

pytestmark = pytest.mark.django_db


class TestMending:
    def test_a_test_mail_is_sent_and_mail_is_tried_again(self, ann, sink, clock):
        bounced(ann, HARD)
        clock.shift(60)
        test = bounces.send_test(ann)
        assert fate(test) == (Delivery.SENT, "")
        assert sink.arrived[-1]["Subject"] == "Test mail from Turnpost"
        assert fate(owe(ann))[0] == Delivery.SENT

    def test_should_it_come_back_mail_stops_again(self, ann, sink, clock):
        bounced(ann, HARD)
        clock.shift(60)
        test = bounces.send_test(ann)
        deliver_due()
        report(HARD, test.pk)
        assert trouble(ann).is_stopped

    def test_a_late_report_on_earlier_mail_does_not_stop_it_again(self, ann, sink, clock):
        early = sent(ann)
        bounced(ann, HARD)
        clock.shift(60)
        bounces.send_test(ann)
        report(HARD, early.pk)
        early.refresh_from_db()
        assert (early.delivery, trouble(ann).is_stopped) == (Delivery.BOUNCED, False)

    def test_test_mails_are_limited(self, ann, settings):
        settings.RATES = settings.RATES | {"mailbox": Rate(1, 3600)}
        bounces.send_test(ann)
        with pytest.raises(Refused) as refused:
            bounces.send_test(ann)
        assert status_of(refused.value) == 429

    def test_another_address_begins_without_trouble(self, ann, sink, clock):
        notification = bounced(ann, HARD)
        clock.shift(60)
        addresses.change(links.address_change_link(ann, "new@example.org").rpartition("/")[2])
        ann.refresh_from_db()
        assert fate(owe(ann))[0] == Delivery.SENT
        Notification.objects.filter(pk=notification.pk).update(delivery=Delivery.SENT)
        report(HARD, notification.pk)
        assert trouble(ann) is None, "The mail that came back had gone to the address before."

    def test_an_address_that_is_confirmed_works_again(self, clock):
        BouncingAddress.objects.create(email="emma@example.org", is_stopped=True)
        wanted = registration.Applicant("emma", "emma@example.org", "Gr33n cowboys ride")
        opened = registration.register(wanted, "127.0.0.1")
        registration.confirm_by_code(opened.pk, links.confirmation_code(opened), "127.0.0.1")
        assert not BouncingAddress.objects.get().is_stopped

    def test_who_leaves_leaves_no_trouble_behind(self, ann, sink):
        bounced(ann, HARD)
        profile.delete(ann, "correct horse")
        assert not BouncingAddress.objects.exists()
