from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.authentication import BaseAuthentication
from rest_framework.generics import ListAPIView
from rest_framework.permissions import AllowAny, BasePermission
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts import tokens
from accounts.api import fields
from accounts.authentication import token_in, user_in
from accounts.models import NAME_LENGTH, UNNAMED, Token
from accounts.tokens import LogIn
from accounts.validators import validate_printable
from core.api import StrictSerializer, read
from core.openapi import answered, refuses, sent
from core.paging import CursorPages
from core.rate_limits import address_of

NEW_TOKEN = {
    "token": "turnpost_5d1f0c9e8b7a6453c2d1e0f9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c4d3e2f1a0b9",
    "id": "4f9c2a7b1e30",
    "name": "turnpost on laptop",
    "created_at": "2026-03-02T09:00:00Z",
    "last_used_at": None,
    "expires_at": "2026-08-29T09:00:00Z",
    "is_current": False,
}


class LogInSerializer(StrictSerializer):
    login = serializers.CharField(max_length=254, help_text="User name or e-mail address.")
    password = fields.password()
    name = serializers.CharField(
        max_length=NAME_LENGTH, default=UNNAMED, validators=[validate_printable], help_text="Where it is used."
    )
    days = serializers.IntegerField(min_value=1, max_value=366, default=180, help_text="How long the token is valid.")


class TokenSerializer(serializers.ModelSerializer[Token]):
    id = serializers.CharField(source="reference")
    created_at = serializers.DateTimeField(source="created")
    expires_at = serializers.DateTimeField(source="expiry", allow_null=True)
    is_current = serializers.SerializerMethodField()

    class Meta:
        model = Token
        fields = ("id", "name", "created_at", "last_used_at", "expires_at", "is_current")

    def get_is_current(self, token: Token) -> bool:
        request = self.context.get("request")
        return bool(request and request.auth and request.auth.pk == token.pk)


class NewTokenSerializer(TokenSerializer):
    token = serializers.CharField(source="secret", help_text="Shown only this once.")

    class Meta(TokenSerializer.Meta):
        fields = ("token", *TokenSerializer.Meta.fields)  # type: ignore[assignment]


class NewestFirst(CursorPages):
    ordering = ("-created", "reference")


class Tokens(ListAPIView[Token]):
    serializer_class = TokenSerializer
    pagination_class = NewestFirst

    def get_authenticators(self) -> list[BaseAuthentication]:
        return [] if self._is_log_in() else super().get_authenticators()

    def get_permissions(self) -> list[BasePermission]:
        return [AllowAny()] if self._is_log_in() else super().get_permissions()  # type: ignore[return-value]

    def _is_log_in(self) -> bool:
        return self.request is not None and self.request.method == "POST"

    def get_queryset(self) -> QuerySet[Token]:
        return Token.objects.filter(user=user_in(self.request))

    @extend_schema(summary="My tokens")
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().get(request, *args, **kwargs)

    @extend_schema(
        summary="Log in",
        description="By user name or e-mail address, in any case. Each program should have its own token.",
        request=LogInSerializer,
        responses={201: NewTokenSerializer},
        examples=[
            sent("From the shell", {"login": "ann", "password": "Gr33n cowboys ride", "name": "turnpost on laptop"}),
            answered("The token, shown once", NEW_TOKEN, 201),
        ],
    )
    @refuses(401, 403)
    def post(self, request: Request) -> Response:
        asked = read(LogInSerializer, request)
        log_in = LogIn(asked["login"], asked["password"], asked["name"], asked["days"])
        token, secret = tokens.log_in(log_in, address_of(request))
        token.secret = secret  # type: ignore[attr-defined]
        return Response(NewTokenSerializer(token).data, status=201, headers={"Cache-Control": "no-store"})

    @extend_schema(
        summary="Log out everywhere",
        operation_id="tokens_destroy_all",
        description="Revokes all tokens.",
        responses={204: None},
    )
    def delete(self, request: Request) -> Response:
        tokens.revoke_all(user_in(request))
        return Response(status=204)


class CurrentToken(APIView):
    @extend_schema(summary="Log out", description="Revokes the token that is shown.", responses={204: None})
    def delete(self, request: Request) -> Response:
        tokens.log_out(token_in(request))
        return Response(status=204)


class OneToken(APIView):
    @extend_schema(summary="Revoke one token", responses={204: None})
    def delete(self, request: Request, token_id: str) -> Response:
        tokens.revoke(user_in(request), token_id)
        return Response(status=204)
