"""Change a password, or reset a forgotten one."""

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts import passwords
from accounts.api import fields
from accounts.authentication import token_in, user_in
from core.api import AnonymousView, StrictSerializer, read_body, respond
from core.openapi import refuses, request_example, response_example
from core.rate_limits import address_of
from core.shapes import Acknowledgement

RESET_MAILED = "If there is an account with this address, we've emailed a link for setting a new password."
RESET = "Your password has been changed. You can log in now."


class ChangePasswordSerializer(StrictSerializer):
    current = fields.password()
    password = fields.password(help_text="Your new password.")


class AskForResetSerializer(StrictSerializer):
    email = fields.email()


class ResetSerializer(StrictSerializer):
    token = fields.signed()
    password = fields.password(help_text="Your new password.")


class Password(APIView):
    @extend_schema(
        request=ChangePasswordSerializer,
        responses={204: None},
        examples=[
            request_example("A new password", {"current": "Gr33n cowboys ride", "password": "Br0wn ranchers sleep"})
        ],
    )
    @refuses(403)
    def put(self, request: Request) -> Response:
        """Change your password.

        All your other tokens are revoked, and all browser sessions end."""
        asked = read_body(ChangePasswordSerializer, request)
        passwords.change(user_in(request), asked["current"], asked["password"], keep=token_in(request))
        return Response(status=204)


class PasswordResets(AnonymousView):
    @extend_schema(
        request=AskForResetSerializer,
        responses={202: Acknowledgement},
        examples=[
            request_example("A forgotten password", {"email": "ann@example.org"}),
            response_example("Email sent if there is an account", {"message": RESET_MAILED}, 202),
        ],
    )
    def post(self, request: Request) -> HttpResponse:
        """Request a password reset.

        The response does not reveal whether the address has an account."""
        passwords.ask_for_reset(read_body(AskForResetSerializer, request)["email"], address_of(request))
        return respond(Acknowledgement(message=RESET_MAILED), 202)


class PasswordReset(AnonymousView):
    @extend_schema(
        request=ResetSerializer,
        responses=Acknowledgement,
        examples=[
            request_example("From the email", {"token": "1-c9x2ab-5e0f…", "password": "Br0wn ranchers sleep"}),
            response_example("Changed", {"message": RESET}),
        ],
    )
    def post(self, request: Request) -> HttpResponse:
        """Reset your password.

        Send the token from the link in the email. All your tokens are revoked, and all browser sessions end.
        """
        asked = read_body(ResetSerializer, request)
        passwords.reset(asked["token"], asked["password"], address_of(request))
        return respond(Acknowledgement(message=RESET))
