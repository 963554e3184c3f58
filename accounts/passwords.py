"""Changing a password one knows, and getting a new one for one that is forgotten."""

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone

from accounts import links, tokens
from accounts.announcements import AccountChanged, PasswordResetRequested
from accounts.models import Token, User
from core import rate_limits
from core.announcements import announce
from core.refusals import Forbidden, Invalid

LONGEST_PASSWORD = 256


def require_password(user: User, password: str) -> None:
    """A stolen token alone must not be enough for what cannot be undone."""
    rate_limits.spend("password", str(user.pk))
    if not user.check_password(password):
        raise Forbidden("wrong_password", "This is not your password.", "Forgotten? Ask for a new one by mail.")
    rate_limits.forgive("password", str(user.pk))


def change(user: User, current: str, new: str, kept: Token) -> None:
    """Every other token stops working: whoever changes a password may have a reason."""
    require_password(user, current)
    _set(user, new, kept)


def ask_for_reset(email: str, address: str) -> None:
    """The same for every address, known or not: whether there is an account is looked up when the mail is written."""
    email = User.objects.normalize_email(email)
    rate_limits.spend("sign_up", address)
    rate_limits.spend("mailbox", email, "reset_password")
    announce(PasswordResetRequested(email))


def reset(token: str, new: str, address: str) -> User:
    """Whoever has the mail owns the address, so it is confirmed too."""
    user = owner_of_reset(token)
    user.email_confirmed_at = user.email_confirmed_at or timezone.now()
    _set(user, new)
    for login in (user.email, user.username.lower()):
        tokens.forgive_log_in(user, login, address)
    return user


def owner_of_reset(token: str) -> User:
    user_id = links.read_reset(token)
    user = None if user_id is None else User.objects.filter(pk=user_id, is_active=True).first()
    if user is None or not links.is_reset_token(token, user):
        raise Invalid("bad_link", "This link has been used, or is too old.", "Ask for a new one.")
    return user


def _set(user: User, new: str, kept: Token | None = None) -> None:
    require_strong(new, user)
    user.set_password(new)
    with transaction.atomic():
        user.save(update_fields=["password", "email_confirmed_at"])
        tokens.revoke_all(user, except_for=kept)
        announce(AccountChanged(user, "password"))


def require_strong(password: str, about: User) -> None:
    """Nothing common, nothing short, nothing that resembles its user; complaints are about the field `password`."""
    if len(password) > LONGEST_PASSWORD:
        raise ValidationError({"password": [f"A password has at most {LONGEST_PASSWORD} characters."]})
    try:
        validate_password(password, about)
    except ValidationError as error:
        raise ValidationError({"password": error.messages}) from None
