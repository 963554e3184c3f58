"""Endpoints that serve as floors. They authenticate the caller and do the reads and writes of a request, without the
rules.

For moves, `orm` uses Django's models, and `sql` uses hand-written statements. Both assume that a turn has two moves, so
every second move passes the turn to another player. For reads, there is only hand-written SQL. It returns the rows as
JSON, without the position.
"""

from datetime import timedelta
from typing import Any

import msgspec
from django.db import connection, transaction
from django.http import HttpResponse, HttpResponseNotModified
from django.urls import include, path
from django.utils import timezone
from django.utils.duration import duration_microseconds
from knox.auth import TokenAuthentication
from knox.crypto import hash_token
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.models import User
from games.models import Event, Match, Move, Seat
from notifications.models import Notification, random_id
from stream.models import StreamEvent

CONTENT = '{"event":"card_drawn","seat":1,"card":"blue"}'
HASH = "0" * 64
TIME = timedelta(days=3)
ASKED = ["awaited_since", "asked_turn", "deadline", "wake_at", "counted_from", "time_given", "time_left"]


def written(request: Request) -> str:
    """Return the move from the request without interpreting it."""
    return str(request.data["move"])  # type: ignore[call-overload]


class ByOrm(APIView):
    """The floor that reads and writes through Django's models."""

    authentication_classes = (TokenAuthentication,)
    throttle_classes = ()

    def post(self, request: Request, match_id: str) -> Response:
        now = timezone.now()
        with transaction.atomic():
            match = Match.objects.select_for_update().get(pk=match_id)
            seats = list(Seat.objects.select_related("user").filter(match=match).order_by("number"))
            match.turn, match.moves_made = match.turn + 1, match.moves_made + 1
            match.events_made, match.head = match.events_made + 1, HASH
            match.save(update_fields=["turn", "moves_made", "events_made", "head", "encrypted_state"])
            self.ask_next(match, seats, now) if match.turn % 2 else self.note(seats[0], match, now)
            Event.objects.create(
                match=match, number=match.events_made, turn=match.turn, content=CONTENT, hash=HASH, happened_at=now
            )
            Move.objects.create(
                match=match,
                number=match.moves_made,
                turn=match.turn,
                seat=0,
                source="api",
                is_sealed=False,
                closes_turn=True,
                content=written(request),
                made_at=now,
            )
            StreamEvent.objects.bulk_create(
                StreamEvent(user=seat.user, kind="move_made", match=match.id, turn=match.turn, happened_at=now)
                for seat in [*seats, seats[1]]
            )
        return Response({"turn": match.turn, "seats": [seat.user.username for seat in seats if seat.user]})

    def note(self, seat: Seat, match: Match, now: Any) -> None:
        seat.acted_through, seat.visited_at = match.events_made, now
        seat.save(update_fields=["acted_through", "visited_at"])

    def ask_next(self, match: Match, seats: list[Seat], now: Any) -> None:
        for name in ASKED:
            setattr(seats[0], name, None)
        seats[1].awaited_since, seats[1].asked_turn, seats[1].counted_from = now, match.turn, now
        seats[1].deadline = seats[1].wake_at = now + TIME
        seats[1].time_given = seats[1].time_left = TIME
        Seat.objects.bulk_update(seats[:2], ASKED)
        Notification.objects.create(
            user=seats[1].user, match=match, seat=1, turn=match.turn, kind="your_turn", created_at=now, due_at=now
        )


TOKEN = """
    SELECT u.id, u.username, u.time_zone, t.digest, t.expiry
    FROM accounts_token t JOIN accounts_user u ON u.id = t.user_id WHERE t.token_key = %s AND u.is_active"""
LOCK = "SELECT * FROM games_match WHERE id = %s"
SEATS = """
    SELECT s.*, u.username, u.display_name, u.time_zone, u.last_vacation_day, u.has_webhooks
    FROM games_seat s LEFT JOIN accounts_user u ON u.id = s.user_id WHERE s.match_id = %s ORDER BY s.number"""
ADVANCE = (
    "UPDATE games_match SET turn = %s, moves_made = %s, events_made = %s, head = %s, encrypted_state = %s WHERE id = %s"
)
NOTE = "UPDATE games_seat SET acted_through = %s, visited_at = %s WHERE id = %s"
ASK = """
    UPDATE games_seat SET awaited_since = %s, asked_turn = %s, deadline = %s, wake_at = %s, counted_from = %s,
    time_given = %s, time_left = %s WHERE id = %s"""
EVENT = """
    INSERT INTO games_event (match_id, number, turn, cause, content, leaf, hash, happened_at)
    VALUES (%s, %s, %s, '', %s, '', %s, %s)"""
MOVE = """
    INSERT INTO games_move (match_id, number, turn, seat, source, is_sealed, closes_turn, content, nonce, receipt,
    made_at) VALUES (%s, %s, %s, 0, 'api', false, true, %s, '', '', %s)"""
NOTIFICATION = """
    INSERT INTO notifications_notification (id, user_id, email, match_id, seat, turn, kind, number, data, delivery, why,
    created_at, due_at, claim, tries, is_for_webhooks)
    VALUES (%s, %s, '', %s, 1, %s, 'your_turn', 0, '{}', 'queued', '', %s, %s, '', 0, false)"""

