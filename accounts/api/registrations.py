from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts import registration
from accounts.api import fields
from accounts.registration import Applicant
from core.api import AnonymousView, MessageSerializer, StrictSerializer, read
from core.openapi import refuses, sent
from core.rate_limits import address_of

MAILED = "We have sent a mail to this address. Follow its link, or enter its code."


class RegisterSerializer(StrictSerializer):
    username = fields.username()
    email = fields.email()
    password = fields.password()
    display_name = fields.display_name(default="")
    time_zone = fields.time_zone(default="UTC")
    language = fields.language(default="en")
    invitation = serializers.CharField(
        max_length=200, default="", allow_blank=True, help_text="What came with the invitation to a match, if any."
    )


class RegisteredSerializer(serializers.Serializer[Any]):
    registration = serializers.UUIDField(help_text="Keep it: the code is entered together with it.")
    expires_at = serializers.DateTimeField()
    message = serializers.CharField()


class ConfirmSerializer(StrictSerializer):
    token = fields.signed(required=False)
    registration = serializers.UUIDField(required=False)
    code = serializers.RegexField(r"\A[0-9]{6}\Z", required=False, help_text="The six digits in the mail.")
    username = fields.username(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if "token" not in attrs and not {"registration", "code"} <= set(attrs):
            raise serializers.ValidationError("Send the token of the link, or registration and code.")
        return attrs


class ConfirmedSerializer(serializers.Serializer[Any]):
    username = serializers.CharField()
    message = serializers.CharField()


class Registrations(AnonymousView):
    @extend_schema(
        summary="Register",
        description="The answer is the same whether or not the address has an account; its owner gets a mail.",
        request=RegisterSerializer,
        responses={202: RegisteredSerializer},
        examples=[
            sent("A new player", {"username": "ann", "email": "ann@example.org", "password": "Gr33n cowboys ride"})
        ],
    )
    def post(self, request: Request) -> Response:
        made = registration.register(Applicant(**read(RegisterSerializer, request)), address_of(request))
        answer = {"registration": made.pk, "expires_at": made.expires_at, "message": MAILED}
        return Response(RegisteredSerializer(answer).data, status=202)


class Mails(AnonymousView):
    @extend_schema(summary="Send the mail again", request=None, responses={202: MessageSerializer})
    def post(self, request: Request, registration_id: UUID) -> Response:
        registration.send_again(registration_id)
        return Response({"message": MAILED}, status=202)


class Confirmation(AnonymousView):
    @extend_schema(
        summary="Confirm the address",
        description="By the link's token, or by registration and code. Only now the account exists.",
        request=ConfirmSerializer,
        responses={200: ConfirmedSerializer},
        examples=[
            sent("By code", {"registration": "0b9a1c52-6f0e-4b8e-9d5f-0d5c7a1e2f34", "code": "012345"}),
            sent("By link", {"token": "0b9a1c526f0e4b8e9d5f0d5c7a1e2f34:3kq9…"}),
        ],
    )
    @refuses(404, 409)
    def post(self, request: Request) -> Response:
        asked = read(ConfirmSerializer, request)
        username = asked.get("username", "")
        if "token" in asked:
            user = registration.confirm_by_link(asked["token"], username)
        else:
            address = address_of(request)
            user = registration.confirm_by_code(asked["registration"], asked["code"], address, username)
        return Response({"username": user.username, "message": f"Welcome, {user.name}. You can log in now."})
