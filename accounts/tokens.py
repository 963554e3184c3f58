"""Log in and out. Each program has its own token, which can be named, listed and revoked."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.contrib.auth import authenticate
from django.contrib.auth.hashers import check_password, make_password
from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from accounts import browser_sessions
from accounts.announcements import AccountChanged
from accounts.models import UNNAMED, BrowserSession, Registration, Token, User
from core import rate_limits
from core.announcements import announce
from core.housekeeping import hourly
from core.refusals import Forbidden, NotAuthenticated, NotFound, Refused

MOST_TOKENS = 50


@dataclass(frozen=True)
class LogIn:
    login: str
    password: str
    token_name: str
    days: int


def log_in_browser(login: str, password: str, device: str, address: str) -> tuple[BrowserSession, str]:
    """Log in a browser, and return the session with its key."""
    user = owner_of(login, password, address)
    with transaction.atomic():
        if user.last_login is not None:
            announce(AccountChanged(user, "log_in", where=device))
        User.objects.filter(pk=user.pk).update(last_login=timezone.now())
        return browser_sessions.start(user, device)


def log_in(asked: LogIn, address: str) -> tuple[Token, str]:
    """Log in a program, and return the token with its secret. The database stores only a hash of the secret."""
    return _new_token(owner_of(asked.login, asked.password, address), asked)


def owner_of(login: str, password: str, address: str) -> User:
    """Return the user with this login and password."""
    may_try = count_login(login, address)
    user = authenticate(username=login, password=password)
    if not (may_try and isinstance(user, User)):
        raise _unconfirmed() if _is_waiting_for_confirmation(login.lower(), password) else _wrong()
    if user.email_confirmed_at is None:
        raise _unconfirmed()
    reset_login_counts(user, login.lower(), address)
    return user


def count_login(login: str, address: str) -> bool:
    """Count a login attempt, and return whether it may succeed.

    There is a limit per account and network address, and a higher one per account, so that locking out an owner takes
    many network addresses. Locked-out users can still reset their password.

    Attempts with a user's name and with their email address also share a limit. Beyond that limit, every password is
    treated as wrong, because an explicit refusal would reveal that the name and the address belong to the same user.
    """
    rate_limits.count_attempt("login", address)
    _count_for(login.lower(), address)
    try:
        _count_for(_account(login), address)
    except Refused:
        return False
    return True


def reset_login_counts(user: User, login: str, address: str) -> None:
    for account in (login, _one_account(user)):
        rate_limits.reset("login_account", account)
        rate_limits.reset("login_pair", account, address)


def _count_for(account: str, address: str) -> None:
    rate_limits.count_attempt("login_pair", account, address)
    rate_limits.count_attempt("login_account", account)


def _account(login: str) -> str:
    """Return a key that is the same for a user's name and for their email address.

    Unknown logins also get a key, so that every attempt does the same work.
    """
    try:
        return _one_account(User.objects.get_by_natural_key(login))
    except User.DoesNotExist:
        return f"nobody {login.lower()}"


def _one_account(user: User) -> str:
    return f"user {user.pk}"


@transaction.atomic
def _new_token(user: User, asked: LogIn) -> tuple[Token, str]:
    if _is_news(user, asked.token_name):
        announce(AccountChanged(user, "log_in", where=asked.token_name))
    User.objects.filter(pk=user.pk).update(last_login=timezone.now())
    _make_room(user)
    lifetime = timedelta(days=asked.days)
    token, secret = Token.objects.create(user, lifetime, name=asked.token_name)  # type: ignore[no-untyped-call]
    return token, secret


def _is_news(user: User, token_name: str) -> bool:
    """Return whether to notify the owner of a login. First logins and known programs need no notification."""
    is_known = token_name != UNNAMED and Token.objects.filter(user=user, name=token_name).exists()
    return user.last_login is not None and not is_known


def log_out(token: Token) -> None:
    token.delete()


def revoke(user: User, reference: str) -> None:
    if not Token.objects.filter(user=user, reference=reference).delete()[0]:
        raise NotFound("no_such_token", "You have no token with this ID.", "List your tokens with GET /api/v1/tokens.")


def log_out_everywhere(user: User, except_for: Token | BrowserSession | None = None) -> None:
    kept = except_for.pk if except_for else ""
    Token.objects.filter(user=user).exclude(pk=kept).delete()
    BrowserSession.objects.filter(user=user).exclude(pk=kept).delete()


@hourly
def forget_expired(now: datetime) -> int:
    return Token.objects.filter(expiry__lte=now).delete()[0]


def _make_room(user: User) -> None:
    """Delete the least recently used tokens, so that there is always room for a new one."""
    unused_longest = Token.objects.filter(user=user).order_by(F("last_used_at").desc(nulls_last=True), "-created")
    surplus = list(unused_longest.values_list("pk", flat=True)[MOST_TOKENS - 1 :])
    if surplus:
        Token.objects.filter(pk__in=surplus).delete()


def _is_waiting_for_confirmation(account: str, password: str) -> bool:
    """Return whether somebody has registered with this login and password but not confirmed the address.

    Exactly one password is hashed either way, so that timing reveals nothing.
    """
    named = Q(email=account) | Q(username__iexact=account)
    waiting = (
        Registration.objects.filter(named, user=None, expires_at__gt=timezone.now()).order_by("-expires_at").first()
    )
    if waiting is None:
        make_password(password)
        return False
    return check_password(password, waiting.password)


def _wrong() -> Refused:
    return NotAuthenticated(
        "wrong_login",
        "Wrong username, email address or password.",
        "If you forgot the password or tried too often, reset it.",
    )


def _unconfirmed() -> Refused:
    return Forbidden(
        "email_not_confirmed",
        "This account's email address has not been confirmed.",
        "Open the link in our email, or enter its code. POST /api/v1/registrations/{id}/mails sends it again.",
    )
