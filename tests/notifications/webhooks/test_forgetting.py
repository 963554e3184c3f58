"""Calls that have had their time."""

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
    """One of each fate, made a little longer ago than calls are kept."""
    created_at = timezone.now() - RETENTION - timedelta(hours=1)
    webhook = hook(player("ann"))
    return [
        WebhookCall.objects.create(webhook=webhook, delivery=fate, created_at=created_at, due_at=created_at)
        for fate in (Delivery.SENT, Delivery.DEAD, Delivery.SUPPRESSED, Delivery.QUEUED, Delivery.SENDING)
    ]


def test_what_became_of_a_call_is_forgotten_after_a_month(calls):
    tidy_up()
    assert set(WebhookCall.objects.all()) == set(calls[3:]), "What is still owed stays, however old."


def test_younger_ones_stay(calls):
    WebhookCall.objects.update(created_at=timezone.now() - RETENTION + timedelta(hours=1))
    tidy_up()
    assert WebhookCall.objects.count() == len(calls)
