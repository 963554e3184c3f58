from functools import cache
from typing import Any
from zoneinfo import available_timezones

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.utils.encoding import punycode

from accounts.names import holds_link, is_visible

# An e-mail address always has an @ and a user name never does, so one login field can take either.
validate_username = RegexValidator(
    r"\A[A-Za-z0-9_-]{3,30}\Z", "A user name has 3 to 30 letters, digits, _ or -, without accents or spaces."
)
# Names in the time zone database that mean "whatever this machine says" or nothing at all.
NOT_A_PLACE = {"Factory", "localtime"}
PLACES = {"Africa", "America", "Antarctica", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific"}

MOST_REMINDERS = 5
LONGEST_ADDRESS = 254


def validate_address_length(address: str) -> None:
    """As it is kept: some letters become several when they are made small."""
    if len(address.strip().lower()) > LONGEST_ADDRESS:
        raise ValidationError("An address has at most %(most)d characters.", params={"most": LONGEST_ADDRESS})


def validate_domain(address: str) -> None:
    """Whether mail can go there: a domain travels in plain letters, and is longer then."""
    local, _, domain = address.strip().lower().rpartition("@")
    try:
        travels = f"{local}@{punycode(domain)}"
    except UnicodeError:
        raise ValidationError("No mail can go to this domain.", code="bad_domain") from None
    if len(travels) > LONGEST_ADDRESS:
        raise ValidationError("No mail can go to this domain: it is too long.", code="bad_domain")


@cache
def time_zones() -> frozenset[str]:
    return frozenset(available_timezones() - NOT_A_PLACE)


@cache
def usual_time_zones() -> tuple[str, ...]:
    """To choose from: UTC, and all that are named after a place. Others are short forms and old names."""
    return ("UTC", *sorted(name for name in time_zones() if name.partition("/")[0] in PLACES))


def validate_time_zone(name: str) -> None:
    if name not in time_zones():
        raise ValidationError(
            "%(name)s is not a time zone. Use a name like Europe/Berlin, America/Denver or UTC.",
            code="unknown_time_zone",
            params={"name": name},
        )


def validate_language(code: str) -> None:
    spoken = [known for known, _ in settings.LANGUAGES]
    if code not in spoken:
        raise ValidationError(
            "%(code)s is not a language we write. We write: %(spoken)s.",
            code="unknown_language",
            params={"code": code, "spoken": ", ".join(spoken)},
        )


def validate_printable(text: str) -> None:
    """Names appear in terminals and mail, where control characters could redraw a screen or forge a line."""
    if not text.isprintable():
        raise ValidationError("Control characters and line breaks cannot be part of a name.", code="not_printable")


def validate_name(name: str) -> None:
    """Of a player or a match: those who are mailed it did not ask for it, and see who it is."""
    validate_printable(name)
    if name and not is_visible(name):
        raise ValidationError("A name needs a letter, a digit or a sign that can be seen.", code="invisible")
    if holds_link(name):
        raise ValidationError(
            "A name cannot hold a link or an address. Leave it out; where it is none, write a blank after the dot.",
            code="holds_link",
        )


def validate_reminders(percents: Any) -> None:
    fits = isinstance(percents, list) and len(percents) <= MOST_REMINDERS
    if not fits or not all(type(percent) is int and 1 <= percent <= 99 for percent in percents):
        raise ValidationError(
            "Reminders are up to %(most)d whole numbers from 1 to 99: percent of the time for a move.",
            code="bad_reminders",
            params={"most": MOST_REMINDERS},
        )
