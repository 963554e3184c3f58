"""Endpoints for planning, listing and canceling vacations."""

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.authentication import user_in
from clock import shapes, vacations
from clock.models import Vacation
from core.api import StrictSerializer, read_body, respond
from core.openapi import refuses, request_example, response_example
from core.paging import CursorPages
from core.shapes import Page

WEEK_OFF = {"first_day": "2026-12-24", "last_day": "2026-12-31"}
PLANNED = {"id": 7} | WEEK_OFF


class PlanSerializer(StrictSerializer):
    first_day = serializers.DateField()
    last_day = serializers.DateField(help_text="The last day off.")


def presented(of: Vacation) -> shapes.Vacation:
    return shapes.Vacation(id=of.pk, first_day=of.first_day, last_day=of.last_day)


class LatestFirst(CursorPages):
    ordering = ("-first_day", "id")


class Vacations(APIView):
    pagination_class = LatestFirst

    @extend_schema(responses=Page[shapes.Vacation], examples=[response_example("A week off", PLANNED)])
    def get(self, request: Request) -> HttpResponse:
        """List your vacations, latest first."""
        planned = Vacation.objects.filter(user=user_in(request))
        return respond(LatestFirst().page(planned, request, presented))

    @extend_schema(
        request=PlanSerializer,
        responses={201: shapes.Vacation},
        examples=[request_example("A week off", WEEK_OFF), response_example("Planned", PLANNED, 201)],
    )
    @refuses(409)
    def post(self, request: Request) -> HttpResponse:
        """Plan a vacation.

        Your clocks stop on these days. The number of vacation days per year is limited.
        """
        return respond(presented(vacations.plan(user_in(request), **read_body(PlanSerializer, request))), 201)


class OneVacation(APIView):
    @extend_schema(responses={204: None})
    @refuses(409)
    def delete(self, request: Request, vacation_id: int) -> Response:
        """Cancel or end a vacation.

        A future vacation is canceled, and a current one ends today.
        """
        vacations.end(user_in(request), vacation_id)
        return Response(status=204)
