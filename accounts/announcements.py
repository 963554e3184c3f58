"""Announcements from accounts to other apps, made inside the transaction that caused them."""

from dataclasses import dataclass
from typing import Literal

from accounts.models import Registration, User


@dataclass(frozen=True)
class ConfirmationRequested:
    """Sent when somebody registers and has to confirm the address."""

    registration: Registration


@dataclass(frozen=True)
class AddressChangeRequested:
    user: User
    new_address: str


@dataclass(frozen=True)
class PasswordResetRequested:
    email: str


@dataclass(frozen=True)
class LoginLinkRequested:
    email: str


@dataclass(frozen=True)
class AccountChanged:
    """Sent after a change the owner should know about, in case somebody else made it."""

    user: User
    what: Literal["password", "address", "address_change_requested", "log_in", "webhook"]
    where: str = ""
    email: str = ""
    """The address to notify, if not the user's current one."""


@dataclass(frozen=True)
class AddressConfirmed:
    """Sent when an email has reached this address."""

    email: str


@dataclass(frozen=True)
class UserJoined:
    user: User
    invitation: str
    """The token of the invitation they registered with, if any."""


@dataclass(frozen=True)
class BotDeclared:
    """Sent just before a user becomes a bot account. A listener can refuse it."""

    user: User


@dataclass(frozen=True)
class AccountDeleted:
    """Sent just before a user is deleted."""

    user: User


@dataclass(frozen=True)
class CalendarChanged:
    """Sent when the user's time zone, vacations or reminder times have changed."""

    user: User
    zone_before: str
