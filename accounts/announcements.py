"""Announcements from accounts to other apps, made inside the transaction that caused them."""

from dataclasses import dataclass
from typing import Literal

from accounts.models import Registration, User


@dataclass(frozen=True)
class ConfirmationRequested:
    """Somebody has registered and must prove that the address is theirs."""

    registration: Registration


@dataclass(frozen=True)
class AddressChangeRequested:
    user: User
    new_address: str


@dataclass(frozen=True)
class PasswordResetRequested:
    email: str


@dataclass(frozen=True)
class AccountChanged:
    """A change the owner should know about, in case somebody else made it."""

    user: User
    what: Literal["password", "address", "address_change_requested", "log_in", "webhook"]
    where: str = ""
    email: str = ""
    """The address to notify, if not the user's current one."""


@dataclass(frozen=True)
class AddressConfirmed:
    """Mail has arrived at this address."""

    email: str


@dataclass(frozen=True)
class UserJoined:
    user: User
    invitation: str
    """The token of the invitation they registered with, if any."""


@dataclass(frozen=True)
class AccountDeleted:
    """The user is about to be deleted."""

    user: User


@dataclass(frozen=True)
class CalendarChanged:
    """The user's time zone, vacations or reminder times have changed."""

    user: User
    zone_before: str
