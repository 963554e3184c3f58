"""Manage browser sessions.

A session covers the whole account or, if it was started through the link in an email, a single match.
"""

import secrets
from datetime import datetime, timedelta
from hashlib import sha256

from django.db.models import F, QuerySet
from django.utils import timezone

from accounts.models import BrowserSession, User
from core.housekeeping import hourly
from core.refusals import NotFound
from core.sql import Select

WHOLE_ACCOUNT, ONE_MATCH = "session", "seat"
"""The names of the cookies."""
LASTS = timedelta(days=60)
LASTS_FOR_ONE_MATCH = timedelta(days=14)
RECORD_USE_EVERY = timedelta(minutes=5)
MOST_SESSIONS = 50
BY_DIGEST = Select(BrowserSession, 'WHERE one."digest" = %s', related="user")


def start(user: User, device: str, match: str = "") -> tuple[BrowserSession, str]:
    """Create a session and return it with its key. Only the browser gets the key."""
    key, now = secrets.token_urlsafe(32), timezone.now()
    _make_room(user)
    session = BrowserSession.objects.create(
        digest=_digest(key),
        user=user,
        match=match,
        device=device,
        created_at=now,
        last_used_at=now,
        expires_at=now + (LASTS_FOR_ONE_MATCH if match else LASTS),
    )
    return session, key


def find(key: str, match: str = "") -> BrowserSession | None:
    """Return the session with this key if it is still valid and covers exactly this match, or the whole account if no
    match is given."""
    found = BY_DIGEST.rows([_digest(key)]) if key else []
    now = timezone.now()
    if not found or found[0].match != match or found[0].expires_at <= now or not found[0].user.is_active:
        return None
    session = found[0]
    if now - session.last_used_at >= RECORD_USE_EVERY:
        session.last_used_at = now
        BrowserSession.objects.filter(pk=session.pk).update(last_used_at=now)
    return session


def of_user(user: User) -> QuerySet[BrowserSession]:
    return BrowserSession.objects.filter(user=user, expires_at__gt=timezone.now()).order_by("-created_at", "reference")


def end(key: str) -> None:
    BrowserSession.objects.filter(digest=_digest(key)).delete()


def revoke(user: User, reference: str) -> None:
    if not BrowserSession.objects.filter(user=user, reference=reference).delete()[0]:
        raise NotFound(
            "no_such_session", "You have no session with this ID.", "List your sessions: GET /api/v1/sessions"
        )


@hourly
def forget_expired(now: datetime) -> int:
    return BrowserSession.objects.filter(expires_at__lte=now).delete()[0]


def _make_room(user: User) -> None:
    """Delete the least recently used sessions, so that there is always room for a new one."""
    unused_longest = BrowserSession.objects.filter(user=user).order_by(F("last_used_at").desc(), "-created_at")
    if surplus := list(unused_longest.values_list("pk", flat=True)[MOST_SESSIONS - 1 :]):
        BrowserSession.objects.filter(pk__in=surplus).delete()


def _digest(key: str) -> str:
    """Hash a session key. Keys are long and random, so a fast hash is enough."""
    return sha256(key.encode()).hexdigest()
