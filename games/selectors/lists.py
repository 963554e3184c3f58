"""Queries for lists of matches. Each list takes one query, plus one for each kind of related row."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from django.db import connection
from django.db.models import Count, F, Max, OuterRef, Prefetch, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from accounts.authentication import UncheckedToken
from accounts.models import Token, User
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
DIGEST = "digest"
"""Stands for the digest of a token in a query that is compiled for all tokens."""
OF_ROW = ("id", "awaited_since")
OF_MATCH = (
    "id",
    "game",
    "rules",
    "options",
    "seat_count",
    "title",
    "owner_id",
    "is_private",
    "allows_bots",
    "absent",
    "think",
    "move_time",
    "bank",
    "weekends_off",
    "patience",
    "paused_until",
    "phase",
    "created_at",
    "expires_at",
    "started_at",
    "ended_at",
    "turn",
)
OF_SEAT = (
    "id",
    "match_id",
    "user_id",
    "bot_level",
    "bot_name",
    "number",
    "awaited_since",
    "deadline",
    "bank",
    "stand_in_since",
    "resigned_at",
    "points",
    "place",
)
OF_USER = ("id", "username", "display_name", "is_bot")


class Joined(sql.Values):
    """A query for the fields that lists show of seats, and of the match or the user of each seat.

    It is compiled only once, because compiling it takes longer than running it.
    """

    def __init__(
        self, seats: QuerySet[Seat], names: Sequence[str], related: str, their_names: Sequence[str], *, ending: str = ""
    ) -> None:
        joined: Any = Seat._meta.get_field(related)
        self._joined, self._names, self._their_names = joined, names, their_names
        rows = seats.prefetch_related(None).values_list(*names, *(f"{related}__{name}" for name in their_names))
        query, self.parameters = rows.query.sql_with_params()
        super().__init__(query + ending)
        fields = [
            *(Seat._meta.get_field(name) for name in names),
            *(joined.related_model._meta.get_field(name) for name in their_names),
        ]
        self._converters = [
            (place, converter, field.get_col(field.model._meta.db_table))
            for place, field in enumerate(fields)
            for converter in sql.converters_of(field, connection)
        ]

    def models(self, database: Any, found: Iterable[tuple[Any, ...]]) -> list[Any]:
        seats, width = [], len(self._names)
        for values in map(list, found):
            for place, converter, column in self._converters:
                values[place] = converter(values[place], column, database)
            seat = sql.stored_row(Seat, self._names, values)
            theirs = values[width:]
            other = None if theirs[0] is None else sql.stored_row(self._joined.related_model, self._their_names, theirs)
            self._joined.set_cached_value(seat, other)
            seats.append(seat)
        return seats


@cache
def first_page(which: str) -> Joined:
    listing, owner = LISTS[which], Subquery(Token.objects.filter(digest=DIGEST).values("user"))
    return Joined(listing.rows(owner).order_by(*listing.ordering), OF_ROW, "match", OF_MATCH, ending=" LIMIT %s")


def first_rows_with_token(which: str, most: int, token: UncheckedToken) -> tuple[list[Seat], User]:
    """Fetch the first rows of a player's own list and the token's owner in one round trip."""
    query = first_page(which)
    values = [token.digest if value == DIGEST else value for value in query.parameters]
    candidates, rows = sql.read([token.lookup(), (query, [*values, most])])
    return rows, token.owner(candidates)


@dataclass(frozen=True)
class SeatsOfMany:
    """The seats of several matches, and how many more are reserved by invitations."""

    taken: dict[str, list[Seat]]
    reserved: dict[str, int]


def seats_of_many(matches: Sequence[Match]) -> SeatsOfMany:
    """Read the seats and reservations in one round trip. Django's prefetching would take several times longer."""
    if not matches:
        return SeatsOfMany({}, {})
    taken: dict[str, list[Seat]] = {match.pk: [] for match in matches}
    gathering = [match.pk for match in matches if match.phase == Phase.GATHERING]
    queries: list[sql.Query] = [(seats_in(len(taken)), list(taken))]
    if gathering:
        queries.append((reservations(len(gathering)), gathering))
    seats, *reserved = sql.read(queries)
    for seat in seats:
        taken[seat.match_id].append(seat)
    return SeatsOfMany(taken, dict(*reserved))


@lru_cache(maxsize=256)
def seats_in(count: int) -> Joined:
    """Return the query for the seats of this many matches."""
    return Joined(loading.seats_of([str(number) for number in range(count)]), OF_SEAT, "user", OF_USER)


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


def current_version(match_id: str, token: UncheckedToken) -> Hashable:
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
