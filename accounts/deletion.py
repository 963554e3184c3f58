"""Leaving for good: the account goes, what others built on it stays without a name."""

from django.db import transaction

from accounts import passwords
from accounts.models import Registration, User
from accounts.signals import departing
from notifications import account_mail


def delete(user: User, password: str) -> None:
    passwords.require_password(user, password)
    remove(user)


@transaction.atomic
def remove(user: User) -> None:
    """For whoever has the right to it."""
    departing.send(sender=User, user=user)
    Registration.objects.filter(email=user.email).delete()
    account_mail.forget(user)
    user.delete()
