"""Work is claimed by one at a time, and again when its lease is over."""

from datetime import timedelta
from functools import partial

import pytest
from django.utils import timezone

from core.jobs import claims
from notifications.models import Notification
from tests.games.builders import player
from tests.games.racing import all_at_once

pytestmark = pytest.mark.django_db(transaction=True)
LEASE = timedelta(minutes=5)


@pytest.fixture
def now():
    now, ann = timezone.now(), player("ann")
    Notification.objects.bulk_create(
        Notification(user=ann, kind="test_mail", owed_at=now, due_at=now) for _ in range(12)
    )
    return now


def take(now, most):
    token, taken = claims.take(Notification.objects.filter(due_at__lte=now).order_by("pk"), most, until=now + LEASE)
    return token, [notification.pk for notification in taken]


def test_whoever_claims_at_the_same_moment_gets_others(now):
    claims = all_at_once([partial(take, now, 3)] * 6)
    taken = [pk for _, ids in claims for pk in ids]
    assert len(taken) == len(set(taken))
    for token, ids in claims:
        assert set(Notification.objects.filter(claim=token).values_list("pk", flat=True)) == set(ids)
        assert len(ids) <= 3


def test_what_is_claimed_is_due_again_when_its_lease_is_over(now):
    first, taken = take(now, 12)
    assert take(now, 12)[1] == []
    again, retaken = take(now + LEASE, 12)
    assert (retaken, set(Notification.objects.values_list("claim", "tries"))) == (taken, {(again, 2)})
    assert not Notification.objects.filter(claim=first).exists()