STREAM_EVENTS = 'INSERT INTO stream_streamevent (user_id, kind, "match", turn, data, happened_at) VALUES '
STREAM_EVENT = "(%s, 'move_made', %s, %s, '{}', %s)"


class TokenBySql(BaseAuthentication):
    def authenticate(self, request: Request) -> tuple[User, None]:
        written = request.headers["Authorization"].split()[1]
        with connection.cursor() as cursor:
            cursor.execute(TOKEN, [written[:15]])
            for user_id, username, time_zone, digest, _ in cursor.fetchall():
                if digest == hash_token(written):
                    return User(id=user_id, username=username, time_zone=time_zone), None
        raise AuthenticationFailed

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"


class BySql(APIView):
    """The floor that does the same reads and writes in SQL, without the ORM."""

    authentication_classes = (TokenBySql,)
    throttle_classes = ()

    def post(self, request: Request, match_id: str) -> Response:
        now = timezone.now()
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(LOCK + " FOR UPDATE" * (connection.vendor == "postgresql"), [match_id])
            match = named(cursor)[0]
            cursor.execute(SEATS, [match_id])
            seats = named(cursor)
            turn, made, events = match["turn"] + 1, match["moves_made"] + 1, match["events_made"] + 1
            cursor.execute(ADVANCE, [turn, made, events, HASH, match["encrypted_state"], match_id])
            if turn % 2:
                cursor.execute(ASK, [*[None] * 7, seats[0]["id"]])
                cursor.execute(ASK, [now, turn, now + TIME, now + TIME, now, *[stored(TIME)] * 2, seats[1]["id"]])
                cursor.execute(NOTIFICATION, [random_id(), seats[1]["user_id"], match_id, turn, now, now])
            else:
                cursor.execute(NOTE, [events, now, seats[0]["id"]])
            cursor.execute(EVENT, [match_id, events, turn, CONTENT, HASH, now])
            cursor.execute(MOVE, [match_id, made, turn, written(request), now])
            users = [*(seat["user_id"] for seat in seats), seats[1]["user_id"]]
            cursor.execute(
                STREAM_EVENTS + ", ".join([STREAM_EVENT] * len(users)),
                [value for user in users for value in (user, match_id, turn, now)],
            )
        return Response({"turn": turn, "seats": [seat["username"] for seat in seats]})


SUMMARY = """id, game, phase, turn, created_at, seat_count, is_private, started_at, ended_at"""
MATCH = f"SELECT {SUMMARY}, encrypted_state FROM games_match WHERE id = %s"
TURN = "SELECT turn FROM games_match WHERE id = %s"
MINE = f"""
    SELECT {SUMMARY} FROM games_match WHERE id IN (
        SELECT s.match_id FROM games_seat s JOIN games_match m ON m.id = s.match_id
        WHERE s.user_id = %s AND m.phase IN ('gathering', 'running') ORDER BY s.id DESC LIMIT 10)"""
SEATS_OF_ALL = "SELECT * FROM games_seat WHERE match_id = ANY(%s) ORDER BY match_id, number"
INVITATIONS = "SELECT * FROM games_invitation WHERE match_id = ANY(%s)"


class MatchBySql(APIView):
    """The floor for a match, and for a match that hasn't changed."""

    authentication_classes = (TokenBySql,)
    throttle_classes = ()

    def get(self, request: Request, match_id: str) -> HttpResponse:
        with connection.cursor() as cursor:
            if known := request.headers.get("If-None-Match"):
                cursor.execute(TURN, [match_id])
                assert known == f'"{cursor.fetchone()[0]}"'
                return HttpResponseNotModified()
            cursor.execute(MATCH, [match_id])
            match = named(cursor)[0]
            cursor.execute(SEATS, [match_id])
            return as_json(match | {"seats": named(cursor)}, ETag=f'"{match["turn"]}"')


class MineBySql(APIView):
    """The floor for a list of matches."""

    authentication_classes = (TokenBySql,)
    throttle_classes = ()

    def get(self, request: Request) -> HttpResponse:
        with connection.cursor() as cursor:
            cursor.execute(MINE, [request.user.pk])
            matches = named(cursor)
            ids = [match["id"] for match in matches]
            cursor.execute(SEATS_OF_ALL, [ids])
            seats = named(cursor)
            cursor.execute(INVITATIONS, [ids])
            return as_json({"results": matches, "seats": seats, "invitations": named(cursor)})


def as_json(content: Any, **headers: str) -> HttpResponse:
    return HttpResponse(msgspec.json.encode(content), "application/json", headers=headers)


def named(cursor: Any) -> list[dict[str, Any]]:
    names = [column[0] for column in cursor.description]
    return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


def stored(time: timedelta) -> Any:
    return time if connection.vendor == "postgresql" else duration_microseconds(time)


urlpatterns = [
    path("orm/<str:match_id>", ByOrm.as_view()),
    path("sql/<str:match_id>", BySql.as_view()),
    path("read/<str:match_id>", MatchBySql.as_view()),
    path("mine", MineBySql.as_view()),
    path("", include("config.urls")),
]
handler500 = "core.error_pages.server_error"
