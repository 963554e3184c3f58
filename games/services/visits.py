"""Record when a player last looked at a match or acted in it, to determine what is new to them."""

from django.utils import timezone

from accounts.models import User
from games.models import Match, Seat
from games.selectors.loading import LoadedMatch


def record(loaded: LoadedMatch, user: User | None) -> None:
    """Record a visit, but only if it changes anything."""
    seat = loaded.seat_of(user.pk if user else None)
    if seat and is_new(seat, loaded.match):
        Seat.objects.filter(pk=seat.pk).update(visited_at=timezone.now(), seen_through=loaded.match.events_made)


def is_new(seat: Seat, match: Match) -> bool:
    if seat.visited_at is None or seat.last_seen < match.events_made:
        return True
    return seat.mailed_at is not None and seat.mailed_at >= seat.visited_at


def read_messages(match_id: str, user: User) -> None:
    """Record that a player has read the messages in a match. They have not necessarily seen its latest events."""
    Seat.objects.filter(match_id=match_id, user=user).update(visited_at=timezone.now())
