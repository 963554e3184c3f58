"""Track how hosts respond, so that slow hosts share a few connections, and hosts that don't respond are called less
often."""

from datetime import datetime, timedelta

from django.db.models import F
from django.utils.crypto import salted_hmac

from core.housekeeping import hourly
from core.jobs import Backoff
from notifications.models import WebhookHost
from notifications.webhooks.http import Answer, NotTaken
from notifications.webhooks.targets import Target

QUICK = 2.0
"""The number of seconds within which a quick host responds."""
PATIENCE = 3
"""The number of calls in a row without a response after which a host isn't called for a while. A response to any
player's call resets the count, so that one player's slow webhook can't block a host that others use."""
REST = Backoff(first=timedelta(seconds=10), longest=timedelta(minutes=10))


def host_of(target: Target) -> WebhookHost:
    """Return the row for a target's host.

    The row contains only a keyed hash of the name, because webhook URLs are private.
    """
    name = f"{target.host}:{target.port}".lower()
    key = salted_hmac("webhook host", name, algorithm="sha256").hexdigest()[:32]
    return WebhookHost.objects.get_or_create(key=key)[0]


def note(key: str, answer: Answer, seconds: float, now: datetime) -> None:
    host = WebhookHost.objects.filter(key=key)
    if isinstance(answer, NotTaken) and answer.status is None:
        host.update(is_quick=False, failures=F("failures") + 1)
        for tries in host.filter(failures__gte=PATIENCE).values_list("failures", flat=True):
            host.update(resting_until=now + REST.delay(tries - PATIENCE + 1))
    else:
        host.update(is_quick=seconds <= QUICK, failures=0, resting_until=None)


def note_hanging(host: WebhookHost) -> None:
    """Stop treating a host as quick while a call to it is still in progress."""
    host.is_quick = False
    WebhookHost.objects.filter(pk=host.pk).update(is_quick=False)


@hourly
def forget_unused(_now: datetime) -> None:
    WebhookHost.objects.filter(webhooks=None).delete()
