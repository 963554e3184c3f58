"""Validators for what users type: names, addresses, time zones.

Names appear in mail to people who did not ask for it, so they must be visible, and nothing that a mail program makes a
link of.
"""

import re
import unicodedata
from functools import cache
from typing import Any
from zoneinfo import available_timezones

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.utils.encoding import punycode

# Endings after which programs see a host even where nothing follows. The many others are also ends of words.
COMMON_ENDINGS = (
    "app|biz|click|cloud|cn|co|com|dev|email|help|info|io|link|live|mov|net|online|org|page|ru|shop|site|space|store"
    "|support|tech|top|uk|website|xyz|zip"
)
# Before a name these are no host: Dr.No, St.Ann.
NO_TITLE = r"(?<!\b(?:dr|jr|mr|ms|mt|sr|st))(?<!\bmrs)(?<!\bprof)"
# Each part looks only at the few signs where a link shows itself: a host of any length takes no longer.
# What follows a dot in small letters, in large ones, or with two letters, may be an ending, too; a name begins large.
LINK = re.compile(
    r"\w://"
    r"|\bwww\d{0,2}\.\w"
    r"|\bmailto:"
    r"|\\\\\w"
    r"|\w@\w[\w-]{0,62}\.\w"
    r"|\w\.(?:xn--[a-z\d-]{1,59}|[^\W\d_]{2,63})\.?(?::\d{1,5})?(?:/|[?#]\w)"
    rf"|\w\.(?:{COMMON_ENDINGS}|xn--[a-z\d-]{{1,59}}|(?-i:[a-zа-яё]{{2,63}}))\b"
    rf"|\w\w{NO_TITLE}\.(?:[a-z]{{2}}|(?-i:[A-ZА-ЯЁ]{{2,63}}))\b",
    re.IGNORECASE,
)
# Letters and symbols by their category, and yet nothing to be seen: the fillers of Hangul, and Braille without dots.
BLANK = set("\u115f\u1160\u3164\uffa0\u2800")


def holds_link(text: str) -> bool:
    """Read as a browser does, which takes wide letters and the full stops of other scripts for ours."""
    return LINK.search(unicodedata.normalize("NFKC", text).replace("\u3002", ".")) is not None


def is_visible(text: str) -> bool:
    return any(sign not in BLANK and unicodedata.category(sign)[0] in "LNPS" for sign in text)


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
