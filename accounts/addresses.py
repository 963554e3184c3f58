"""Change an account's email address.

This needs both the password and a link emailed to the new address, because the address may be mistyped and the link may
be forwarded. Changing the password invalidates the link.
"""

from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts import links, passwords
from accounts.announcements import AccountChanged, AddressChangeRequested, AddressConfirmed
from accounts.models import User
from core import rate_limits
from core.announcements import announce
from core.refusals import Conflict, Invalid


def ask_for_change(user: User, new: str, password: str) -> None:
    passwords.require_password(user, password)
    new = User.objects.normalize_email(new)
    rate_limits.count_attempt("mailbox", new, "confirm_address")
    with transaction.atomic():
        announce(AddressChangeRequested(user, new))
        announce(AccountChanged(user, "address_change_requested", email=user.email))


def change(token: str, password: str) -> User:
    """Confirm the new address and notify the old one. A repeated confirmation gets the same response."""
    change = links.read_address_change(token)
    user = User.objects.filter(pk=change.user_id).first() if change else None
    if change is None or user is None or not _still_holds(change, user):
        raise Invalid(
            "bad_link", "This link has expired, or your account has changed since it was sent.", "Request a new link."
        )
    passwords.require_password(user, password)
    if user.email == change.old:
        _move(user, change.new)
    return user


def _still_holds(change: links.AddressChange, user: User) -> bool:
    """Return whether the request is still valid.

    Changing the password invalidates it, because the request may have come from a thief.
    """
    return user.email in (change.old, change.new) and links.is_password_fingerprint(change.fingerprint, user)


def _move(user: User, new: str) -> None:
    old, user.email, user.email_confirmed_at = user.email, new, timezone.now()
    try:
        with transaction.atomic():
            user.save(update_fields=["email", "email_confirmed_at"])
            announce(AccountChanged(user, "address", email=old))
            announce(AddressConfirmed(new))
    except IntegrityError:
        raise Conflict(
            "address_taken",
            "This address already has an account.",
            "Delete that account first, or use another address.",
        ) from None
