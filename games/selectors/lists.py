"""Queries for lists of matches. Each takes one query, and one more for each kind of related rows."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Exists, F, Max, OuterRef, Prefetch, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from accounts.models import User
from games.models import Event, Invitation, Match, Message, Move, Note, Phase, Seat
from games.models.invitation import Answer
from games.selectors import access
from games.selectors.loading import LoadedMatch, in_seat_order

UNDER_WAY = [Phase.GATHERING, Phase.RUNNING]
PLAYED = [Phase.FINISHED, Phase.ABANDONED]
NOT_LISTED = ("encrypted_secret", "encrypted_state", "outcome", "players", "seating", "sealed", "end")


@dataclass(frozen=True)
class Listing:
    """A list of matches: its rows (seats, invitations or matches), their order, and how to find each row's match."""

    rows: Callable[[Any], QuerySet[Any]]
    """A function of the current user, or of None if nobody is logged in."""
    ordering: tuple[str, ...]
    match_of: Callable[[Any], Match]
    is_public: bool = False


def mine(user: User) -> QuerySet[Seat]:
    return with_match(Seat.objects.filter(user=user, match__phase__in=UNDER_WAY), "match__invitations")


def waiting(user: User) -> QuerySet[Seat]:
    """Return the seats whose turn it is. Uses only one partial index."""
    return seats_of(user).filter(awaited_since__isnull=False)


def finished(user: User) -> QuerySet[Seat]:
    return seats_of(user).filter(match__phase__in=PLAYED)


def invited(user: User) -> QuerySet[Invitation]:
    """List each match once, even if the user was invited both by name and by address."""
    invitations = access.invitations_to(user).filter(match__phase=Phase.GATHERING)
    latest = invitations.order_by().values("match").values_list(Max("pk"))
    return with_match(invitations.filter(pk__in=latest), "match__invitations")


def open_to_all(_: User | None) -> QuerySet[Match]:
    """Return the matches with a seat that is neither taken nor reserved."""
    matches = Match.objects.filter(phase=Phase.GATHERING, is_private=False, reveal_by=None)
    reserved = Invitation.objects.filter(answer=Answer.OPEN)
    with_room = matches.alias(room=F("seat_count") - count_of(Seat.objects.all()) - count_of(reserved))
    return with_seats(with_room.filter(room__gt=0), "invitations")


def count_of(rows: QuerySet[Any]) -> Coalesce:
    """Count the rows that belong to the match of the outer query."""
    theirs = rows.filter(match=OuterRef("pk")).order_by().values("match").values_list(Count("pk"))
    return Coalesce(Subquery(theirs), 0)


def archive(_: User | None) -> QuerySet[Match]:
    return with_seats(Match.objects.filter(phase=Phase.FINISHED, is_private=False))


def seats_of(user: User) -> QuerySet[Seat]:
    return with_match(Seat.objects.filter(user=user))


def with_match(rows: QuerySet[Any], *more: str) -> QuerySet[Any]:
    related = rows.select_related("match").defer(*(f"match__{name}" for name in NOT_LISTED))
    return related.prefetch_related(Prefetch("match__seats", in_seat_order(Seat.objects.all())), *more)


def with_seats(matches: QuerySet[Match], *more: str) -> QuerySet[Match]:
    seats = Prefetch("seats", in_seat_order(Seat.objects.all()))
    return matches.defer(*NOT_LISTED).prefetch_related(seats, *more)


def match_of(row: Seat | Invitation) -> Match:
    return row.match


def itself(match: Match) -> Match:
    return match


LISTS = {
    "mine": Listing(mine, ("-id",), match_of),
    "waiting": Listing(waiting, ("awaited_since", "id"), match_of),
    "open": Listing(open_to_all, ("-created_at", "id"), itself, is_public=True),
    "finished": Listing(finished, ("-id",), match_of),
    "invited": Listing(invited, ("-id",), match_of),
    "archive": Listing(archive, ("-ended_at", "id"), itself, is_public=True),
}


@dataclass(frozen=True)
class PlayerExtras:
    """Return everything a player sees of a match apart from the board."""

    invitations: tuple[Invitation, ...] = ()
    message_count: int = 0
    has_note: bool = False


def player_extras(loaded: LoadedMatch, user: User | None) -> PlayerExtras:
    if user is None or loaded.seat_of(user.pk) is None:
        return PlayerExtras()
    invitations = tuple(open_invitations(loaded)) if loaded.match.phase == Phase.GATHERING else ()
    written = Note.objects.filter(match=OuterRef("pk"), user=user).exclude(encrypted_text="")
    messages = readable(Message.objects.filter(match=OuterRef("pk")), user)
    counts = Match.objects.filter(pk=loaded.match.pk).values_list(count_of(messages), Exists(written))
    return PlayerExtras(invitations, *counts.get())


def open_invitations(loaded: LoadedMatch) -> QuerySet[Invitation]:
    rows = loaded.match.invitations.filter(answer=Answer.OPEN)
    return rows.select_related("user", "invited_by").order_by("id")


def events(loaded: LoadedMatch, since: int) -> QuerySet[Event]:
    return loaded.match.events.filter(number__gt=since)


def messages(match_id: str, user: User) -> QuerySet[Message]:
    """List the messages, except those from users whom the reader has blocked.

    Raises Forbidden unless the reader is a player.
    """
    loaded = access.visible_match(match_id, user)
    access.own_seat(loaded, user)
    return readable(loaded.match.messages.select_related("author"), user)


def readable(messages: QuerySet[Message], user: User) -> QuerySet[Message]:
    return messages.filter(~Q(author__in=access.blocked_users(user)) | Q(author=None))


def unread_messages(user: User) -> dict[str, int]:
    """Count the messages that others have written in each match since the user's last visit."""
    seats = Seat.objects.filter(user=user, match__phase__in=[*UNDER_WAY, *PLAYED])
    unseen = Q(match__seats__visited_at=None) | Q(posted_at__gt=F("match__seats__visited_at"))
    written = Message.objects.filter(unseen, match__seats__in=seats).exclude(author=user)
    return dict(written.order_by().values_list("match").annotate(Count("pk")))


def note(match_id: str, user: User) -> Note | None:
    loaded = access.visible_match(match_id, user)
    access.own_seat(loaded, user)
    return Note.objects.filter(match=loaded.match, user=user).first()


def pending_move(loaded: LoadedMatch, seat: Seat | None) -> Move | None:
    """Return the seat's sealed move if it can still be replaced."""
    if seat is None or seat.number is None or loaded.match.phase != Phase.RUNNING:
        return None
    made = loaded.match.moves.filter(turn=loaded.match.turn, seat=seat.number).order_by("-number").first()
    return made if made and made.is_sealed else None
