"""Endpoints used before a match starts: joining, inviting, starting and canceling."""

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.authentication import user_in
from core.api import NoBody, read_body, respond
from core.openapi import refuses, request_example, response_example
from games import shapes
from games.api import bodies
from games.api.examples import INVITATION, JOINING, SHOWN, WAITING_FOR_PLAYERS
from games.api.matches import shown
from games.selectors import access, lists, presenters
from games.services import invitations, lobby, rematches
from games.services.salts import Share

INVITING = [
    request_example("By username", {"invitee": "ben"}),
    request_example("By email", {"invitee": "ben@example.org"}),
    response_example("Invited", INVITATION, 201),
]


class Join(APIView):
    @extend_schema(request=bodies.SaltShare, responses=shapes.Match, examples=JOINING)
    @refuses(409)
    def post(self, request: Request, match_id: str) -> HttpResponse:
        """Join a match.

        You take a seat in an open match, or accept your invitation. The match starts when the last seat is taken.
        Record the match's `secret_hash` before you send your salt. You can safely repeat the request with the same
        salt.
        """
        share = Share(**read_body(bodies.SaltShare, request))
        return respond(shown(lobby.join(match_id, user_in(request), share), user_in(request)))


class Rematch(APIView):
    @extend_schema(request=NoBody, responses={201: shapes.Match}, examples=[WAITING_FOR_PLAYERS])
    @refuses(403, 409)
    def post(self, request: Request, match_id: str) -> HttpResponse:
        """Play again.

        Creates a match with the same settings and invites the same players, or returns the rematch that another player
        has already created. If you aren't in that match yet, join it. If you are, send your salt.
        """
        read_body(NoBody, request)
        return respond(shown(rematches.rematch(match_id, user_in(request)), user_in(request)), 201)


class Salt(APIView):
    @extend_schema(request=bodies.SaltShare, responses=shapes.Match, examples=JOINING)
    @refuses(403, 409)
    def put(self, request: Request, match_id: str) -> HttpResponse:
        """Send or reveal your salt.

        If the server made a salt for you, for example because you created the match, you can replace it with your own
        until somebody else joins. If salts are committed, you reveal yours here once all seats are taken.
        """
        share = Share(**read_body(bodies.SaltShare, request))
        return respond(shown(lobby.give_salt(match_id, user_in(request), share), user_in(request)))


class Decline(APIView):
    @extend_schema(request=NoBody, responses={204: None})
    def post(self, request: Request, match_id: str) -> Response:
        """Decline an invitation."""
        read_body(NoBody, request)
        invitations.decline(match_id, user_in(request))
        return Response(status=204)


class Leave(APIView):
    @extend_schema(request=NoBody, responses={204: None})
    @refuses(403, 409)
    def post(self, request: Request, match_id: str) -> Response:
        """Leave a match before it starts."""
        read_body(NoBody, request)
        lobby.leave(match_id, user_in(request))
        return Response(status=204)


class Start(APIView):
    @extend_schema(request=NoBody, responses=shapes.Match, examples=[SHOWN])
    @refuses(403, 409)
    def post(self, request: Request, match_id: str) -> HttpResponse:
        """Start a match.

        Only its owner can do this. The match starts with the players who have joined."""
        read_body(NoBody, request)
        return respond(shown(lobby.start(match_id, user_in(request)), user_in(request)))


class Bots(APIView):
    @extend_schema(
        request=bodies.NewBots,
        responses=shapes.Match,
        examples=[request_example("Two hard bots", {"bots": 2, "level": "hard"}), SHOWN],
    )
    @refuses(403, 409)
    def post(self, request: Request, match_id: str) -> HttpResponse:
        """Give free seats to bots.

        Only the owner of the match can do this, and only if the match allows bots. The match starts when no seat is
        free.
        """
        wanted, user = read_body(bodies.NewBots, request), user_in(request)
        return respond(shown(lobby.add_bots(match_id, user, wanted["bots"], wanted["level"]), user))


class Cancel(APIView):
    @extend_schema(request=NoBody, responses=shapes.Match, examples=[SHOWN])
    @refuses(403, 409)
    def post(self, request: Request, match_id: str) -> HttpResponse:
        """Cancel a match before it starts.

        Only its owner can do this."""
        read_body(NoBody, request)
        return respond(shown(lobby.cancel(match_id, user_in(request)), user_in(request)))


class Invitations(APIView):
    @extend_schema(
        responses=list[shapes.Invitation],
        examples=[response_example("An open invitation", INVITATION)],
    )
    @refuses(403)
    def get(self, request: Request, match_id: str) -> HttpResponse:
        """List the open invitations to a match.

        Only its players can see them."""
        user = user_in(request)
        loaded = access.visible_match(match_id, user)
        access.own_seat(loaded, user)
        return respond([presenters.invitation(one, user) for one in lists.open_invitations(loaded)])

    @extend_schema(request=bodies.NewInvitation, responses={201: shapes.Invitation}, examples=INVITING)
    @refuses(403, 409)
    def post(self, request: Request, match_id: str) -> HttpResponse:
        """Invite somebody.

        Send a username or an email address. The response does not reveal whether an address has an account.
        """
        user = user_in(request)
        invitation = invitations.invite(match_id, user, read_body(bodies.NewInvitation, request)["invitee"])
        return respond(presenters.invitation(invitation, user), 201)


class OneInvitation(APIView):
    @extend_schema(responses={204: None})
    @refuses(403, 409)
    def delete(self, request: Request, match_id: str, number: int) -> Response:
        """Withdraw an invitation."""
        invitations.withdraw(match_id, user_in(request), number)
        return Response(status=204)
