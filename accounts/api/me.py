"""Endpoints for a user's own account: profile, data export and deletion."""

from datetime import time
from typing import Any

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts import profile, shapes
from accounts.api import fields
from accounts.authentication import user_in
from accounts.export import export
from accounts.models import MailFrequency, User
from accounts.validators import MOST_REMINDERS
from core.api import NoBody, StrictSerializer, read_body, respond
from core.field_messages import ChoiceField
from core.openapi import refuses, request_example, response_example

NIGHTS = {"time_zone": "Europe/Berlin", "quiet_from": "22:00", "quiet_until": "07:00"}
PROFILE = {
    "display_name": "Ann",
    "language": "en",
    "mail_frequency": "instant",
    "invitations_by_mail": True,
    "remind_at": [50, 80],
    "checks_sender": False,
    "confirms_moves": False,
    "username": "ann",
    "email": "ann@example.org",
    "name": "Ann",
    "bot": False,
    "joined_at": "2026-03-01T19:00:00Z",
    "mail": {"state": "ok", "why": "", "since": None, "until": None, "hint": ""},
} | NIGHTS


class ProfileChangeSerializer(StrictSerializer):
    display_name = fields.display_name(required=False)
    time_zone = fields.time_zone(required=False)
    language = fields.language(required=False)
    mail_frequency = ChoiceField(MailFrequency.choices, required=False, help_text="When emails about matches are sent.")
    invitations_by_mail = serializers.BooleanField(
        required=False, help_text="Whether invitations are also emailed to you."
    )
    quiet_from = serializers.TimeField(format="%H:%M", required=False, allow_null=True)
    quiet_until = serializers.TimeField(
        format="%H:%M",
        required=False,
        allow_null=True,
        help_text="No emails are sent between quiet_from and quiet_until, in your time zone.",
    )
    remind_at = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=99),
        required=False,
        max_length=MOST_REMINDERS,
        help_text="When to remind you, as percentages of the time you have for a move. An empty list turns them off.",
    )
    checks_sender = serializers.BooleanField(
        required=False, help_text="Whether moves by mail are accepted only from the account's address."
    )
    confirms_moves = serializers.BooleanField(
        required=False, help_text="Whether every move by mail is confirmed, even if another email follows soon."
    )


def presented(user: User) -> shapes.Profile:
    return shapes.Profile(
        display_name=user.display_name,
        time_zone=user.time_zone,
        language=user.language,
        mail_frequency=user.mail_frequency,
        invitations_by_mail=user.invitations_by_mail,
        quiet_from=time_of_day(user.quiet_from),
        quiet_until=time_of_day(user.quiet_until),
        remind_at=user.remind_at,
        checks_sender=user.checks_sender,
        confirms_moves=user.confirms_moves,
        username=user.username,
        email=user.email,
        name=user.name,
        bot=user.is_bot,
        joined_at=user.date_joined,
        mail=profile.section_of(user, "mail"),
    )


def time_of_day(moment: time | None) -> str | None:
    return f"{moment:%H:%M}" if moment else None


class DeletionSerializer(StrictSerializer):
    password = fields.password()


class Me(APIView):
    @extend_schema(responses=shapes.Profile, examples=[response_example("With quiet hours", PROFILE)])
    def get(self, request: Request) -> HttpResponse:
        """Get your profile."""
        return respond(presented(user_in(request)))

    @extend_schema(
        request=ProfileChangeSerializer,
        responses=shapes.Profile,
        examples=[request_example("Quiet nights", NIGHTS), response_example("With quiet hours", PROFILE)],
    )
    def patch(self, request: Request) -> HttpResponse:
        """Change your profile."""
        profile.change(user_in(request), **read_body(ProfileChangeSerializer, request))
        return respond(presented(user_in(request)))


class Bot(APIView):
    @extend_schema(
        request=NoBody, responses=shapes.Profile, examples=[response_example("A bot", PROFILE | {"bot": True})]
    )
    @refuses(409)
    def post(self, request: Request) -> HttpResponse:
        """Declare that a program uses this account.

        This is permanent. The account's name ends in "(bot)", and the account can play only in matches that allow bots.
        """
        read_body(NoBody, request)
        profile.declare_bot(user_in(request))
        return respond(presented(user_in(request)))


class Export(APIView):
    @extend_schema(responses=dict[str, Any])
    def get(self, request: Request) -> Response:
        """Export all data stored about you."""
        return Response(export(user_in(request)), headers={"Cache-Control": "no-store"})


class Deletion(APIView):
    @extend_schema(
        request=DeletionSerializer,
        responses={204: None},
        examples=[request_example("With your password", {"password": "Gr33n cowboys ride"})],
    )
    @refuses(403)
    def post(self, request: Request) -> Response:
        """Delete your account.

        This is immediate and permanent. Your matches continue without you.
        """
        profile.delete(user_in(request), read_body(DeletionSerializer, request)["password"])
        return Response(status=204)
