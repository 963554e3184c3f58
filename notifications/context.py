"""Load everything that decides whether a notification is sent and what it says, as of now."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import Q
from django.utils import timezone

from accounts.models import User
from clock.models import ProposalStatus
from games.engine.names import Names
from games.engine.records import Event as RuleEvent
from games.models import Event, Seat
from games.selectors import history
from games.selectors.loading import LoadedMatch, in_seat_order
from notifications import reply_addresses
from notifications.models import BouncingAddress, Delivery, Notification, NotificationKind

MOST_EVENTS = 40
"""The maximum number of events in an email; `turnpost log` shows the rest."""


class NothingToSay(Exception):
    """The email is no longer needed."""


@dataclass
class Context:
    notification: Notification
    now: datetime
    match_if_any: LoadedMatch | None = None
    events: Sequence[Event] = ()
    """The latest events of the match, oldest first."""
    gathered: Sequence["Context"] = ()
    """The notifications in a digest."""
    trouble: BouncingAddress | None = None
    """The bounces of the address that the email would go to."""
    just_sent: Sequence[Notification] = ()
    """Notifications that were sent a moment ago and aren't in the delivery log yet."""

    @property
    def user(self) -> User | None:
        return self.notification.user

    @property
    def address(self) -> str:
        return self.notification.address

    @cached_property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.user.time_zone if self.user else "UTC")

    @property
    def loaded(self) -> LoadedMatch:
        if self.match_if_any is None:
            raise ValueError(f"{self.notification} has no match.")
        return self.match_if_any

    @cached_property
    def seat(self) -> Seat | None:
        """The recipient's current seat, if any."""
        return self.match_if_any.seat_of(self.notification.user_id) if self.match_if_any else None

    @cached_property
    def names(self) -> Names:
        """The players' names, with "you" for the reader."""
        return self.loaded.names_for(self.seat.number if self.seat else None)

    @property
    def is_invitation(self) -> bool:
        """Whether this offers a free seat, or a stand-in's seat, to someone who isn't in the match."""
        offered = self.notification.data.get("status") == ProposalStatus.AGREED
        return self.seat is None and (self.notification.kind == NotificationKind.INVITATION or offered)

    @cached_property
    def reply_address(self) -> str:
        """The address for replies to the turn that the email shows, or empty if replies aren't received."""
        if not (self.user and self.seat):
            return ""
        turn = self.loaded.match.turn
        return reply_addresses.reply_address(self.notification.pk, turn, self.address, self.now)

    @property
    def return_address(self) -> str:
        """The address for bounces, or empty for the default sender."""
        return reply_addresses.bounce_address(self.notification.pk, self.address, self.now)

    @cached_property
    def state(self) -> Any:
        return self.loaded.state

    def story(self, after: int) -> list[str]:
        """Return the events after this number that the player may see, as sentences."""
        return [self._tell(event) for event in self._seen(after)]

    def headline(self, after: int) -> str:
        """Return the latest news as a short sentence."""
        news = [event for event in self._seen(after) if event.is_news]
        return self._tell(news[-1]).partition("\n")[0].rstrip(".") if news else ""

    def _seen(self, after: int) -> Iterator[RuleEvent]:
        number, engine = self.seat.number if self.seat else None, self.loaded.engine
        for row in self.events:
            if row.number > after and row.is_for(number):
                yield engine.events.load(history.event_content(row))

    def _tell(self, event: RuleEvent) -> str:
        return self.loaded.engine.tell(event, self.names)


def load(ids: Sequence[int]) -> list[Context]:
    """Load the contexts in the order of the ids, with one query per table instead of one per notification."""
    found = Notification.objects.select_related("user", "match").in_bulk(ids)
    notifications = [found[pk] for pk in ids if pk in found]
    matches = load_matches(notifications)
    events = load_events(matches.values())
    now, troubles = timezone.now(), load_troubles(notifications)
    contexts = [
        Context(notification, now, matches.get(notification.match_id), events[notification.match_id])
        for notification in notifications
    ]
    for context in contexts:
        context.trouble = troubles.get(context.address)
        if context.notification.kind == NotificationKind.DIGEST:
            context.gathered = load_gathered(context.notification)
    return contexts


def load_troubles(notifications: Iterable[Notification]) -> dict[str, BouncingAddress]:
    addresses = {notification.address for notification in notifications}
    return {trouble.email: trouble for trouble in BouncingAddress.objects.filter(email__in=addresses)}


def load_gathered(digest: Notification) -> list[Context]:
    return load(list(digest.gathered.filter(delivery=Delivery.GATHERED).values_list("pk", flat=True)))


def load_matches(notifications: Iterable[Notification]) -> dict[str | None, LoadedMatch]:
    matches: dict[str | None, LoadedMatch] = {n.match.pk: LoadedMatch(n.match, []) for n in notifications if n.match}
    for seat in in_seat_order(Seat.objects.filter(match__in=list(matches))):
        matches[seat.match_id].seats.append(seat)
    return matches


def load_events(matches: Iterable[LoadedMatch]) -> dict[str | None, list[Event]]:
    recent = Q(pk__in=[])
    for loaded in matches:
        since = min((seat.acted_through for seat in loaded.seats), default=0)
        recent |= Q(match=loaded.match, number__gt=max(since, loaded.match.events_made - MOST_EVENTS))
    events: dict[str | None, list[Event]] = defaultdict(list)
    for event in Event.objects.filter(recent).order_by("number"):
        events[event.match_id].append(event)
    return events
