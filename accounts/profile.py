"""Read and change users' profiles, and delete accounts. Other apps can add sections to the profile."""

from collections.abc import Callable
from typing import Any

from django.db import transaction

from accounts import passwords
from accounts.announcements import AccountDeleted, BotDeclared, CalendarChanged
from accounts.models import Registration, User
from core.announcements import announce

MATTER_TO_CLOCKS = {"time_zone", "remind_at"}

Section = Callable[[User], Any]
_sections: dict[str, Section] = {}


def profile_section(name: str) -> Callable[[Section], Section]:
    """Register a function that takes the user and returns a section of the profile, as in
    `@profile_section("mail")`."""

    def register(section: Section) -> Section:
        _sections[name] = section
        return section

    return register


def section_of(user: User, name: str) -> Any:
    return _sections[name](user)


@transaction.atomic
def change(user: User, **fields: Any) -> None:
    zone_before = user.time_zone
    for name, value in fields.items():
        setattr(user, name, value)
    others = {field.name for field in user._meta.fields} - set(fields)
    user.clean_fields(exclude=others)
    user.validate_constraints(exclude={"username", "email"})
    user.save(update_fields=list(fields))
    if MATTER_TO_CLOCKS & set(fields):
        announce(CalendarChanged(user, zone_before))


@transaction.atomic
def declare_bot(user: User) -> None:
    """Turn this account into a bot account permanently. Repeating the call changes nothing."""
    if not user.is_bot:
        announce(BotDeclared(user))
        user.is_bot = True
        user.save(update_fields=["is_bot"])


def delete(user: User, password: str) -> None:
    passwords.require_password(user, password)
    remove(user)


@transaction.atomic
def remove(user: User) -> None:
    """Delete an account without asking for its password. The caller must check permission first."""
    announce(AccountDeleted(user))
    Registration.objects.filter(email=user.email).delete()
    user.delete()
