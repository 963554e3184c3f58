"""Change an account's email address."""

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.views import APIView

from accounts import addresses
from accounts.api import fields
from accounts.authentication import user_in
from core.api import AnonymousView, StrictSerializer, read_body, respond
from core.openapi import refuses, request_example, response_example
from core.shapes import Acknowledgement

MAILED = "We've emailed a link to the new address. Open it, and enter your password."


class ChangeAddressSerializer(StrictSerializer):
    email = fields.email(help_text="Your new address.")
    password = fields.password()


class ConfirmAddressSerializer(StrictSerializer):
    token = fields.signed()
    password = fields.password()


class AddressChanges(APIView):
    @extend_schema(
        request=ChangeAddressSerializer,
        responses={202: Acknowledgement},
        examples=[
            request_example("A new address", {"email": "ann@new.example", "password": "Gr33n cowboys ride"}),
            response_example("Email sent", {"message": MAILED}, 202),
        ],
    )
    @refuses(403)
    def post(self, request: Request) -> HttpResponse:
        """Change your email address.

        We'll email a link to the new address. The change takes effect when you open it and enter your password."""
        asked = read_body(ChangeAddressSerializer, request)
        addresses.ask_for_change(user_in(request), asked["email"], asked["password"])
        return respond(Acknowledgement(message=MAILED), 202)


class AddressChange(AnonymousView):
    @extend_schema(
        request=ConfirmAddressSerializer,
        responses=Acknowledgement,
        examples=[
            request_example("From the email", {"token": "1:ann@new.example:3kq9…", "password": "Gr33n cowboys ride"}),
            response_example("Changed", {"message": "ann's address is now ann@new.example."}),
        ],
    )
    @refuses(403, 409)
    def post(self, request: Request) -> HttpResponse:
        """Confirm your new email address.

        Send your password and the token from the link in the email.
        """
        sent = read_body(ConfirmAddressSerializer, request)
        user = addresses.change(sent["token"], sent["password"])
        return respond(Acknowledgement(message=f"{user.username}'s address is now {user.email}."))
