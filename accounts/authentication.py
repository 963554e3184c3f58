"""Token authentication: one query for the token and its user, and an occasional write to record its last use."""

import re
from datetime import timedelta
from hmac import compare_digest
from typing import Any, cast

from django.utils import timezone
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from knox.auth import TokenAuthentication
from knox.crypto import hash_token
from knox.settings import CONSTANTS
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from accounts.models import Token, User
from core.sql import Select

WRITTEN = re.compile(r"turnpost_[0-9a-f]{64}")
RECORD_USE_EVERY = timedelta(minutes=5)
TOKENS = Select(Token, 'WHERE one."token_key" = %s', related="user")


class BearerToken(TokenAuthentication):
    def authenticate_credentials(self, token: bytes) -> tuple[User, Token]:
        """Look up tokens by their prefix, then compare them in constant time.

        All kinds of requests are recorded, because a thief may write without reading first.
        """
        written, now = token.decode("ascii", errors="replace"), timezone.now()
        candidates = TOKENS.rows([written[: CONSTANTS.TOKEN_KEY_LENGTH]]) if WRITTEN.fullmatch(written) else []
        digest = hash_token(written)
        found = next((candidate for candidate in candidates if compare_digest(candidate.digest, digest)), None)
        if found is None or (found.expiry and found.expiry <= now) or not found.user.is_active:
            raise AuthenticationFailed("This token is invalid or has expired.")
        if found.last_used_at is None or now - found.last_used_at >= RECORD_USE_EVERY:
            found.last_used_at = now
            Token.objects.filter(pk=found.pk).update(last_used_at=now)
        return found.user, found


class BearerTokenInDocs(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = BearerToken
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer", "description": "Get a token from `POST /api/v1/tokens`."}


def user_in(request: Request) -> User:
    """Return the authenticated user."""
    return cast(User, request.user)


def token_in(request: Request) -> Token:
    return cast(Token, request.auth)


def caller(request: Request) -> User | None:
    """Return the authenticated user, or None."""
    return request.user if isinstance(request.user, User) else None
