"""Bounce reports must go to a signed address, so that nobody can stop another player's mail."""

import pytest
from django.utils import timezone

from accounts import addresses, links
from inbound.handling import handle_due
from inbound.models import InboundMail, MailResult
from inbound.receiving import receive
from notifications.models import Delivery, Notification
from notifications.reply_addresses import bounce_address
from tests.notifications.bounces.returned import HARD, bouncing_address, sample, sent

pytestmark = pytest.mark.django_db


class TestReturnAddress:
    @pytest.fixture(autouse=True)
    def domain(self, settings):
        settings.REPLY_DOMAIN = "play.example.org"

    def come_back(self, raw, to):
        results = receive(raw, recipients=[to], envelope_from="", source="smtp")
        handle_due()
        return results

    def test_a_bounce_report_to_the_signed_return_address_stops_mail(self, ann, mail_server):
        notification = sent(ann)
        returns_to = bounce_address(notification.pk, ann.email, timezone.now())
        self.come_back(HARD, returns_to)
        notification.refresh_from_db()
        assert (notification.delivery, bouncing_address(ann).is_stopped) == (Delivery.BOUNCED, True)

    def test_a_late_report_about_the_previous_address_does_not_affect_the_new_one(self, ann, mail_server, clock):
        notification = sent(ann)
        old = bounce_address(notification.pk, ann.email, timezone.now())
        clock.shift(60)
        addresses.change(links.address_change_link(ann, "new@example.org").rpartition("/")[2], "correct horse")
        ann.refresh_from_db()
        clock.shift(60)
        Notification.objects.filter(pk=notification.pk).update(
            sent_at=timezone.now()
        )  # It was sent again, to the new address.
        self.come_back(HARD, old)
        notification.refresh_from_db()
        assert (notification.delivery, bouncing_address(ann)) == (Delivery.BOUNCED, None)

    @pytest.mark.parametrize("name", ["vacation_answer", "read_receipt", "spam"])
    def test_mail_that_is_not_a_bounce_report_changes_nothing(self, ann, mail_server, name):
        notification = sent(ann)
        self.come_back(sample(name), bounce_address(notification.pk, ann.email, timezone.now()))
        notification.refresh_from_db()
        assert InboundMail.objects.get().result == MailResult.AUTOMATIC
        assert (notification.delivery, bouncing_address(ann)) == (Delivery.SENT, None)

    def test_nobody_can_stop_a_players_mail_without_the_signature(self, ann, mail_server):
        notification = sent(ann)
        genuine = bounce_address(notification.pk, ann.email, timezone.now())
        body, at, domain = genuine.partition("@")
        forged = body[:-1] + ("a" if body[-1] != "a" else "b") + at + domain
        reply = genuine.replace("bounce+", "reply+")
        for address in (forged, reply, "bounce+1@play.example.org", "ann@example.org"):
            self.come_back(HARD, address)
        assert (bouncing_address(ann), InboundMail.objects.count()) == (None, 0)
