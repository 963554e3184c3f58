"""Moving an account to another e-mail address: only a mail to the new one can do it, and a new password stops it."""

from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts import links, passwords
from accounts.models import User
from core import tally
from core.refusals import Refused
from notifications import account_mail, bounces
from notifications.models.notification import NotificationKind


def ask_for_change(user: User, new: str, password: str) -> None:
    passwords.require_password(user, password)
    new = User.objects.normalize_email(new)
    tally.spend("mailbox", new, NotificationKind.CONFIRM_ADDRESS)
    with transaction.atomic():
        account_mail.owe(NotificationKind.CONFIRM_ADDRESS, new, user=user.pk, mark=links.password_mark(user))
        account_mail.owe(NotificationKind.ACCOUNT_CHANGED, user.email, user=user.pk, what="address_asked")


def change(token: str) -> User:
    """A second click answers like the first. The old address is told."""
    change = links.read_address_change(token)
    user = User.objects.filter(pk=change.user_id).first() if change else None
    if change is None or user is None or not _still_holds(change, user):
        raise Refused(400, "bad_link", "This link is too old, or the account has changed since.", "Ask for a new one.")
    if user.email == change.old:
        _move(user, change.new)
    return user


def _still_holds(change: links.AddressChange, user: User) -> bool:
    """Whoever changes a password may know that somebody else had the old one, and asked with it."""
    return user.email in (change.old, change.new) and links.is_password_mark(change.mark, user)


def _move(user: User, new: str) -> None:
    old, user.email, user.email_confirmed_at = user.email, new, timezone.now()
    try:
        with transaction.atomic():
            user.save(update_fields=["email", "email_confirmed_at"])
            account_mail.owe(NotificationKind.ACCOUNT_CHANGED, old, user=user.pk, what="address")
            bounces.mend(new)
    except IntegrityError:
        raise Refused(
            409,
            "address_taken",
            "This address has an account already.",
            "Delete that one first, or use another address.",
        ) from None
