"""Log in without a password, through a link that is emailed on request."""

from django.db import transaction
from django.utils import timezone

from accounts import browser_sessions, links
from accounts.announcements import LoginLinkRequested
from accounts.models import BrowserSession, User
from core import rate_limits
from core.announcements import announce
from core.refusals import Invalid, Refused


def ask(email: str, address: str, next_page: str = "") -> None:
    """Request a login link.

    Every address is treated the same: its account is looked up only when the email is written.
    """
    email = User.objects.normalize_email(email)
    rate_limits.count_attempt("sign_up", address)
    rate_limits.count_attempt("mailbox", email, "login_link")
    announce(LoginLinkRequested(email, next_page))


def owner_of(token: str) -> User:
    read = links.read_login(token)
    user = User.objects.filter(pk=read[0], is_active=True).first() if read else None
    if read is None or user is None or not links.is_login_fingerprint(read[1], user):
        raise _used_or_expired()
    return user


@transaction.atomic
def log_in(token: str, device: str) -> tuple[BrowserSession, str]:
    """Log in a browser, and return the session with its key.

    If two browsers use the same link at once, only one succeeds.
    """
    user = owner_of(token)
    now = timezone.now()
    unused = User.objects.filter(pk=user.pk, last_login=user.last_login)
    if not unused.update(last_login=now, email_confirmed_at=user.email_confirmed_at or now):
        raise _used_or_expired()
    return browser_sessions.start(user, device)


def _used_or_expired() -> Refused:
    return Invalid("bad_link", "This link was already used or has expired.", "Request a new one.")
