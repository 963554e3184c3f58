from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts import addresses
from accounts.api import fields
from accounts.authentication import user_in
from core.api import AnonymousView, MessageSerializer, StrictSerializer, read
from core.openapi import refuses, sent


class ChangeAddressSerializer(StrictSerializer):
    email = fields.email(help_text="The new address.")
    password = fields.password()


class ConfirmAddressSerializer(StrictSerializer):
    token = fields.signed()


class AddressChanges(APIView):
    @extend_schema(
        summary="Change the e-mail address",
        description="The new address gets a mail; the account moves when its link is followed.",
        request=ChangeAddressSerializer,
        responses={202: MessageSerializer},
        examples=[sent("A new mailbox", {"email": "ann@new.example", "password": "Gr33n cowboys ride"})],
    )
    @refuses(403)
    def post(self, request: Request) -> Response:
        asked = read(ChangeAddressSerializer, request)
        addresses.ask_for_change(user_in(request), asked["email"], asked["password"])
        return Response({"message": "We have sent a mail to the new address. Follow its link."}, status=202)


class AddressChange(AnonymousView):
    @extend_schema(
        summary="Confirm the new address", request=ConfirmAddressSerializer, responses={200: MessageSerializer}
    )
    @refuses(409)
    def post(self, request: Request) -> Response:
        user = addresses.change(read(ConfirmAddressSerializer, request)["token"])
        return Response({"message": f"Mail for {user.username} now goes to {user.email}."})
