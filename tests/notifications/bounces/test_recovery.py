"""Players whose mail bounced can see why and fix it."""

import pytest

from accounts import addresses, links, profile, registration
from core.problems import status_of
from core.rates import Rate
from core.refusals import Refused
from notifications import bounces
from notifications.mail.sender import deliver_due
from notifications.models import BouncingAddress, Delivery, Notification
from tests.notifications.bounces.returned import HARD, bounced, bouncing_address, notify, report, sent
from tests.notifications.builders import outcome

pytestmark = pytest.mark.django_db


class TestRecovery:
    def test_a_test_email_resumes_mail_that_was_stopped(self, ann, mail_server, clock):
        bounced(ann, HARD)
        clock.shift(60)
        test = bounces.send_test(ann)
        assert outcome(test) == (Delivery.SENT, "")
        assert mail_server.arrived[-1]["Subject"] == "Test email from Turnpost"
        assert outcome(notify(ann))[0] == Delivery.SENT

    def test_mail_is_stopped_again_if_the_test_email_bounces(self, ann, mail_server, clock):
        bounced(ann, HARD)
        clock.shift(60)
        test = bounces.send_test(ann)
        deliver_due()
        report(HARD, test.pk)
        assert bouncing_address(ann).is_stopped

    def test_a_late_bounce_of_an_earlier_email_does_not_stop_mail_again(self, ann, mail_server, clock):
        early = sent(ann)
        bounced(ann, HARD)
        clock.shift(60)
        bounces.send_test(ann)
        report(HARD, early.pk)
        early.refresh_from_db()
        assert (early.delivery, bouncing_address(ann).is_stopped) == (Delivery.BOUNCED, False)

    def test_test_emails_are_limited(self, ann, settings):
        settings.RATES = settings.RATES | {"mailbox": Rate(1, 3600)}
        bounces.send_test(ann)
        with pytest.raises(Refused) as refused:
            bounces.send_test(ann)
        assert status_of(refused.value) == 429

    def test_a_new_address_starts_without_any_bounces(self, ann, mail_server, clock):
        notification = bounced(ann, HARD)
        clock.shift(60)
        addresses.change(links.address_change_link(ann, "new@example.org").rpartition("/")[2], "correct horse")
        ann.refresh_from_db()
        assert outcome(notify(ann))[0] == Delivery.SENT
        Notification.objects.filter(pk=notification.pk).update(delivery=Delivery.SENT)
        report(HARD, notification.pk)
        assert bouncing_address(ann) is None, "The bounced email went to the previous address."

    def test_confirming_an_address_resumes_mail(self, clock):
        BouncingAddress.objects.create(email="emma@example.org", is_stopped=True)
        wanted = registration.Applicant("emma", "emma@example.org", "Gr33n cowboys ride")
        opened = registration.register(wanted, "127.0.0.1")
        registration.confirm_by_code(opened.pk, links.confirmation_code(opened), "127.0.0.1")
        assert not BouncingAddress.objects.get().is_stopped

    def test_deleting_an_account_deletes_its_bounces(self, ann, mail_server):
        bounced(ann, HARD)
        profile.delete(ann, "correct horse")
        assert not BouncingAddress.objects.exists()
