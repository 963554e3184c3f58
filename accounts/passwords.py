"""Changing a password one knows, and getting a new one for one that is forgotten."""

from django.db import transaction
from django.utils import timezone

from accounts import links, tokens
from accounts.models import Token, User
from accounts.strength import require_strong
from core import tally
from core.refusals import Refused
from notifications import account_mail
from notifications.models.notification import NotificationKind


def require_password(user: User, password: str) -> None:
    """A stolen token alone must not be enough for what cannot be undone."""
    tally.spend("password", str(user.pk))
    if not user.check_password(password):
        raise Refused(403, "wrong_password", "This is not your password.", "Forgotten? Ask for a new one by mail.")
    tally.forgive("password", str(user.pk))


def change(user: User, current: str, new: str, kept: Token) -> None:
    """Every other token stops working: whoever changes a password may have a reason."""
    require_password(user, current)
    _set(user, new, kept)


def ask_for_reset(email: str, address: str) -> None:
    """The same for every address, known or not: whether there is an account is looked up when the mail is written."""
    email = User.objects.normalize_email(email)
    tally.spend("sign_up", address)
    tally.spend("mailbox", email, NotificationKind.RESET_PASSWORD)
    account_mail.owe(NotificationKind.RESET_PASSWORD, email)


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
        raise Refused(400, "bad_link", "This link has been used, or is too old.", "Ask for a new one.")
    return user


def _set(user: User, new: str, kept: Token | None = None) -> None:
    require_strong(new, user)
    user.set_password(new)
    with transaction.atomic():
        user.save(update_fields=["password", "email_confirmed_at"])
        tokens.revoke_all(user, except_for=kept)
        account_mail.owe(NotificationKind.ACCOUNT_CHANGED, user, what="password")
