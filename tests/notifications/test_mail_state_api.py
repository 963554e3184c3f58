"""The API reports the state of a user's mail."""

from datetime import timedelta

import pytest
from django.utils import timezone

from notifications.models import BouncingAddress, Notification
from tests.games.api.clients import Caller
from tests.games.builders import player

pytestmark = pytest.mark.django_db


@pytest.fixture
def ann():
    return Caller(player("ann"))


def mail(caller):
    return caller.get("/me").json()["mail"]


def test_without_bounces_the_state_is_ok(ann):
    assert mail(ann) == {"state": "ok", "why": "", "since": None, "until": None, "hint": ""}


def test_stopped_mail_is_reported_with_the_time_and_the_reason_and_how_to_fix_it(ann):
    BouncingAddress.objects.create(
        email="ann@example.org", is_stopped=True, why="550 No such user", since=timezone.now()
    )
    told = mail(ann)
    assert (told["state"], told["why"]) == ("stopped", "550 No such user")
    assert told["since"]
    assert "test email" in told["hint"]
    assert mail(Caller(player("ben")))["state"] == "ok"


def test_delayed_mail_is_reported_with_the_time_of_the_next_attempt(ann):
    now = timezone.now()
    columns = {"why": "552 Mailbox full", "since": now, "quiet_until": now + timedelta(hours=1)}
    BouncingAddress.objects.create(email="ann@example.org", **columns)
    assert (mail(ann)["state"], bool(mail(ann)["until"])) == ("delayed", True)
    BouncingAddress.objects.update(quiet_until=now - timedelta(hours=1))
    assert mail(ann)["state"] == "ok"


def test_a_test_email_clears_the_bounces(ann):
    BouncingAddress.objects.create(email="ann@example.org", is_stopped=True, why="550 No such user")
    queued = ann.post("/me/test-mail")
    assert (queued.status_code, queued.json()["kind"], queued.json()["state"]) == (202, "test_mail", "queued")
    assert mail(ann)["state"] == "ok"
    assert Notification.objects.get().user == ann.user
    assert Caller().post("/me/test-mail").status_code == 401


def test_the_list_of_notifications_shows_deliveries_and_bounces(ann):
    now = timezone.now()
    for delivery, age in (("delivered", 2), ("bounced", 1)):
        created_at = now - timedelta(minutes=age)
        Notification.objects.create(user=ann.user, kind="news", delivery=delivery, created_at=created_at, due_at=now)
    states = [notification["state"] for notification in ann.get("/me/notifications").json()["results"]]
    assert states == ["bounced", "delivered"]
