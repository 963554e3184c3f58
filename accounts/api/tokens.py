"""Endpoints for logging in and out. Programs authenticate with tokens."""

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.authentication import BaseAuthentication
from rest_framework.permissions import AllowAny, BasePermission
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts import shapes, tokens
from accounts.api import fields
from accounts.authentication import token_in, user_in
from accounts.models import NAME_LENGTH, UNNAMED, Token
from accounts.tokens import LogIn
from accounts.validators import validate_printable
from core.api import StrictSerializer, read_body, respond
from core.openapi import refuses, request_example, response_example
from core.paging import CursorPages
from core.rate_limits import address_of
from core.shapes import Page

TOKEN = {
    "id": "4f9c2a7b1e30",
    "name": "turnpost on laptop",
    "created_at": "2026-03-02T09:00:00Z",
    "last_used_at": None,
    "expires_at": "2026-08-29T09:00:00Z",
    "is_current": False,
}
NEW_TOKEN = {"token": "turnpost_5d1f0c9e8b7a6453c2d1e0f9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c4d3e2f1a0b9"} | TOKEN


class LogInSerializer(StrictSerializer):
    login = serializers.CharField(max_length=254, help_text="Username or email address.")
    password = fields.password()
    name = serializers.CharField(
        max_length=NAME_LENGTH,
        default=UNNAMED,
        validators=[validate_printable],
        help_text="Where you will use the token.",
    )
    days = serializers.IntegerField(
        min_value=1, max_value=366, default=180, help_text="How many days the token stays valid."
    )


class NewestFirst(CursorPages):
    ordering = ("-created", "reference")


def presented(of: Token, current: Token) -> shapes.Token:
    return shapes.Token(
        id=of.reference,
        name=of.name,
        created_at=of.created,
        last_used_at=of.last_used_at,
        expires_at=of.expiry,
        is_current=of.pk == current.pk,
    )


def presented_with_secret(of: Token, secret: str) -> shapes.NewToken:
    return shapes.NewToken(
        token=secret,
        id=of.reference,
        name=of.name,
        created_at=of.created,
        last_used_at=of.last_used_at,
        expires_at=of.expiry,
        is_current=False,
    )


class Tokens(APIView):
    pagination_class = NewestFirst

    def get_authenticators(self) -> list[BaseAuthentication]:
        return [] if self._is_log_in() else super().get_authenticators()

    def get_permissions(self) -> list[BasePermission]:
        return [AllowAny()] if self._is_log_in() else super().get_permissions()  # type: ignore[return-value]

    def _is_log_in(self) -> bool:
        return self.request is not None and self.request.method == "POST"

    @extend_schema(responses=Page[shapes.Token], examples=[response_example("A laptop", TOKEN)])
    def get(self, request: Request) -> HttpResponse:
        """List your tokens, newest first."""
        current, own = token_in(request), Token.objects.filter(user=user_in(request))
        return respond(NewestFirst().page(own, request, lambda token: presented(token, current)))

    @extend_schema(
        request=LogInSerializer,
        responses={201: shapes.NewToken},
        examples=[
            request_example(
                "From the shell", {"login": "ann", "password": "Gr33n cowboys ride", "name": "turnpost on laptop"}
            ),
            response_example("The token, shown once", NEW_TOKEN, 201),
        ],
    )
    @refuses(401, 403)
    def post(self, request: Request) -> HttpResponse:
        """Log in.

        Send your username or email address; case does not matter. Request a separate token for each program.
        """
        asked = read_body(LogInSerializer, request)
        log_in = LogIn(asked["login"], asked["password"], asked["name"], asked["days"])
        response = respond(presented_with_secret(*tokens.log_in(log_in, address_of(request))), 201)
        response.headers["Cache-Control"] = "no-store"
        return response

    @extend_schema(operation_id="tokens_destroy_all", responses={204: None})
    def delete(self, request: Request) -> Response:
        """Log out everywhere.

        All your tokens are revoked, and all browser sessions end."""
        tokens.log_out_everywhere(user_in(request))
        return Response(status=204)


class CurrentToken(APIView):
    @extend_schema(responses={204: None})
    def delete(self, request: Request) -> Response:
        """Log out.

        This revokes the token used for this request.
        """
        tokens.log_out(token_in(request))
        return Response(status=204)


class OneToken(APIView):
    @extend_schema(responses={204: None})
    def delete(self, request: Request, token_id: str) -> Response:
        """Revoke a token."""
        tokens.revoke(user_in(request), token_id)
        return Response(status=204)
