"""Time and absence: "I'm back", and what players decide together."""

from typing import Any

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.authentication import user_in
from clock import proposal_rules, proposals, stand_ins
from clock.models import Proposal, Verdict, Wish
from clock.proposal_rules import Wished, standing
from core.api import NoBody, StrictSerializer, answer, read
from core.openapi import answered, refuses, sent
from games.api import shapes
from games.api.bodies import TIME, Agreement
from games.api.examples import PROPOSAL, SHOWN
from games.api.matches import shown
from games.models import pace
from games.selectors import access, presenters
from games.selectors.loading import LoadedMatch


@extend_schema_field({**TIME, "description": "Seconds, or like 90m, 36h, 3d.", "example": "36h"})
class TimeField(serializers.Field[Any, Any, Any, Any]):
    def to_internal_value(self, data: Any) -> Any:
        try:
            return pace.read_time(data)
        except ValueError as error:
            raise serializers.ValidationError(str(error)) from None


class Proposed(StrictSerializer):
    wish = serializers.ChoiceField(choices=Wish.choices)
    seat = serializers.IntegerField(
        required=False, min_value=0, max_value=20, help_text="For more time (yours if left out), and for a handover."
    )
    time = TimeField(required=False, help_text="For more time and for a pause; a pause of 0 ends the one that is on.")
    newcomer = serializers.CharField(required=False, max_length=30, help_text="For a handover: a user name.")


class ProposalShape(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    wish = serializers.ChoiceField(choices=Wish.choices)
    verdict = serializers.ChoiceField(choices=Verdict.choices)
    text = serializers.CharField()
    made_by = shapes.Player(allow_null=True)
    made_at = serializers.DateTimeField()
    seat = serializers.IntegerField(allow_null=True)
    time = serializers.IntegerField(allow_null=True, help_text="Seconds.")
    newcomer = shapes.Player(allow_null=True)
    votes = serializers.DictField(child=serializers.BooleanField(), help_text="By seat.")


def proposal_shown(table: LoadedMatch, of: Proposal) -> presenters.Shown:
    return {
        "number": of.pk,
        "wish": of.wish,
        "verdict": standing(table, of),
        "text": f"{proposal_rules.wish_of(table, of)} {proposal_rules.verdict_of(table, of)}",
        "made_by": presenters.player(of.made_by),
        "made_at": of.made_at,
        "seat": of.seat,
        "time": None if of.time is None else int(of.time.total_seconds()),
        "newcomer": presenters.player(of.newcomer),
        "votes": of.votes,
    }


class Back(APIView):
    @extend_schema(request=NoBody, responses=shapes.MatchShape, examples=[SHOWN])
    @refuses(403, 409)
    def post(self, request: Request, match_id: str) -> HttpResponse:
        """Says that you are back: if a stand-in plays your seat, it is yours again."""
        read(NoBody, request)
        return answer(shown(stand_ins.come_back(match_id, user_in(request)), user_in(request)))


class Abandon(APIView):
    @extend_schema(request=Agreement, responses=shapes.MatchShape, examples=[sent("Yes", {"agree": True}), SHOWN])
    @refuses(403, 409)
    def post(self, request: Request, match_id: str) -> HttpResponse:
        """Says whether you would end the match here, or takes that back. The others are asked by mail, and once all say
        yes, it ends without a result."""
        agreed = read(Agreement, request)["agree"]
        return answer(shown(proposals.abandon(match_id, user_in(request), agreed=agreed), user_in(request)))


class Proposals(APIView):
    @extend_schema(
        operation_id="matches_proposals_list",
        responses=ProposalShape(many=True),
        examples=[answered("Not yet decided", PROPOSAL)],
    )
    @refuses(403)
    def get(self, request: Request, match_id: str) -> HttpResponse:
        """What is to be decided and was decided lately, for players; a newcomer sees the seat that is offered."""
        table, user = access.visible_match(match_id, user_in(request)), user_in(request)
        return answer([proposal_shown(table, one) for one in proposals.seen_by(table, user)])

    @extend_schema(
        request=Proposed,
        responses={201: ProposalShape},
        examples=[
            sent("More time", {"wish": "extension", "seat": 0, "time": "24h"}),
            answered("Not yet decided", PROPOSAL, 201),
        ],
    )
    @refuses(403, 409)
    def post(self, request: Request, match_id: str) -> HttpResponse:
        """Proposes more time for a seat, a pause, or a new player for a stand-in's seat. Your own vote is yes."""
        table, proposal = proposals.propose(match_id, user_in(request), Wished(**read(Proposed, request)))
        return answer(proposal_shown(table, proposal), 201)


class Vote(APIView):
    @extend_schema(
        request=Agreement,
        responses=ProposalShape,
        examples=[sent("Yes", {"agree": True}), answered("Not yet decided", PROPOSAL)],
    )
    @refuses(403, 409)
    def post(self, request: Request, match_id: str, number: int) -> HttpResponse:
        """Says yes or no. More time and a handover need more than half of those who may vote, a pause needs all."""
        agreed = read(Agreement, request)["agree"]
        table, proposal = proposals.vote(match_id, user_in(request), number, agreed=agreed)
        return answer(proposal_shown(table, proposal))


class Accept(APIView):
    @extend_schema(request=NoBody, responses=shapes.MatchShape, examples=[SHOWN])
    @refuses(403, 409)
    def post(self, request: Request, match_id: str, number: int) -> HttpResponse:
        """Takes the seat that the players offer you."""
        read(NoBody, request)
        return answer(shown(proposals.accept(match_id, user_in(request), number), user_in(request)))


class Decline(APIView):
    @extend_schema(request=NoBody, responses={204: None})
    @refuses(403, 409)
    def post(self, request: Request, match_id: str, number: int) -> Response:
        """Leaves the offered seat to others."""
        read(NoBody, request)
        proposals.decline(match_id, user_in(request), number)
        return Response(status=204)
