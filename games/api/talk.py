"""Table talk and notes."""

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.authentication import user_in
from games import reading, showing, talk
from games.api import bodies, shapes
from games.api.base import MessageThrottle, answer
from games.api.examples import MESSAGE, NOTE
from rest.examples import answered, sent
from rest.openapi import refuses
from rest.paging import CursorPages
from rest.throttles import UserThrottle
from rest.views import read


class Messages(APIView):
    pagination_class = CursorPages
    throttle_classes = (UserThrottle, MessageThrottle)

    @extend_schema(
        operation_id="matches_messages_list",
        responses=shapes.MessageShape(many=True),
        examples=[answered("A greeting", MESSAGE)],
    )
    @refuses(403)
    def get(self, request: Request, match_id: str) -> Response:
        """Table talk, the latest first; for the players of the match."""
        pages = CursorPages()
        found = pages.paginate_queryset(reading.messages(match_id, user_in(request)), request, view=self)
        return pages.get_paginated_response([showing.message(message) for message in found])

    @extend_schema(
        request=bodies.Said,
        responses={201: shapes.MessageShape},
        examples=[sent("A greeting", {"text": MESSAGE["text"]}), answered("Said", MESSAGE, 201)],
    )
    @refuses(403)
    def post(self, request: Request, match_id: str) -> HttpResponse:
        """Says something to all at the table."""
        text = read(bodies.Said, request)["text"]
        return answer(showing.message(talk.say(match_id, user_in(request), text)), 201)


class OwnNote(APIView):
    @extend_schema(responses=shapes.NoteShape, examples=[answered("A guess", NOTE)])
    @refuses(403)
    def get(self, request: Request, match_id: str) -> HttpResponse:
        """Your own note on the match; nobody else can read it."""
        return answer(showing.note(reading.note(match_id, user_in(request))))

    @extend_schema(
        request=bodies.Noted,
        responses=shapes.NoteShape,
        examples=[sent("A guess", {"text": NOTE["text"]}), answered("Kept", NOTE)],
    )
    @refuses(403)
    def put(self, request: Request, match_id: str) -> HttpResponse:
        """Writes your note, in place of what it was."""
        text = read(bodies.Noted, request)["text"]
        return answer(showing.note(talk.write_note(match_id, user_in(request), text)))
