from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts import profile
from accounts.api import fields
from accounts.authentication import user_in
from accounts.export import export
from accounts.models import NoticeDelivery, User
from accounts.validators import MOST_REMINDERS
from core.api import StrictSerializer, read
from core.openapi import refuses, sent


class ProfileChangeSerializer(StrictSerializer):
    """What a user may change at any time."""

    display_name = fields.display_name(required=False)
    time_zone = fields.time_zone(required=False)
    language = fields.language(required=False)
    notice_delivery = serializers.ChoiceField(
        NoticeDelivery.choices, required=False, help_text="When mail about matches is sent."
    )
    invitations_by_mail = serializers.BooleanField(
        required=False, help_text="Whether invitations to matches come by mail; they are listed in any case."
    )
    quiet_from = serializers.TimeField(format="%H:%M", required=False, allow_null=True)
    quiet_until = serializers.TimeField(
        format="%H:%M", required=False, allow_null=True, help_text="No mail between the two, in the time zone above."
    )
    remind_at = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=99),
        required=False,
        max_length=MOST_REMINDERS,
        help_text="Percent of the time for a move; empty for no reminders.",
    )
    checks_sender = serializers.BooleanField(
        required=False, help_text="Whether moves by mail count only when they come from the address of the account."
    )


class MailSerializer(serializers.Serializer[Any]):
    state = serializers.ChoiceField(["ok", "delayed", "stopped"])
    why = serializers.CharField(allow_blank=True, help_text="Why mail came back.")
    since = serializers.DateTimeField(allow_null=True)
    until = serializers.DateTimeField(allow_null=True, help_text="Mail waits until then.")
    hint = serializers.CharField(allow_blank=True, help_text="How to mend it.")


class ProfileSerializer(ProfileChangeSerializer):
    username = serializers.CharField()
    email = serializers.EmailField()
    name = serializers.CharField(help_text="What others see.")
    joined_at = serializers.DateTimeField(source="date_joined")
    mail = serializers.SerializerMethodField(help_text="Whether our mail arrives at the address.")

    @extend_schema_field(MailSerializer)
    def get_mail(self, user: User) -> Any:
        return MailSerializer(profile.section_of(user, "mail")).data


class DeletionSerializer(StrictSerializer):
    password = fields.password()


class Me(APIView):
    @extend_schema(summary="My profile", responses=ProfileSerializer)
    def get(self, request: Request) -> Response:
        return Response(ProfileSerializer(user_in(request)).data)

    @extend_schema(
        summary="Change my profile",
        request=ProfileChangeSerializer,
        responses=ProfileSerializer,
        examples=[sent("Nights off", {"time_zone": "Europe/Berlin", "quiet_from": "22:00", "quiet_until": "07:00"})],
    )
    def patch(self, request: Request) -> Response:
        profile.change(user_in(request), **read(ProfileChangeSerializer, request))
        return self.get(request)


class Export(APIView):
    @extend_schema(summary="Everything held about me", responses=OpenApiTypes.OBJECT)
    def get(self, request: Request) -> Response:
        return Response(export(user_in(request)), headers={"Cache-Control": "no-store"})


class Deletion(APIView):
    @extend_schema(
        summary="Delete my account",
        description="At once and for good. Matches go on; your seats stay as those of a departed player.",
        request=DeletionSerializer,
        responses={204: None},
        examples=[sent("Farewell", {"password": "Gr33n cowboys ride"})],
    )
    @refuses(403)
    def post(self, request: Request) -> Response:
        profile.delete(user_in(request), read(DeletionSerializer, request)["password"])
        return Response(status=204)
