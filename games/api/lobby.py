"""Before the start, and ending a match by agreement."""

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.authentication import user_in
from core.api import NoBody, answer, read
from core.openapi import answered, refuses, sent
from games.api import bodies, shapes
from games.api.examples import INVITATION, JOINING, SHOWN
from games.api.matches import shown
from games.selectors import access, lists, presenters
from games.services import invitations, lobby

INVITING = [
    sent("A player", {"whom": "ben"}),
    sent("Anybody", {"whom": "ben@example.org"}),
    answered("Invited", INVITATION, 201),
]


class Join(APIView):
    @extend_schema(request=bodies.Joining, responses=shapes.MatchShape, examples=JOINING)
    @refuses(409)
    def post(self, request: Request, match_id: str) -> HttpResponse:
        """Takes a seat in an open match, or accepts an invitation. The last to join starts the match."""
        salt = read(bodies.Joining, request).get("salt")
        return answer(shown(lobby.join(match_id, user_in(request), salt), user_in(request)))


class Decline(APIView):
    @extend_schema(request=NoBody, responses={204: None})
    def post(self, request: Request, match_id: str) -> Response:
        """Says no to an invitation."""
        read(NoBody, request)
        invitations.decline(match_id, user_in(request))
        return Response(status=204)


class Leave(APIView):
    @extend_schema(request=NoBody, responses={204: None})
    @refuses(403, 409)
    def post(self, request: Request, match_id: str) -> Response:
        """Gives your seat back before the start."""
        read(NoBody, request)
        lobby.leave(match_id, user_in(request))
        return Response(status=204)


class Start(APIView):
    @extend_schema(request=NoBody, responses=shapes.MatchShape, examples=[SHOWN])
    @refuses(403, 409)
    def post(self, request: Request, match_id: str) -> HttpResponse:
        """The owner starts with those who are there."""
        read(NoBody, request)
        return answer(shown(lobby.start(match_id, user_in(request)), user_in(request)))


class Cancel(APIView):
    @extend_schema(request=NoBody, responses=shapes.MatchShape, examples=[SHOWN])
    @refuses(403, 409)
    def post(self, request: Request, match_id: str) -> HttpResponse:
        """The owner calls the match off before the start."""
        read(NoBody, request)
        return answer(shown(lobby.cancel(match_id, user_in(request)), user_in(request)))


class Invitations(APIView):
    @extend_schema(
        operation_id="matches_invitations_list",
        responses=shapes.InvitationShape(many=True),
        examples=[answered("An open one", INVITATION)],
    )
    @refuses(403)
    def get(self, request: Request, match_id: str) -> HttpResponse:
        """Open invitations to the match, for its players."""
        user = user_in(request)
        table = access.visible_match(match_id, user)
        access.own_seat(table, user)
        return answer([presenters.invitation(one, user) for one in lists.open_invitations(table)])

    @extend_schema(request=bodies.Whom, responses={201: shapes.InvitationShape}, examples=INVITING)
    @refuses(403, 409)
    def post(self, request: Request, match_id: str) -> HttpResponse:
        """Invites by user name or by e-mail address. Whether an address has an account is not told."""
        user = user_in(request)
        invitation = invitations.invite(match_id, user, read(bodies.Whom, request)["whom"])
        return answer(presenters.invitation(invitation, user), 201)


class OneInvitation(APIView):
    @extend_schema(responses={204: None})
    @refuses(403, 409)
    def delete(self, request: Request, match_id: str, number: int) -> Response:
        """Withdraws an invitation."""
        invitations.withdraw(match_id, user_in(request), number)
        return Response(status=204)
