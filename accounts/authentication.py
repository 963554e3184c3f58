"""Authenticate requests by token.

This takes one query for the token and its user and, from time to time, a write to record when the token was last used.
Requests that read other rows anyway can fetch the token in the same round trip (UncheckedToken).
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from hmac import compare_digest
from typing import Any, cast

from django.http import HttpRequest
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
TOKENS_ALONE = Select(Token, 'WHERE one."token_key" = %s')


IS_VALID = """EXISTS (SELECT 1 FROM accounts_token sent JOIN accounts_user owner ON owner.id = sent.user_id
    WHERE sent.digest = %s AND (sent.expiry IS NULL OR sent.expiry > %s) AND owner.is_active)"""
"""An SQL condition that is false if the token is invalid. `UncheckedToken.validity()` returns its parameters."""


class BearerToken(TokenAuthentication):
    def authenticate_credentials(self, token: bytes) -> tuple[User, Token]:
        """Look up the token by its prefix, then compare it in constant time."""
        written = token.decode("ascii", errors="replace")
        candidates = TOKENS.rows([prefix(written)]) if WRITTEN.fullmatch(written) else []
        found = checked(hash_token(written), candidates)
        record_use(found)
        return found.user, found


@dataclass
class UncheckedToken:
    """A token that is looked up together with other rows, to save a round trip."""

    written: str
    admit: Callable[[User], None]
    """Called with the token's owner. It raises an exception to refuse the request."""
    found: Token | None = None
    digest: str = field(init=False)

    def __post_init__(self) -> None:
        self.digest = hash_token(self.written)

    def lookup(self) -> tuple[Select[Token], Sequence[Any]]:
        return TOKENS, [prefix(self.written)]

    def lookup_alone(self) -> tuple[Select[Token], Sequence[Any]]:
        """Return the query for callers who are likely to read the owner anyway. See `owner_among`."""
        return TOKENS_ALONE, [prefix(self.written)]

    def owner_among(self, candidates: Sequence[Token], users: Iterable[User | None]) -> User:
        """Return the token's owner, who is read from the database unless they are one of these users."""
        known = {user.pk: user for user in users if user}
        for candidate in candidates:
            if candidate.user_id in known:
                candidate.user = known[candidate.user_id]
        return self.owner(candidates)

    def validity(self) -> Sequence[Any]:
        return [self.digest, timezone.now()]

    def owner(self, candidates: Sequence[Token]) -> User:
        """Return the token's owner. Raise AuthenticationFailed if no candidate matches the token."""
        if self.found is None:
            self.found = checked(self.digest, candidates)
            self.admit(self.found.user)
        return self.found.user

    def owner_now(self) -> User:
        """Look up the token in a query of its own."""
        select, values = self.lookup()
        return self.owner(select.rows(values))

    def record_use(self) -> None:
        """Record that the token was used. Call this after the transaction, because a rollback would undo it."""
        if self.found:
            record_use(self.found)


def prefix(written: str) -> str:
    return written[: CONSTANTS.TOKEN_KEY_LENGTH]


def checked(digest: str, candidates: Sequence[Token]) -> Token:
    found = next((candidate for candidate in candidates if compare_digest(candidate.digest, digest)), None)
    if found is None or (found.expiry and found.expiry <= timezone.now()) or not found.user.is_active:
        raise AuthenticationFailed("This token is invalid or has expired.")
    return found


def record_use(token: Token) -> None:
    """Record that the token was used, unless that was done recently. Every request method counts, because a thief may
    only send write requests."""
    now = timezone.now()
    if token.last_used_at is None or now - token.last_used_at >= RECORD_USE_EVERY:
        token.last_used_at = now
        Token.objects.filter(pk=token.pk).update(last_used_at=now)


def bearer_token(request: HttpRequest) -> str | None:
    """Return the token if the request has an ordinary `Authorization: Bearer` header, otherwise None."""
    scheme, _, written = request.META.get("HTTP_AUTHORIZATION", "").partition(" ")
    return written if scheme == "Bearer" and WRITTEN.fullmatch(written) else None


class BearerTokenInDocs(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = BearerToken
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer", "description": "Get a token from `POST /api/v1/tokens`."}


def user_in(request: Request) -> User:
    return cast(User, request.user)


def token_in(request: Request) -> Token:
    return cast(Token, request.auth)


def caller(request: Request) -> User | None:
    """Return the authenticated user, or None if the request is anonymous."""
    return request.user if isinstance(request.user, User) else None
