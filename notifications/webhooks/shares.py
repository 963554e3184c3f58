"""Limit how many calls may be in progress for each player, for slow hosts and for new hosts.

Hosts that haven't been called yet have their own share, so that new webhooks don't have to wait for slow hosts. If such
a host hangs, its call counts as slow after a second and makes room for another one.
"""

from collections import Counter
from collections.abc import Iterable
from time import monotonic
from typing import Protocol

from django.db.models import Q
from django.utils import timezone

from notifications.models import WebhookCall

AT_ONCE = 32
"""The maximum number of calls that may be in progress, not counting those that hang."""
MOST_AT_ONCE = 64
EACH_USER = 2
"""The maximum number of simultaneous calls for one player. Only one of them may go to a host that isn't quick."""
NOT_QUICK_AT_ONCE = 24
SLOW_AT_ONCE = 8
"""The maximum number of simultaneous calls to slow hosts."""
NEW_AT_ONCE = 8
"""The maximum number of simultaneous calls to hosts that haven't responded yet."""
NEW_SECONDS = 1.0


class InProgress(Protocol):
    @property
    def call(self) -> WebhookCall: ...
    @property
    def began(self) -> float: ...


class Shares:
    def __init__(self, in_progress: Iterable[InProgress]) -> None:
        self.users: Counter[int] = Counter()
        self.users_not_quick: set[int] = set()
        self.new = 0
        self.slow = 0
        for current in in_progress:
            self.add(current.call, current.began)

    def add(self, call: WebhookCall, began: float) -> None:
        webhook = call.webhook
        self.users[webhook.user_id] += 1
        if webhook.host.is_quick:
            return
        self.users_not_quick.add(webhook.user_id)
        is_new = webhook.host.is_quick is None and monotonic() - began < NEW_SECONDS
        self.new += is_new
        self.slow += not is_new

    def has_room_for(self, call: WebhookCall) -> bool:
        user, is_quick = call.webhook.user_id, call.webhook.host.is_quick
        if self.users[user] >= EACH_USER:
            return False
        return bool(is_quick) or (user not in self.users_not_quick and self.has_room_for_hosts(is_quick))

    def has_room_for_hosts(self, is_quick: bool | None) -> bool:
        """Return whether there is room for hosts that are slow (False) or haven't responded yet (None)."""
        fits = self.new < NEW_AT_ONCE if is_quick is None else self.slow < SLOW_AT_ONCE
        return fits and self.new + self.slow < NOT_QUICK_AT_ONCE

    @property
    def query(self) -> Q:
        """Return a query for the calls that can start without exceeding a share."""
        hosts = Q(webhook__host__is_quick=True)
        for is_quick in (None, False):
            if self.has_room_for_hosts(is_quick):
                hosts |= Q(webhook__host__is_quick=is_quick) & ~Q(webhook__user__in=self.users_not_quick)
        busy = [user for user, count in self.users.items() if count >= EACH_USER]
        resting = Q(webhook__host__resting_until__gt=timezone.now())
        return hosts & ~Q(webhook__user__in=busy) & ~resting
