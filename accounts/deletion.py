"""Leaving for good: the account goes, what others built on it stays without a name."""

from django.db import transaction

from accounts import passwords
from accounts.announcements import AccountDeleted
from accounts.models import Registration, User
from core.announcements import announce


def delete(user: User, password: str) -> None:
    passwords.require_password(user, password)
    remove(user)


@transaction.atomic
def remove(user: User) -> None:
    """The caller has checked that this may be done."""
    announce(AccountDeleted(user))
    Registration.objects.filter(email=user.email).delete()
    user.delete()
