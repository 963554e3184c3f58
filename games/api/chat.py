"""Table talk and notes."""

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.authentication import user_in
from core.api import answer, read
from core.openapi import answered, refuses, sent
from core.paging import CursorPages
from core.rate_limits import UserThrottle, WriteThrottle
from games.api import bodies, shapes
from games.api.examples import MESSAGE, NOTE
from games.selectors import lists, presenters
from games.services import chat


class MessageThrottle(WriteThrottle):
    scope = "message"


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
        found = pages.paginate_queryset(lists.messages(match_id, user_in(request)), request, view=self)
        return pages.get_paginated_response([presenters.message(message) for message in found])

    @extend_schema(
        request=bodies.Said,
        responses={201: shapes.MessageShape},
        examples=[sent("A greeting", {"text": MESSAGE["text"]}), answered("Said", MESSAGE, 201)],
    )
    @refuses(403)
    def post(self, request: Request, match_id: str) -> HttpResponse:
        """Says something to all at the table."""
        text = read(bodies.Said, request)["text"]
        return answer(presenters.message(chat.post_message(match_id, user_in(request), text)), 201)


class OwnNote(APIView):
    @extend_schema(responses=shapes.NoteShape, examples=[answered("A guess", NOTE)])
    @refuses(403)
    def get(self, request: Request, match_id: str) -> HttpResponse:
        """Your own note on the match; nobody else can read it."""
        return answer(presenters.note(lists.note(match_id, user_in(request))))

    @extend_schema(
        request=bodies.Noted,
        responses=shapes.NoteShape,
        examples=[sent("A guess", {"text": NOTE["text"]}), answered("Kept", NOTE)],
    )
    @refuses(403)
    def put(self, request: Request, match_id: str) -> HttpResponse:
        """Writes your note, in place of what it was."""
        text = read(bodies.Noted, request)["text"]
        return answer(presenters.note(chat.write_note(match_id, user_in(request), text)))
