"""Load all current data that decides whether a notification is sent and what it says."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any
from zoneinfo import ZoneInfo

from django.utils import timezone

from accounts.models import User
from clock.models import ProposalStatus
from games.engine.names import Names
from games.engine.records import Event as RuleEvent
from games.models import Event, Seat
from games.selectors import history, match_log
from games.selectors.loading import LoadedMatch, seats_of_many
from notifications import reply_addresses
from notifications.models import BouncingAddress, Delivery, Notification, NotificationKind

MOST_EVENTS = 40
"""The maximum number of events in an email. `turnpost log` shows the rest."""


class NothingToSay(Exception):
    """Raised if the email is no longer needed."""


@dataclass
class Context:
    notification: Notification
    now: datetime
    match_if_any: LoadedMatch | None = None
    events: Sequence[Event] = ()
    """The latest events of the match, starting with the oldest."""
    gathered: Sequence["Context"] = ()
    """The notifications in a digest."""
    address_record: BouncingAddress | None = None
    """The bounces of the address that the email is sent to."""
    bouncing: Collection[str] = ()
    """The bouncing addresses of players in this match."""
    companions: Sequence[Notification] = ()
    """Other notifications to the same seat that the same time-out caused."""
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
        """The recipient's current seat, if they have one."""
        return self.match_if_any.seat_of(self.notification.user_id) if self.match_if_any else None

    @cached_property
    def names(self) -> Names:
        """The players' names, with "you" for the reader."""
        return self.loaded.names_for(self.seat.number if self.seat else None)

    @property
    def is_invitation(self) -> bool:
        """Whether this notification is about a free seat, or a stand-in's seat, for someone who isn't in the match."""
        data = self.notification.data
        offered = data.get("status") == ProposalStatus.AGREED
        return self.seat is None and ("invitation" in data or offered)

    @cached_property
    def reply_address(self) -> str:
        """The address for replying to the turn that the email shows, to the invitation or to the digest.

        It is empty if the service doesn't receive replies.
        """
        if self.match_if_any is None:
            is_answered = self.user and self.notification.kind in (NotificationKind.DIGEST, NotificationKind.ANSWER)
            return reply_addresses.reply_address(self.notification.pk, 0, self.address, self.now) if is_answered else ""
        if not self.is_invitation and not (self.user and self.seat):
            return ""
        turn = self.loaded.match.turn if self.seat else 0
        return reply_addresses.reply_address(self.notification.pk, turn, self.address, self.now)

    @property
    def passed_deadline(self) -> Notification | None:
        """The time-out that made it this player's turn, if there was one."""
        return next((one for one in self.companions if one.kind == NotificationKind.DEADLINE_PASSED), None)

    @property
    def is_told_with_turn(self) -> bool:
        """Whether the same time-out also causes an email that tells the player it's their turn."""
        return any(one.kind == NotificationKind.YOUR_TURN for one in self.companions)

    @property
    def return_address(self) -> str:
        """The address for bounces. It is empty if bounces go to the default sender."""
        return reply_addresses.bounce_address(self.notification.pk, self.address, self.now)

    @cached_property
    def state(self) -> Any:
        return self.loaded.state

    @cached_property
    def view(self) -> Any:
        """What the recipient sees of the current position."""
        return self.loaded.engine.view(self.state, self.seat.number if self.seat else None)

    def sentences(self, after: int) -> list[str]:
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
    """Load the contexts in the order of the IDs, with one query per table instead of one per notification."""
    found = Notification.objects.select_related("user", "match").in_bulk(ids)
    notifications = [found[pk] for pk in ids if pk in found]
    matches = load_matches(notifications)
    events = match_log.events_after((loaded, first_unseen(loaded)) for loaded in matches.values())
    now, address_records = timezone.now(), load_bouncing(notifications, matches.values())
    bouncing = {email for email, record in address_records.items() if record.is_bouncing(now)}
    contexts = [
        Context(notification, now, matches.get(notification.match_id), events[notification.match_id or ""])
        for notification in notifications
    ]
    companions = load_companions(notifications)
    for context in contexts:
        context.address_record = address_records.get(context.address)
        context.bouncing = bouncing
        context.companions = companions[companion_key(context.notification)]
        if context.notification.kind == NotificationKind.DIGEST:
            context.gathered = load_gathered(context.notification)
    return contexts


def load_bouncing(
    notifications: Iterable[Notification], matches: Iterable[LoadedMatch] = ()
) -> dict[str, BouncingAddress]:
    """Load the bounces of the recipients and of the other players in their matches."""
    addresses = {notification.address for notification in notifications}
    addresses |= {seat.user.email for loaded in matches for seat in loaded.seats if seat.user}
    return {record.email: record for record in BouncingAddress.objects.filter(email__in=addresses)}


TIME_OUTS = (NotificationKind.DEADLINE_PASSED, NotificationKind.YOUR_TURN)


def load_companions(notifications: Sequence[Notification]) -> dict[tuple[Any, ...], list[Notification]]:
    """Load the notifications about a time-out and about the turn after it, to merge their emails."""
    asked = [one for one in notifications if one.kind in TIME_OUTS and one.match_id]
    found = Notification.objects.filter(
        match__in={one.match_id for one in asked}, created_at__in={one.created_at for one in asked}, kind__in=TIME_OUTS
    )
    companions: dict[tuple[Any, ...], list[Notification]] = defaultdict(list)
    for one in found if asked else ():
        companions[companion_key(one)].append(one)
    return companions


def companion_key(notification: Notification) -> tuple[Any, ...]:
    return notification.match_id, notification.user_id, notification.seat, notification.created_at


def load_gathered(digest: Notification) -> list[Context]:
    return load(list(digest.gathered.filter(delivery=Delivery.GATHERED).values_list("pk", flat=True)))


def load_matches(notifications: Iterable[Notification]) -> dict[str | None, LoadedMatch]:
    matches: dict[str | None, LoadedMatch] = {n.match.pk: LoadedMatch(n.match, []) for n in notifications if n.match}
    for seat in seats_of_many(len(matches)).rows(list(matches)) if matches else ():
        matches[seat.match_id].seats.append(seat)
    return matches


def first_unseen(loaded: LoadedMatch) -> int:
    """Return the number of the last event that no email about this match needs to mention anymore."""
    since = min((seat.acted_through for seat in loaded.seats), default=0)
    return max(since, loaded.match.events_made - MOST_EVENTS)
