"""Queries for lists of matches. Each list takes one query, plus one for each kind of related row."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from django.db import connection
from django.db.models import Count, F, Max, Model, OuterRef, Prefetch, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from accounts.authentication import UncheckedToken
from accounts.models import User
from core import sql
from games.models import Invitation, Match, Message, Move, Note, Phase, Seat
from games.models.invitation import Answer
from games.selectors import access, loading
from games.selectors.loading import MATCH, SEATS, LoadedMatch, in_seat_order

UNDER_WAY = [Phase.GATHERING, Phase.RUNNING]
PLAYED = [Phase.FINISHED, Phase.ABANDONED]
NOT_LISTED = ("encrypted_secret", "encrypted_state", "outcome", "players", "seating", "sealed", "end")


@dataclass(frozen=True)
class Listing:
    """A list of matches: its rows (seats, invitations or matches), their order, and how to find the match of each
    row."""

    rows: Callable[[Any], QuerySet[Any]]
    """A function that takes the current user, or None if nobody is logged in."""
    ordering: tuple[str, ...]
    match_of: Callable[[Any], Match]
    is_public: bool = False


def mine(user: User) -> QuerySet[Seat]:
    return with_match(Seat.objects.filter(user=user, match__phase__in=UNDER_WAY), "match__invitations")


def waiting(user: User) -> QuerySet[Seat]:
    """Return the seats whose turn it is. The query uses a single partial index."""
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


OWN = ("mine", "waiting", "finished")
NOBODY = -1
"""Stands for the ID of the current user in a query that is compiled for all users."""


class FirstPage:
    """The query for the first page of a user's matches. It is compiled only once from the rows of the listing, because
    compiling it takes longer than running it."""

    def __init__(self, listing: Listing) -> None:
        rows = listing.rows(User(pk=NOBODY)).prefetch_related(None)
        self._seat = Seat._meta.concrete_fields
        self._match = [field for field in Match._meta.concrete_fields if field.name not in NOT_LISTED]
        names = [field.attname for field in self._seat] + [f"match__{field.attname}" for field in self._match]
        sql_of_all, self._values = rows.order_by(*listing.ordering).values_list(*names).query.sql_with_params()
        self._sql = sql_of_all + " LIMIT %s"
        self._converters = [
            (place, converter, field.get_col(field.model._meta.db_table))
            for place, field in enumerate((*self._seat, *self._match))
            for converter in sql.converters_of(field, connection)
        ]
        self._names = [[field.attname for field in fields] for fields in (self._seat, self._match)]

    def rows(self, user: User, most: int) -> list[Seat]:
        values = [user.pk if value == NOBODY else value for value in self._values]
        with connection.cursor() as cursor:
            cursor.execute(self._sql, [*values, most])
            return [self._seat_with_match(list(found)) for found in cursor.fetchall()]

    def _seat_with_match(self, found: list[Any]) -> Seat:
        for place, converter, column in self._converters:
            found[place] = converter(found[place], column, connection)
        of_seat, of_match = self._names
        seat = sql.stored_row(Seat, of_seat, found)
        seat.match = sql.stored_row(Match, of_match, found[len(of_seat) :])
        return seat


@cache
def first_page(which: str) -> FirstPage:
    return FirstPage(LISTS[which])


@dataclass(frozen=True)
class Rows:
    """The rows of a list for one user."""

    which: str
    user: User | None

    @property
    def model(self) -> type[Model]:
        return Seat if self.which in OWN else self.all().model

    def first(self, most: int) -> list[Any]:
        if self.which in OWN and self.user:
            return first_page(self.which).rows(self.user, most)
        return list(self.all().order_by(*LISTS[self.which].ordering)[:most])

    def all(self) -> QuerySet[Any]:
        return LISTS[self.which].rows(self.user).prefetch_related(None)


@dataclass(frozen=True)
class SeatsOfMany:
    """The seats of several matches, and how many more are reserved by invitations."""

    taken: dict[str, list[Seat]]
    reserved: dict[str, int]


def seats_of_many(matches: Sequence[Match]) -> SeatsOfMany:
    """Read the seats and reservations in one round trip. Django's prefetching would take several times longer."""
    ids = [match.pk for match in matches]
    if not ids:
        return SeatsOfMany({}, {})
    seats, reserved = sql.read([(loading.seats_of_many(len(ids)), ids), (reservations(len(ids)), ids)])
    taken: dict[str, list[Seat]] = {match_id: [] for match_id in ids}
    for seat in seats:
        taken[seat.match_id].append(seat)
    return SeatsOfMany(taken, dict(reserved))


@lru_cache(maxsize=256)
def reservations(count: int) -> sql.Values:
    asked = ", ".join(["%s"] * count)
    return sql.Values(
        f"SELECT match_id, COUNT(*) FROM games_invitation WHERE answer = 'open' AND match_id IN ({asked}) GROUP BY 1"  # noqa: S608
    )


@dataclass(frozen=True)
class PlayerExtras:
    """Everything that a player sees in a match apart from the board."""

    invitations: tuple[Invitation, ...] = ()
    message_count: int = 0
    has_note: bool = False
    bouncing: tuple[User, ...] = ()
    """The other players whose emails are bouncing."""


_bouncing: list[Callable[[str], sql.Query]] = []


def finds_bouncing(query: Callable[[str], sql.Query]) -> Callable[[str], sql.Query]:
    """Register a query for the IDs of a match's players whose emails are bouncing. It runs when the match is loaded."""
    _bouncing.append(query)
    return query


