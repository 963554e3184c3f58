"""Load all current data that decides whether a notification is sent and what it says."""

import time
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property, lru_cache
from typing import Any
from zoneinfo import ZoneInfo

from django.utils import timezone

from accounts.models import User
from clock.models import ProposalStatus
from core import sql
from games.engine.names import Names
from games.engine.records import Event as RuleEvent
from games.models import Event, Match, Seat
from games.selectors import history, match_log
from games.selectors.loading import SEAT_ORDER, LoadedMatch
from notifications import reply_addresses
from notifications.models import BouncingAddress, Delivery, Notification, NotificationKind

MOST_EVENTS = 40
"""The maximum number of events in an email. `turnpost log` shows the rest."""
TIME_OUTS = (NotificationKind.DEADLINE_PASSED, NotificationKind.YOUR_TURN)
"""The kinds of notifications that are merged if the same time-out causes both."""


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
    read_at: float = 0.0
    """When the notification was read, in seconds of the monotonic clock."""

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
    found, matches, time_outs = read_rows(ids)
    read_at = time.monotonic()
    notifications = [found[pk] for pk in ids if pk in found]
    events = match_log.events_after((loaded, first_unseen(loaded)) for loaded in matches.values())
    now, address_records = timezone.now(), load_bouncing(notifications, matches.values())
    bouncing = {email for email, record in address_records.items() if record.is_bouncing(now)}
    companions: dict[tuple[Any, ...], list[Notification]] = defaultdict(list)
    for one in time_outs:
        companions[companion_key(one)].append(one)
    contexts = [
        Context(
            notification,
            now,
            matches.get(notification.match_id),
            events[notification.match_id or ""],
            address_record=address_records.get(notification.address),
            bouncing=bouncing,
            companions=companions[companion_key(notification)],
            read_at=read_at,
        )
        for notification in notifications
    ]
    for context in contexts:
        if context.notification.kind == NotificationKind.DIGEST:
            context.gathered = load_gathered(context.notification)
    return contexts


def read_rows(
    ids: Collection[int],
) -> tuple[dict[int, Notification], dict[str | None, LoadedMatch], list[Notification]]:
    """Return the notifications, their matches, and the notifications about time-outs that may be merged with them.

    Leave out notifications that are being deleted together with their match.
    """
    filled = sql.filled(ids)
    with_companions, of_match, of_seats = queries(len(filled))
    rows, found, seats = sql.read([(with_companions, filled * 2), (of_match, filled), (of_seats, filled)])
    by_match: dict[str, list[Seat]] = defaultdict(list)
    for seat in seats:
        by_match[seat.match_id].append(seat)
    matches: dict[str | None, LoadedMatch] = {match.pk: LoadedMatch(match, by_match[match.pk]) for match in found}
    notifications = {row.pk: row for row in rows if row.match_id is None or row.match_id in matches}
    return notifications, matches, [row for row in rows if row.kind in TIME_OUTS]


@lru_cache(maxsize=16)
def queries(count: int) -> tuple[sql.Select[Notification], sql.Select[Match], sql.Select[Seat]]:
    """Select this many notifications together with those that the same time-outs caused, their matches, and the seats
    in these matches."""
    table, kinds = Notification._meta.db_table, ", ".join(f"'{kind}'" for kind in TIME_OUTS)
    chosen = f'"{table}" WHERE "id" IN ({", ".join(["%s"] * count)})'
    asked = f'SELECT DISTINCT "match_id", "created_at" FROM {chosen} AND "kind" IN ({kinds})'  # noqa: S608
    companions = (
        f'SELECT beside."id" FROM "{table}" beside JOIN ({asked}) asked ON asked."match_id" = beside."match_id" '  # noqa: S608
        f'AND asked."created_at" = beside."created_at" WHERE beside."kind" IN ({kinds})'
    )
    both = f'SELECT "id" FROM {chosen} UNION {companions}'  # noqa: S608
    matches = f'SELECT "match_id" FROM {chosen}'  # noqa: S608
    return (
        sql.Select(Notification, f'WHERE one."id" IN ({both})', related="user"),
        sql.Select(Match, f'WHERE one."id" IN ({matches})'),
        sql.Select(Seat, f'WHERE one."match_id" IN ({matches}) {SEAT_ORDER}', related="user"),
    )


def load_bouncing(
    notifications: Iterable[Notification], matches: Iterable[LoadedMatch] = ()
) -> dict[str, BouncingAddress]:
    """Load the bounces of the recipients and of the other players in their matches."""
    addresses = {notification.address for notification in notifications}
    addresses |= {seat.user.email for loaded in matches for seat in loaded.seats if seat.user}
    filled = sql.filled(addresses)
    return {record.email: record for record in bounces_of(len(filled)).rows(filled)}


@lru_cache(maxsize=16)
def bounces_of(count: int) -> sql.Select[BouncingAddress]:
    return sql.Select(BouncingAddress, f'WHERE one."email" IN ({", ".join(["%s"] * count)})')


def companion_key(notification: Notification) -> tuple[Any, ...]:
    return notification.match_id, notification.user_id, notification.seat, notification.created_at


def load_gathered(digest: Notification) -> list[Context]:
    return load(list(digest.gathered.filter(delivery=Delivery.GATHERED).values_list("pk", flat=True)))


def first_unseen(loaded: LoadedMatch) -> int:
    """Return the number of the last event that no email about this match needs to mention anymore."""
    since = min((seat.acted_through for seat in loaded.seats), default=0)
    return max(since, loaded.match.events_made - MOST_EVENTS)
