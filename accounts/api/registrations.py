"""Register an account and confirm its address."""

from typing import Any
from uuid import UUID

from django.conf import settings
from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request

from accounts import registration, shapes
from accounts.api import fields
from accounts.registration import Applicant
from core.api import AnonymousView, StrictSerializer, read_body, respond
from core.openapi import refuses, request_example, response_example
from core.rate_limits import address_of
from core.shapes import Acknowledgement

MAILED = "We've emailed a link and a code to this address. Open the link, or enter the code."
ID = "0b9a1c52-6f0e-4b8e-9d5f-0d5c7a1e2f34"
REGISTERED = {"registration": ID, "expires_at": "2026-03-03T20:00:00Z", "message": MAILED, "mail_page": None}


class RegisterSerializer(StrictSerializer):
    username = fields.username()
    email = fields.email()
    password = fields.password()
    display_name = fields.display_name(default="")
    time_zone = fields.time_zone(default="UTC")
    language = fields.language(default="en")
    invitation = serializers.CharField(
        max_length=200, default="", allow_blank=True, help_text="The token from a match invitation, if any."
    )


class ConfirmSerializer(StrictSerializer):
    token = fields.signed(required=False)
    registration = serializers.UUIDField(required=False)
    code = serializers.RegexField(
        r"\A[0-9]{6}\Z",
        required=False,
        error_messages={"invalid": "Enter the six digits from the email."},
        help_text="The six-digit code from the email.",
    )
    password = fields.password(required=False, help_text="The password you registered with. Required with a token.")
    username = fields.username(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if "token" not in attrs and not {"registration", "code"} <= set(attrs):
            raise serializers.ValidationError(
                "Send either the token and the password, or the registration ID and the code."
            )
        if "token" in attrs and "password" not in attrs:
            raise serializers.ValidationError({"password": ["Enter the password you registered with."]})
        return attrs


class Registrations(AnonymousView):
    @extend_schema(
        request=RegisterSerializer,
        responses={202: shapes.Registered},
        examples=[
            request_example(
                "A new player", {"username": "ann", "email": "ann@example.org", "password": "Gr33n cowboys ride"}
            ),
            response_example("Email sent", REGISTERED, 202),
        ],
    )
    def post(self, request: Request) -> HttpResponse:
        """Register an account.

        We send an email to the address. The response does not reveal whether the address already has an account.
        """
        made = registration.register(Applicant(**read_body(RegisterSerializer, request)), address_of(request))
        mail_page = f"{settings.PUBLIC_URL}/mail/" if settings.MAIL_PAGE else None
        registered = shapes.Registered(
            registration=made.pk, expires_at=made.expires_at, message=MAILED, mail_page=mail_page
        )
        return respond(registered, 202)


class Mails(AnonymousView):
    @extend_schema(
        request=None,
        responses={202: Acknowledgement},
        examples=[response_example("Email sent", {"message": MAILED}, 202)],
    )
    def post(self, request: Request, registration_id: UUID) -> HttpResponse:
        """Send the registration email again."""
        registration.send_again(registration_id)
        return respond(Acknowledgement(message=MAILED), 202)


class Confirmation(AnonymousView):
    @extend_schema(
        request=ConfirmSerializer,
        responses=shapes.Confirmed,
        examples=[
            request_example("By code", {"registration": ID, "code": "012345"}),
            request_example(
                "By link", {"token": "0b9a1c526f0e4b8e9d5f0d5c7a1e2f34:3kq9…", "password": "Gr33n cowboys ride"}
            ),
            response_example("Welcome", {"username": "ann", "message": "Welcome, ann. You can log in now."}),
        ],
    )
    @refuses(404, 409)
    def post(self, request: Request) -> HttpResponse:
        """Confirm a registration.

        Send either your password and the token from the link in the email, or the registration ID and the code from the
        email. This creates the account.
        """
        asked = read_body(ConfirmSerializer, request)
        username, address = asked.get("username", ""), address_of(request)
        if "token" in asked:
            user = registration.confirm_by_link(asked["token"], asked["password"], address, username)
        else:
            user = registration.confirm_by_code(asked["registration"], asked["code"], address, username)
        return respond(
            shapes.Confirmed(username=user.username, message=f"Welcome, {user.name}. You can log in now."),
        )
