"""Endpoints that only fail, echo or list, for testing the behavior that all endpoints share."""

from typing import Any

from django.core.exceptions import PermissionDenied
from django.core.exceptions import ValidationError as ModelInvalid
from django.db import DataError, IntegrityError, OperationalError
from django.http import Http404
from django.urls import path
from rest_framework import exceptions, serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from config.urls import handler400, handler403, handler404, handler500  # noqa: F401
from core.api import respond
from core.models import RateCount
from core.paging import CursorPages
from core.refusals import Conflict
from games.engine.errors import BadSetup, IllegalMove, MalformedMove, UnknownGame, UnreadableRecord

FAILURES = {
    "refused": Conflict("row_full", "Row 2 is full.", "Take row 1.", row=2),
    "unknown_game": UnknownGame("unknown_game", "There is no game 'chess'."),
    "bad_setup": BadSetup("too_many_seats", "At most five can play."),
    "malformed": MalformedMove("no_such_move", "'tkae 2' is no move."),
    "illegal": IllegalMove("row_full", "Row 2 is full.", "Take row 1.", row=2),
    "unreadable": UnreadableRecord("unreadable", "secret detail"),
    "missing": Http404("secret detail"),
    "denied": PermissionDenied("secret detail"),
    "not_yours": exceptions.NotFound("secret detail"),
    "throttled": exceptions.Throttled(wait=6.2),
    "model": ModelInvalid({"name": ["Too long.", "Too loud."], "__all__": ["Too much."]}),
    "database": OperationalError("server closed the connection: secret detail"),
    "value": DataError("secret detail"),
    "collision": IntegrityError("secret detail"),
    "bug": ZeroDivisionError("secret detail"),
}


class Public(APIView):
    authentication_classes = ()
    permission_classes = ()


class Fail(Public):
    def get(self, request, how):
        raise FAILURES[how]


def failing_page(request, how):
    raise FAILURES[how]


class Inner(serializers.Serializer[Any]):
    deals = serializers.IntegerField()


class Outer(serializers.Serializer[Any]):
    title = serializers.CharField()
    options = Inner()
    guests = serializers.ListField(child=serializers.EmailField(), required=False)


class Echo(Public):
    def post(self, request):
        return Response({"got": request.data})


class Check(Public):
    def post(self, request):
        Outer(data=request.data).is_valid(raise_exception=True)
        return Response({})


class Private(APIView):
    def get(self, request):
        return Response({})


class LargestFirst(CursorPages):
    ordering = ("-count", "key")
    page_size = 3
    max_page_size = 5


class Rows(Public):
    def get(self, request):
        rows = RateCount.objects.all()
        return respond(LargestFirst().page(rows, request, lambda row: {"key": row.key, "count": row.count}))


urlpatterns = [
    path("fail/<how>", failing_page),
    path("api/v1/fail/<str:how>", Fail.as_view()),
    path("api/v1/echo", Echo.as_view()),
    path("api/v1/check", Check.as_view()),
    path("api/v1/private", Private.as_view()),
    path("api/v1/rows", Rows.as_view()),
]
