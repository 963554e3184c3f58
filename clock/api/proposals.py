"""Endpoints for taking a seat back, resigning, ending a match early, and voting on proposals."""

from typing import Any

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.authentication import user_in
from accounts.models import User
from clock import proposal_rules, proposals, resignations, shapes, stand_ins
from clock.models import Proposal, ProposalKind
from clock.proposal_rules import ProposalRequest, current_status
from core.api import NoBody, StrictSerializer, read_body, respond
from core.field_messages import ChoiceField
from core.openapi import refuses, request_example, response_example
from games.api.bodies import TIME, Agreement
from games.api.examples import PROPOSAL, SHOWN
from games.api.matches import shown
from games.models import pace
from games.selectors import access, presenters
from games.selectors.loading import LoadedMatch
from games.shapes import Match


@extend_schema_field({**TIME, "description": "A number of seconds, or a time like 90m, 36h or 3d.", "example": "36h"})
class TimeField(serializers.Field[Any, Any, Any, Any]):
    def to_internal_value(self, data: Any) -> Any:
        try:
            return pace.read_time(data)
        except ValueError as error:
            raise serializers.ValidationError(str(error)) from None


class Proposed(StrictSerializer):
    kind = ChoiceField(choices=ProposalKind.choices)
    seat = serializers.IntegerField(
        required=False,
        min_value=0,
        max_value=20,
        help_text="The seat that gets more time or a new player (default: your own).",
    )
    time = TimeField(required=False, help_text="The length of the extension or pause; 0 ends the current pause.")
    newcomer = serializers.CharField(
        required=False, max_length=30, help_text="The username of the new player, for a replacement."
    )


def presented(loaded: LoadedMatch, of: Proposal, reader: User) -> shapes.Proposal:
    return shapes.Proposal(
        number=of.pk,
        kind=of.kind,
        status=current_status(loaded, of),
        text=f"{proposal_rules.proposal_text(loaded, of, reader)} {proposal_rules.status_text(loaded, of, reader)}",
        made_by=presenters.player(of.made_by),
        made_at=of.made_at,
        seat=of.seat,
        time=None if of.time is None else int(of.time.total_seconds()),
        newcomer=presenters.player(of.newcomer),
        votes=of.votes,
    )


class Back(APIView):
    @extend_schema(request=NoBody, responses=Match, examples=[SHOWN])
    @refuses(403, 409)
    def post(self, request: Request, match_id: str) -> HttpResponse:
        """Take your seat back.

        The stand-in stops playing for you."""
        read_body(NoBody, request)
        return respond(shown(stand_ins.come_back(match_id, user_in(request)), user_in(request)))


class Abandon(APIView):
    @extend_schema(request=Agreement, responses=Match, examples=[request_example("Yes", {"agree": True}), SHOWN])
    @refuses(403, 409)
    def post(self, request: Request, match_id: str) -> HttpResponse:
        """Ask to end a match early.

        The other players get an email. The match ends without a result once everyone agrees. Send false to withdraw
        your agreement.
        """
        agreed = read_body(Agreement, request)["agree"]
        return respond(shown(proposals.abandon(match_id, user_in(request), agreed=agreed), user_in(request)))


class Resign(APIView):
    @extend_schema(request=NoBody, responses=Match, examples=[SHOWN])
    @refuses(403, 409)
    def post(self, request: Request, match_id: str) -> HttpResponse:
        """Resign.

        A stand-in plays your seat to the end of the match, and you finish in last place. The other players are
        notified. You can't come back.
        """
        read_body(NoBody, request)
        return respond(shown(resignations.resign(match_id, user_in(request)), user_in(request)))


class Proposals(APIView):
    @extend_schema(
        responses=list[shapes.Proposal],
        examples=[response_example("Open", PROPOSAL)],
    )
    @refuses(403)
    def get(self, request: Request, match_id: str) -> HttpResponse:
        """List the proposals in a match.

        Players see open and recent proposals. Users who have been offered a seat see only that offer.
        """
        loaded, user = access.visible_match(match_id, user_in(request)), user_in(request)
        return respond([presented(loaded, one, user) for one in proposals.seen_by(loaded, user)])

    @extend_schema(
        request=Proposed,
        responses={201: shapes.Proposal},
        examples=[
            request_example("More time", {"kind": "extension", "seat": 0, "time": "24h"}),
            response_example("Open", PROPOSAL, 201),
        ],
    )
    @refuses(403, 409)
    def post(self, request: Request, match_id: str) -> HttpResponse:
        """Propose an extension, a pause or a replacement.

        An extension gives a seat more time, a pause stops all clocks, and a replacement gives a stand-in's seat to a
        new player. Your own vote counts as yes.
        """
        user, proposed = user_in(request), ProposalRequest(**read_body(Proposed, request))
        loaded, proposal = proposals.propose(match_id, user, proposed)
        return respond(presented(loaded, proposal, user), 201)


class Vote(APIView):
    @extend_schema(
        request=Agreement,
        responses=shapes.Proposal,
        examples=[request_example("Yes", {"agree": True}), response_example("Open", PROPOSAL)],
    )
    @refuses(403, 409)
    def post(self, request: Request, match_id: str, number: int) -> HttpResponse:
        """Vote on a proposal.

        Extensions and replacements need more than half of the votes; a pause needs all of them."""
        agreed = read_body(Agreement, request)["agree"]
        loaded, proposal = proposals.vote(match_id, user_in(request), number, agreed=agreed)
        return respond(presented(loaded, proposal, user_in(request)))


class Accept(APIView):
    @extend_schema(request=NoBody, responses=Match, examples=[SHOWN])
    @refuses(403, 409)
    def post(self, request: Request, match_id: str, number: int) -> HttpResponse:
        """Accept an offered seat."""
        read_body(NoBody, request)
        return respond(shown(proposals.accept(match_id, user_in(request), number), user_in(request)))


class Decline(APIView):
    @extend_schema(request=NoBody, responses={204: None})
    @refuses(403, 409)
    def post(self, request: Request, match_id: str, number: int) -> Response:
        """Decline an offered seat."""
        read_body(NoBody, request)
        proposals.decline(match_id, user_in(request), number)
        return Response(status=204)
