"""Old calls are deleted."""

from datetime import timedelta

import pytest
from django.utils import timezone

from core.housekeeping import tidy_up
from notifications.models import Delivery, WebhookCall
from notifications.webhooks.calls import RETENTION
from tests.games.builders import player

pytestmark = pytest.mark.django_db


@pytest.fixture
def calls(hook):
    """Create a call in each state, slightly older than the retention period."""
    created_at = timezone.now() - RETENTION - timedelta(hours=1)
    webhook = hook(player("ann"))
    return [
        WebhookCall.objects.create(webhook=webhook, delivery=outcome, created_at=created_at, due_at=created_at)
        for outcome in (Delivery.SENT, Delivery.DEAD, Delivery.SUPPRESSED, Delivery.QUEUED, Delivery.SENDING)
    ]


def test_finished_calls_are_deleted_after_a_month(calls):
    tidy_up()
    assert set(WebhookCall.objects.all()) == set(calls[3:]), "Queued calls are kept, no matter how old they are."


def test_recent_calls_are_kept(calls):
    WebhookCall.objects.update(created_at=timezone.now() - RETENTION + timedelta(hours=1))
    tidy_up()
    assert WebhookCall.objects.count() == len(calls)
