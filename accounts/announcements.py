"""What accounts tell the apps above them, inside the transaction of what happened."""

from dataclasses import dataclass
from typing import Literal

from accounts.models import Registration, User


@dataclass(frozen=True)
class ConfirmationRequested:
    """A mail is to prove that the address of a new registration belongs to its owner."""

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
    """Something its owner should hear of, in case it was somebody else."""

    user: User
    what: Literal["password", "address", "address_asked", "log_in", "webhook"]
    where: str = ""
    email: str = ""
    """The address to tell, if it is not the user's present one."""


@dataclass(frozen=True)
class AddressConfirmed:
    """Mail has arrived at this address."""

    email: str


@dataclass(frozen=True)
class UserJoined:
    user: User
    invitation: str
    """The token of the invitation they came with, or nothing."""


@dataclass(frozen=True)
class AccountDeleted:
    """The user is still complete, and about to be deleted."""

    user: User


@dataclass(frozen=True)
class CalendarChanged:
    """The user's time zone, vacations or reminder times changed."""

    user: User
    zone_before: str
