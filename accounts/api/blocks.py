"""Endpoints for blocking and unblocking users."""

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts import blocks, shapes
from accounts.authentication import user_in
from accounts.models import Block
from core.api import NoBody, read_body, respond
from core.openapi import response_example

BLOCKED = {"username": "ben", "name": "Ben", "blocked_at": "2026-03-05T18:00:00Z"}


def presented(of: Block) -> shapes.BlockedUser:
    return shapes.BlockedUser(username=of.blocked.username, name=of.blocked.name, blocked_at=of.made_at)


class Blocks(APIView):
    @extend_schema(responses=list[shapes.BlockedUser], examples=[response_example("One user", BLOCKED)])
    def get(self, request: Request) -> HttpResponse:
        """List the users you have blocked."""
        return respond([presented(one) for one in blocks.blocks_of(user_in(request))])


class OneBlock(APIView):
    @extend_schema(request=NoBody, responses=shapes.BlockedUser, examples=[response_example("Blocked", BLOCKED)])
    def put(self, request: Request, username: str) -> HttpResponse:
        """Block a user.

        They can't invite you, and you don't see their messages. They aren't told that you blocked them."""
        read_body(NoBody, request)
        return respond(presented(blocks.block(user_in(request), username)))

    @extend_schema(responses={204: None})
    def delete(self, request: Request, username: str) -> Response:
        """Unblock a user."""
        blocks.unblock(user_in(request), username)
        return Response(status=204)
