"""Announcements from accounts to other apps, made inside the transaction that caused them."""

from dataclasses import dataclass
from typing import Literal

from accounts.models import Registration, User


@dataclass(frozen=True)
class ConfirmationRequested:
    """Sent when somebody registers and has to confirm their address."""

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
    next_page: str = ""
    """The page to open after logging in."""


@dataclass(frozen=True)
class AccountChanged:
    """Sent after a change the owner should know about, in case somebody else made it."""

    user: User
    what: Literal["password", "address", "address_change_requested", "log_in", "webhook"]
    where: str = ""
    email: str = ""
    """The address to notify, if it isn't the user's current one."""


@dataclass(frozen=True)
class AddressConfirmed:
    """Sent when an email has reached this address."""

    email: str


@dataclass(frozen=True)
class UserJoined:
    user: User
    invitation: str
    """The token of the invitation through which the user registered, if there is one."""


@dataclass(frozen=True)
class BotDeclared:
    """Sent just before a user becomes a bot account. A listener can refuse the change."""

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
