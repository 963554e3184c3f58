"""Logging in and out: each program has its own token, which can be named, seen and revoked."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.contrib.auth import authenticate
from django.contrib.auth.hashers import check_password, make_password
from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from accounts.announcements import AccountChanged
from accounts.models import UNNAMED, Registration, Token, User
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


def log_in(asked: LogIn, address: str) -> tuple[Token, str]:
    """The new token, and what the program has to show. It is known only now: the database has its hash."""
    return _new_token(owner_of(asked.login, asked.password, address), asked)


def owner_of(login: str, password: str, address: str) -> User:
    """Whose password it is."""
    may_try = spend_log_in(login, address)
    user = authenticate(username=login, password=password)
    if not (may_try and isinstance(user, User)):
        raise _unconfirmed() if _is_waiting_for_confirmation(login.lower(), password) else _wrong()
    if user.email_confirmed_at is None:
        raise _unconfirmed()
    forgive_log_in(user, login.lower(), address)
    return user


def spend_log_in(login: str, address: str) -> bool:
    """From one address an account can be tried only few times; from many, more often, so that it takes many to keep
    its owner out. Whoever is kept out can still ask for a new password.

    Guesses by user name and by e-mail address count together, too. Then no password is right, and nothing else tells
    that the limit is reached: a refusal of one that came after guesses at the other would tell whose address it is."""
    rate_limits.spend("login", address)
    _spend_on(login.lower(), address)
    try:
        _spend_on(_account(login), address)
    except Refused:
        return False
    return True


def forgive_log_in(user: User, login: str, address: str) -> None:
    for account in (login, _one_account(user)):
        rate_limits.forgive("login_account", account)
        rate_limits.forgive("login_pair", account, address)


def _spend_on(account: str, address: str) -> None:
    rate_limits.spend("login_pair", account, address)
    rate_limits.spend("login_account", account)


def _account(login: str) -> str:
    """One for both names of a user; and one for a login of nobody, so that the work is the same."""
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
    """The first log-in is no surprise, nor is one more of a program that has a name and a token already."""
    is_known = token_name != UNNAMED and Token.objects.filter(user=user, name=token_name).exists()
    return user.last_login is not None and not is_known


def log_out(token: Token) -> None:
    token.delete()


def revoke(user: User, reference: str) -> None:
    if not Token.objects.filter(user=user, reference=reference).delete()[0]:
        raise NotFound("no_such_token", "You have no such token.", "GET /api/v1/tokens lists yours.")


def revoke_all(user: User, except_for: Token | None = None) -> None:
    Token.objects.filter(user=user).exclude(pk=except_for.pk if except_for else "").delete()


@hourly
def forget_expired(now: datetime) -> int:
    return Token.objects.filter(expiry__lte=now).delete()[0]


def _make_room(user: User) -> None:
    """Logging in always works: what has not been used for longest gives way."""
    unused_longest = Token.objects.filter(user=user).order_by(F("last_used_at").desc(nulls_last=True), "-created")
    surplus = list(unused_longest.values_list("pk", flat=True)[MOST_TOKENS - 1 :])
    if surplus:
        Token.objects.filter(pk__in=surplus).delete()


def _is_waiting_for_confirmation(account: str, password: str) -> bool:
    """Asked whether or not there is such a user, and always hashing once, so that the answer tells nothing of users."""
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
        "The user name, the address or the password is wrong.",
        "Forgotten, or tried too often? Ask for a new password.",
    )


def _unconfirmed() -> Refused:
    return Forbidden(
        "email_not_confirmed",
        "The address of this account has not been confirmed.",
        "Follow the link in the mail we sent, or enter its code; POST /api/v1/registrations/{id}/mails sends it again.",
    )
