"""Endpoints for the address of the private calendar feed."""

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.views import APIView

from accounts.authentication import user_in
from core.api import respond
from core.openapi import response_example
from notifications import calendar
from notifications.shapes import CalendarFeed

ON = {"url": "https://play.example.org/calendar/WzcsIjA0ZjEiXQ:yL7…c.ics"}
OFF = {"url": None}


class Calendar(APIView):
    @extend_schema(responses=CalendarFeed, examples=[response_example("On", ON), response_example("Off", OFF)])
    def get(self, request: Request) -> HttpResponse:
        """Get the address of your calendar feed.

        Anyone who has this address can see your deadlines and the names of the other players.
        """
        return respond(CalendarFeed(calendar.feed_link(user_in(request))))

    @extend_schema(request=None, responses=CalendarFeed, examples=[response_example("A new address", ON)])
    def post(self, request: Request) -> HttpResponse:
        """Turn on your calendar feed, or give it a new address.

        The old address stops working.
        """
        calendar.renew(user_in(request))
        return respond(CalendarFeed(calendar.feed_link(user_in(request))))

    @extend_schema(responses=CalendarFeed, examples=[response_example("Off", OFF)])
    def delete(self, request: Request) -> HttpResponse:
        """Turn off your calendar feed."""
        calendar.turn_off(user_in(request))
        return respond(CalendarFeed(None))
