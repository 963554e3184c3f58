"""What has had its time: matches that never started end, and old refusals, mail and calls are forgotten."""

from django.utils import timezone

from games.services import idempotency, lobby
from inbound import housekeeping
from notifications.webhooks import calls


def tidy_up() -> None:
    now = timezone.now()
    lobby.expire(now)
    idempotency.forget_old_refusals(now)
    housekeeping.forget_old(now)
    calls.forget_old(now)
