"""Change a known password, or reset a forgotten one."""

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone

from accounts import links, tokens
from accounts.announcements import AccountChanged, PasswordResetRequested
from accounts.models import BrowserSession, Token, User
from core import rate_limits
from core.announcements import announce
from core.refusals import Forbidden, Invalid

LONGEST_PASSWORD = 256


def require_password(user: User, password: str) -> None:
    """Require the password for irreversible changes, so that a stolen token is not enough."""
    rate_limits.count_attempt("password", str(user.pk))
    if not user.check_password(password):
        raise Forbidden("wrong_password", "The password is wrong.", "Forgot it? Request a password reset.")
    rate_limits.reset("password", str(user.pk))


def change(user: User, current: str, new: str, keep: Token | BrowserSession) -> None:
    """Set the password and log out everywhere else, because somebody else may have known the old one."""
    require_password(user, current)
    _set(user, new, keep)


def ask_for_reset(email: str, address: str) -> None:
    """Request a password reset.

    Every address is treated the same: its account is looked up only when the email is written.
    """
    email = User.objects.normalize_email(email)
    rate_limits.count_attempt("sign_up", address)
    rate_limits.count_attempt("mailbox", email, "reset_password")
    announce(PasswordResetRequested(email))


def reset(token: str, new: str, address: str) -> User:
    """Set a new password. This also confirms the address, because the link was emailed to it."""
    user = owner_of_reset(token)
    user.email_confirmed_at = user.email_confirmed_at or timezone.now()
    _set(user, new)
    for login in (user.email, user.username.lower()):
        tokens.reset_login_counts(user, login, address)
    return user


def owner_of_reset(token: str) -> User:
    user_id = links.read_reset(token)
    user = None if user_id is None else User.objects.filter(pk=user_id, is_active=True).first()
    if user is None or not links.is_reset_token(token, user):
        raise Invalid("bad_link", "This link was already used or has expired.", "Request a new one.")
    return user


def _set(user: User, new: str, keep: Token | BrowserSession | None = None) -> None:
    require_strong(new, user)
    user.set_password(new)
    with transaction.atomic():
        user.save(update_fields=["password", "email_confirmed_at"])
        tokens.log_out_everywhere(user, except_for=keep)
        announce(AccountChanged(user, "password"))


def require_strong(password: str, about: User) -> None:
    """Refuse passwords that are common, short or similar to the username. Errors refer to the field `password`."""
    if len(password) > LONGEST_PASSWORD:
        raise ValidationError({"password": [f"Must be at most {LONGEST_PASSWORD} characters long."]})
    try:
        validate_password(password, about)
    except ValidationError as error:
        raise ValidationError({"password": error.messages}) from None