COUNTED = """
    SELECT
        (SELECT COUNT(*) FROM games_message written WHERE written.match_id = %s AND NOT EXISTS (
            SELECT 1 FROM accounts_block WHERE user_id = {user} AND blocked_id = written.author_id)),
        EXISTS (SELECT 1 FROM games_note WHERE match_id = %s AND user_id = {user} AND encrypted_text <> '')"""
COUNTS = sql.Values(COUNTED.format(user="%s"))
"""How many messages a user can read in a match, and whether they have written a note."""
COUNTS_BY_TOKEN = sql.Values(COUNTED.format(user="(SELECT user_id FROM accounts_token WHERE digest = %s)"))


def match_with_extras(match_id: str, user: User | None) -> tuple[LoadedMatch, PlayerExtras]:
    """Load a match and its extras in one round trip. Raise NotFound if the user is not allowed to see the match."""
    if user is None:
        return access.visible_match(match_id, None), PlayerExtras()
    counting: sql.Query = COUNTS, [match_id, user.pk, match_id, user.pk]
    matches, seats, counts, *bouncing = sql.read(
        [(MATCH, [match_id]), (SEATS, [match_id]), counting, *bouncing_queries(match_id)]
    )
    loaded = seen(match_id, matches, seats, user)
    return loaded, extras_of(loaded, user, counts, bouncing)


MATCH_VERSION = MATCH.versions()
SEATS_VERSION = SEATS.versions()


@dataclass(frozen=True)
class SeenMatch:
    """A match as a player sees it. As long as its version stays the same, the player sees the same."""

    user: User
    version: Hashable
    loaded: LoadedMatch
    extras: PlayerExtras


def match_with_token(match_id: str, token: UncheckedToken) -> SeenMatch:
    """Load a match and the token's owner in one round trip. Raise NotFound if they are not allowed to see the match.

    The version is read first. If the match changes in between, the version is too old, and nobody has it any more.
    """
    watched = version_queries(match_id, token)
    found = sql.read([token.lookup(), *watched, (MATCH, [match_id]), (SEATS, [match_id])])
    candidates, version, (matches, seats) = found[0], found[1:-2], found[-2:]
    user = token.owner(candidates)
    loaded = seen(match_id, matches, seats, user)
    _, _, counts, *bouncing = version
    return SeenMatch(user, version_of(user, version), loaded, extras_of(loaded, user, counts, bouncing))


def version_with_token(match_id: str, token: UncheckedToken) -> Hashable:
    """Find out in one round trip which version of a match the token's owner would see now."""
    candidates, *version = sql.read([token.lookup(), *version_queries(match_id, token)])
    return version_of(token.owner(candidates), version)


def version_queries(match_id: str, token: UncheckedToken) -> list[sql.Query]:
    counting: sql.Query = COUNTS_BY_TOKEN, [match_id, token.digest, match_id, token.digest]
    return [(MATCH_VERSION, [match_id]), (SEATS_VERSION, [match_id]), counting, *bouncing_queries(match_id)]


def version_of(user: User, found: Sequence[list[tuple[Any, ...]]]) -> Hashable:
    return user.pk, *map(tuple, found)


def seen(match_id: str, matches: list[Match], seats: list[Seat], user: User) -> LoadedMatch:
    loaded = LoadedMatch(matches[0], seats) if matches else None
    if loaded is None or not access.may_see(loaded, user):
        raise access.no_such_match(match_id)
    return loaded


def player_extras(loaded: LoadedMatch, user: User | None) -> PlayerExtras:
    if user is None or loaded.seat_of(user.pk) is None:
        return PlayerExtras()
    match_id = loaded.match.pk
    counts, *bouncing = sql.read([(COUNTS, [match_id, user.pk, match_id, user.pk]), *bouncing_queries(match_id)])
    return extras_of(loaded, user, counts, bouncing)


def extras_of(loaded: LoadedMatch, user: User, counts: list[Any], bouncing: list[list[Any]]) -> PlayerExtras:
    if loaded.seat_of(user.pk) is None:
        return PlayerExtras()
    [(message_count, has_note)] = counts
    invitations = tuple(open_invitations(loaded)) if loaded.match.phase == Phase.GATHERING else ()
    return PlayerExtras(invitations, message_count, bool(has_note), others_among(bouncing, loaded, user))


def bouncing(loaded: LoadedMatch, user: User | None) -> tuple[User, ...]:
    """Return the other players whose emails are bouncing. Only players see them, and only until the match ends."""
    if user is None or loaded.seat_of(user.pk) is None or loaded.match.phase not in UNDER_WAY:
        return ()
    return others_among(sql.read(bouncing_queries(loaded.match.pk)), loaded, user)


def others_among(rows: list[list[Any]], loaded: LoadedMatch, user: User) -> tuple[User, ...]:
    found = {pk for each in rows for (pk,) in each} if loaded.match.phase in UNDER_WAY else set()
    return tuple(seat.user for seat in loaded.seats if seat.user and seat.user_id in found - {user.pk})


def bouncing_queries(match_id: str) -> list[sql.Query]:
    return [query(match_id) for query in _bouncing]


def open_invitations(loaded: LoadedMatch) -> QuerySet[Invitation]:
    rows = loaded.match.invitations.filter(answer=Answer.OPEN)
    return rows.select_related("user", "invited_by").order_by("id")


def messages(match_id: str, user: User) -> QuerySet[Message]:
    """List the messages, except those from users whom the reader has blocked.

    Raise Forbidden unless the reader is a player.
    """
    loaded = access.visible_match(match_id, user)
    access.own_seat(loaded, user)
    return messages_in(loaded, user)


def messages_in(loaded: LoadedMatch, user: User) -> QuerySet[Message]:
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
