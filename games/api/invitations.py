"""Invitation links, which work with or without an account."""

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.views import APIView

from accounts.authentication import user_in
from core.api import PublicView, read_body, respond
from core.openapi import refuses, response_example
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

        The response shows who invited you and to which match. No login is needed."""
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
