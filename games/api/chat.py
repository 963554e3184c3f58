"""Endpoints for messages between players, reports of messages, and private notes."""

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.views import APIView

from accounts.authentication import user_in
from core.api import read_body, respond
from core.openapi import refuses, request_example, response_example
from core.paging import CursorPages
from core.rate_limits import UserThrottle, WriteThrottle
from core.shapes import Acknowledgement, Page
from games import shapes
from games.api import bodies
from games.api.examples import MESSAGE, NOTE
from games.selectors import lists, presenters
from games.services import chat, visits

REPORTED = {"message": "Thank you. The operators will look at this message."}


class MessageThrottle(WriteThrottle):
    scope = "message"


class Messages(APIView):
    pagination_class = CursorPages
    throttle_classes = (UserThrottle, MessageThrottle)

    @extend_schema(
        responses=Page[shapes.Message],
        examples=[response_example("A greeting", MESSAGE)],
    )
    @refuses(403)
    def get(self, request: Request, match_id: str) -> HttpResponse:
        """List the messages in a match, newest first.

        Only players of the match can read them.
        """
        messages = lists.messages(match_id, user_in(request))
        visits.read_messages(match_id, user_in(request))
        return respond(CursorPages().page(messages, request, presenters.message))

    @extend_schema(
        request=bodies.NewMessage,
        responses={201: shapes.Message},
        examples=[request_example("A greeting", {"text": MESSAGE["text"]}), response_example("Posted", MESSAGE, 201)],
    )
    @refuses(403)
    def post(self, request: Request, match_id: str) -> HttpResponse:
        """Post a message.

        All players in the match can read it.
        """
        text = read_body(bodies.NewMessage, request)["text"]
        return respond(presenters.message(chat.post_message(match_id, user_in(request), text)), 201)


class MessageReport(APIView):
    @extend_schema(
        request=bodies.NewReport,
        responses={201: Acknowledgement},
        examples=[request_example("An insult", {"reason": "Insults"}), response_example("Reported", REPORTED, 201)],
    )
    @refuses(403, 409)
    def post(self, request: Request, match_id: str, number: int) -> HttpResponse:
        """Report a message.

        The operators of this server see the message, its author and your reason. The author isn't notified."""
        reason = read_body(bodies.NewReport, request)["reason"]
        chat.report_message(match_id, user_in(request), number, reason)
        return respond(Acknowledgement(**REPORTED), 201)


class OwnNote(APIView):
    @extend_schema(responses=shapes.Note, examples=[response_example("A guess", NOTE)])
    @refuses(403)
    def get(self, request: Request, match_id: str) -> HttpResponse:
        """Get your note on a match.

        Nobody else can read it.
        """
        return respond(presenters.note(lists.note(match_id, user_in(request))))

    @extend_schema(
        request=bodies.NewNote,
        responses=shapes.Note,
        examples=[request_example("A guess", {"text": NOTE["text"]}), response_example("Saved", NOTE)],
    )
    @refuses(403)
    def put(self, request: Request, match_id: str) -> HttpResponse:
        """Save your note on a match.

        The new text replaces the previous one.
        """
        text = read_body(bodies.NewNote, request)["text"]
        return respond(presenters.note(chat.write_note(match_id, user_in(request), text)))
