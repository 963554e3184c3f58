"""Endpoints for invitation links, which need no account, and for checking whether somebody can be invited."""

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.authentication import user_in
from core.api import PublicView, read_body, respond
from core.openapi import refuses, request_example, response_example
from games import shapes
from games.api import bodies
from games.api.examples import JOINING, OFFER
from games.api.matches import shown
from games.selectors import presenters
from games.selectors.loading import load_match
from games.services import invitations
from games.services.salts import Share


class Invitation(PublicView):
    @extend_schema(responses=shapes.Offer, examples=[response_example("To a match for two", OFFER)])
    def get(self, request: Request, token: str) -> HttpResponse:
        """Get an invitation.

        The response shows who invited you, and to which match. You don't have to log in.
        """
        invitation = invitations.offered(invitations.invitation_of(token))
        return respond(presenters.offer(invitation, load_match(invitation.match_id).seats))


class Accept(APIView):
    @extend_schema(request=bodies.SaltShare, responses=shapes.Match, examples=JOINING)
    @refuses(409)
    def post(self, request: Request, token: str) -> HttpResponse:
        """Accept an invitation.

        You take a seat in the match."""
        share, user = Share(**read_body(bodies.SaltShare, request)), user_in(request)
        return respond(shown(invitations.accept(invitations.invitation_of(token), user, share), user))


class Invitees(APIView):
    @extend_schema(
        request=bodies.NewInvitation,
        responses={204: None},
        examples=[request_example("By username", {"invitee": "ben"})],
    )
    @refuses(403, 404)
    def post(self, request: Request) -> Response:
        """Check whether you can invite somebody.

        Call this before you create a match, to catch mistyped names. It does not send an invitation. The response does
        not reveal whether an email address has an account.
        """
        invitations.check(user_in(request), read_body(bodies.NewInvitation, request)["invitee"])
        return Response(status=204)
