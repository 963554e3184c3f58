from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts import passwords
from accounts.api import fields
from accounts.authentication import token_in, user_in
from core.api import AnonymousView, MessageSerializer, StrictSerializer, read
from core.openapi import refuses, sent
from core.rate_limits import address_of


class ChangePasswordSerializer(StrictSerializer):
    current = fields.password()
    password = fields.password(help_text="The new one.")


class AskForResetSerializer(StrictSerializer):
    email = fields.email()


class ResetSerializer(StrictSerializer):
    token = fields.signed()
    password = fields.password(help_text="The new one.")


class Password(APIView):
    @extend_schema(
        summary="Change the password",
        description="Revokes all other tokens.",
        request=ChangePasswordSerializer,
        responses={204: None},
        examples=[sent("A new one", {"current": "Gr33n cowboys ride", "password": "Br0wn ranchers sleep"})],
    )
    @refuses(403)
    def put(self, request: Request) -> Response:
        asked = read(ChangePasswordSerializer, request)
        passwords.change(user_in(request), asked["current"], asked["password"], kept=token_in(request))
        return Response(status=204)


class PasswordResets(AnonymousView):
    @extend_schema(
        summary="Ask for a new password by mail",
        description="The answer is the same whether or not the address has an account.",
        request=AskForResetSerializer,
        responses={202: MessageSerializer},
        examples=[sent("Forgotten", {"email": "ann@example.org"})],
    )
    def post(self, request: Request) -> Response:
        passwords.ask_for_reset(read(AskForResetSerializer, request)["email"], address_of(request))
        message = "If this address has an account, we have sent it a mail with a link for a new password."
        return Response({"message": message}, status=202)


class PasswordReset(AnonymousView):
    @extend_schema(
        summary="Set a new password",
        description="With the token of the link that was mailed. Revokes all tokens.",
        request=ResetSerializer,
        responses={200: MessageSerializer},
        examples=[sent("From the mail", {"token": "1-c9x2ab-5e0f…", "password": "Br0wn ranchers sleep"})],
    )
    def post(self, request: Request) -> Response:
        asked = read(ResetSerializer, request)
        passwords.reset(asked["token"], asked["password"], address_of(request))
        return Response({"message": "Your password is changed. You can log in now."})
