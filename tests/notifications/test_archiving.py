"""Notifications about matches that ended a while ago are archived. Users, replies and bounces still find them."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts import profile
from accounts.export import export
from accounts.models import MailFrequency, User
from games.models import Seat
from games.services import chat
from inbound.models import InboundMail, MailResult
from inbound.receiving import receive
from notifications import archive, archiving, bounces
from notifications.mail.sender import deliver_due
from notifications.models import ArchivedNotifications, Delivery, Notification, NotificationKind, Webhook, WebhookCall
from notifications.reply_addresses import reply_address
from notifications.smtp_replies import MailOutcome, Report
from notifications.webhooks import hosts, targets
from tests.games.api.clients import Caller
from tests.games.builders import play_some, player, running_match
from tests.not_none import not_none

pytestmark = pytest.mark.django_db

RAW = b"From: ann@example.org\r\nMessage-ID: <1@example.org>\r\n\r\nboard\r\n"


@pytest.fixture
def ann(hush, settings, mailoutbox):
    """Return a player with a few notifications about a match that has ended, and some others."""
    settings.ARCHIVE_AFTER, settings.REPLY_DOMAIN = timedelta(), "play.example.org"
    table = running_match("hush")
    deliver_due()
    bounces.send_test(player("ann"))
    play_some(table)
    deliver_due()
    return player("ann")


def archive_now():
    return archiving.archive_due(timezone.now())


def about_match(user):
    return Notification.objects.filter(user=user, match__isnull=False)


def sent_to(user):
    return not_none(about_match(user).filter(delivery=Delivery.SENT).order_by("pk").first())


def pages(user, limit):
    """Return the pages of the user's list, first forward and then backward."""
    caller = Caller(user)
    page = caller.get(f"/me/notifications?limit={limit}").json()
    found = [page["results"]]
    for way in ("next", "previous"):
        while page[way]:
            page = caller.client.get(page[way]).json()
            found.append(page["results"])
    return found


def test_users_see_the_same_list_and_get_the_same_export(ann):
    before = [pages(ann, 2), pages(ann, 3), pages(ann, 200), export(ann)["notifications"]]
    assert archive_now() == 1
    assert not about_match(ann).exists()
    assert Notification.objects.filter(user=ann).exists()
    assert [pages(ann, 2), pages(ann, 3), pages(ann, 200), export(ann)["notifications"]] == before
    assert len(before[0]) > 3


def test_a_reply_to_an_archived_email_is_stored_and_restores_the_notification_until_the_reply_is_deleted(ann):
    told = sent_to(ann)
    archive_now()
    address = reply_address(told.pk, not_none(told.turn), ann.email, timezone.now())
    sent = receive(RAW, recipients=[address], envelope_from="ann@example.org", source="smtp")
    assert sent == [MailResult.WAITING]
    assert archive_now() == 0
    assert list(about_match(ann)) == [told]
    InboundMail.objects.all().delete()
    assert archive_now() == 1
    assert not about_match(ann).exists()
    assert told in archive.about(told.match, ann)


def test_a_bounce_of_an_archived_email_counts(ann):
    told = sent_to(ann)
    archive_now()
    bounces.note(told.pk, Report(MailOutcome.HARD, "No such user."))
    assert Notification.objects.get(pk=told.pk).delivery == Delivery.BOUNCED
    assert archive_now() == 1
    assert "Bounced: No such user." in [one.why for one in archive.about(told.match, ann)]


def test_an_unknown_notification_is_not_found(ann):
    told = sent_to(ann)
    archive_now()
    assert archive.find(told.pk ^ 1) is None
    assert archive.find(2**62) is None


def test_a_player_who_has_got_an_email_since_their_last_visit_gets_no_other_email(ann, mailoutbox):
    Seat.objects.update(visited_at=None)
    User.objects.update(mail_frequency=MailFrequency.UNTIL_VISIT)
    match = not_none(sent_to(ann).match)
    archive_now()
    del mailoutbox[:]
    chat.post_message(match.pk, player("ben"), "Well played!")
    deliver_due()
    message = Notification.objects.get(user=ann, kind=NotificationKind.MESSAGE)
    assert message.why == "You already got an email about this match and haven't visited it since."
    assert not mailoutbox


@pytest.mark.parametrize("delivery", [Delivery.QUEUED, Delivery.SENDING, Delivery.GATHERED])
def test_nothing_is_archived_while_the_user_is_still_waiting_for_a_notification_about_the_match(ann, delivery):
    waiting = sent_to(ann)
    Notification.objects.filter(pk=waiting.pk).update(delivery=delivery)
    before = about_match(ann).count()
    archive_now()
    assert about_match(ann).count() == before
    assert not about_match(player("ben")).exists()


def test_failed_deliveries_are_not_archived_so_that_operators_can_see_them(ann):
    failed = sent_to(ann)
    Notification.objects.filter(pk=failed.pk).update(delivery=Delivery.DEAD)
    archive_now()
    assert list(about_match(ann)) == [failed]


def test_notifications_with_webhook_calls_are_archived_after_the_calls_are_deleted(ann):
    called, now = sent_to(ann), timezone.now()
    host = hosts.host_of(targets.read("https://chat.example.org/hook"))
    webhook = Webhook.objects.create(user=ann, encrypted_url="", encrypted_secret="", host=host)
    WebhookCall.objects.create(webhook=webhook, notification=called, created_at=now, due_at=now, delivery="sent")
    archive_now()
    assert list(about_match(ann)) == [called]
    WebhookCall.objects.all().delete()
    archive_now()
    assert not about_match(ann).exists()


def test_an_email_without_the_tag_of_its_match_is_archived_once_its_address_has_expired(ann):
    told = sent_to(ann)
    Notification.objects.filter(pk=told.pk).update(id=12345)
    archive_now()
    assert [one.pk for one in about_match(ann)] == [12345]
    archiving.archive_due(timezone.now() + timedelta(days=61))
    assert not about_match(ann).exists()
    assert 12345 in [one.pk for one in archive.about(told.match, ann)]


def test_notifications_about_running_or_recent_matches_are_not_archived(ann, settings):
    settings.ARCHIVE_AFTER = timedelta(days=7)
    running_match("hush")
    assert archiving.archive_due(timezone.now() + timedelta(days=6)) == 0
    assert archiving.archive_due(timezone.now() + timedelta(days=8)) == 1


def test_archives_are_deleted_with_the_account(ann):
    archive_now()
    others = ArchivedNotifications.objects.exclude(user=ann).count()
    profile.delete(ann, "correct horse")
    assert ArchivedNotifications.objects.count() == others


def test_operators_can_look_into_an_archive(ann, operator):
    told = sent_to(ann)
    archive_now()
    found = ArchivedNotifications.objects.get(user=ann)
    page = operator.get(reverse("admin:notifications_archivednotifications_change", args=[found.pk]))
    assert f"{told.kind} sent" in page.content.decode()
