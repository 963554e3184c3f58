from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.authentication import user_in
from clock import vacations
from clock.models import Vacation
from core.api import StrictSerializer, read
from core.openapi import refuses, sent
from core.paging import CursorPages


class PlanSerializer(StrictSerializer):
    first_day = serializers.DateField()
    last_day = serializers.DateField(help_text="The last day off.")


class VacationSerializer(serializers.ModelSerializer[Vacation]):
    class Meta:
        model = Vacation
        fields = ("id", "first_day", "last_day")


class LatestFirst(CursorPages):
    ordering = ("-first_day", "id")


class Vacations(ListAPIView[Vacation]):
    serializer_class = VacationSerializer
    pagination_class = LatestFirst

    def get_queryset(self) -> QuerySet[Vacation]:
        return Vacation.objects.filter(user=user_in(self.request))

    @extend_schema(summary="My vacations")
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().get(request, *args, **kwargs)

    @extend_schema(
        summary="Go on vacation",
        description="No clock runs for you on these days. There are only so many of them in a year.",
        request=PlanSerializer,
        responses={201: VacationSerializer},
        examples=[sent("A week off", {"first_day": "2026-12-24", "last_day": "2026-12-31"})],
    )
    @refuses(409)
    def post(self, request: Request) -> Response:
        vacation = vacations.plan(user_in(request), **read(PlanSerializer, request))
        return Response(VacationSerializer(vacation).data, status=201)


class OneVacation(APIView):
    @extend_schema(
        summary="End a vacation",
        description="One that has not begun is taken back; one that has ends with today.",
        responses={204: None},
    )
    @refuses(409)
    def delete(self, request: Request, vacation_id: int) -> Response:
        vacations.end(user_in(request), vacation_id)
        return Response(status=204)
