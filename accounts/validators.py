"""Validate names, addresses and time zones.

Names appear in unsolicited emails, so they must be visible and must not contain anything that mail programs turn into a
link, such as a domain, an IP address or a phone number.
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
from publicsuffixlist import PublicSuffixList

# Host names may also contain emoji.
SIGN = r"(?:[-\w]|[^\x00-\x7f\s])"
# Each alternative matches only the few characters that give a link away, so long host names do not slow the search
# down. After a dot, a lower-case word, an upper-case word or two letters could be a top-level domain, but names are
# capitalized. Mail programs end a link at an underscore, as at any other punctuation mark, but `\b` treats it as part
# of a word.
BEGIN, END = r"(?<![^\W_])", r"(?![^\W_])"
LINK = re.compile(
    r"\w://"
    rf"|{BEGIN}(?:www\d{{0,2}}|ftp)\.\w"
    rf"|{BEGIN}(?:mailto|tel|sms|callto|skype|magnet|javascript):\S?"
    rf"|{BEGIN}(?:https?|ftps?|file|news|nntp|telnet|xmpp|sips?|facetime|whatsapp|geo|bitcoin):\S"
    rf"|{BEGIN}(?<!\.)(?:\d{{1,3}}\.){{3}}\d{{1,3}}(?![\w.]\d)"
    r"|\+\d[\d ()/-]{6,20}\d"
    r"|\\\\\w"
    r"|\w@\w"
    rf"|{SIGN}\.(?:xn--[a-z\d-]{{1,59}}|[^\W\d_]{{2,63}})\.?(?::\d{{1,5}})?(?:/|[?#]\w)"
    rf"|{SIGN}\.(?:xn--[a-z\d-]{{1,59}}|(?-i:[a-zа-яё]{{2,63}})){END}"
    rf"|\w\w\.(?:[a-z]{{2}}|(?-i:[A-ZА-ЯЁ]{{2,63}})){END}",
    re.IGNORECASE,
)
# Top-level domains also contain the vowel signs of scripts from Devanagari to Thai, which `\w` doesn't match.
HOST = re.compile(rf"{SIGN}\.((?:[^\W\d_]|[\u0900-\u0e7f]){{2,63}}){END}")
# Some scripts don't put spaces between words, so mail programs end a Latin domain where another script begins.
HOST_BEFORE_ANOTHER_SCRIPT = re.compile(rf"{SIGN}\.([A-Za-z]{{2,63}})(?=[^\x00-\u024f])")
# National phone numbers have at least nine digits, some of them in a longer group. Dates are no phone numbers.
DATE = re.compile(r"(?<!\d)(?:\d{4}|\d\d?)([./-])\d\d?\1(?:\d{4}|\d\d?)(?!\d)")
DIGITS = re.compile(r"\d(?:[ ()./-]{0,3}\d){8,}")
# Characters that browsers leave out of host names: variation selectors and joiners.
LEFT_OUT = re.compile("[\u034f\u180b-\u180f\ufe00-\ufe0f]")
# Characters that are invisible, although Unicode counts them as letters or symbols: Hangul fillers and the empty
# Braille pattern.
BLANK = set("\u115f\u1160\u3164\uffa0\u2800")


def holds_link(text: str) -> bool:
    """Return whether the text contains a link.

    Full-width letters and periods from other scripts count, because browsers accept them.
    """
    read = LEFT_OUT.sub("", unicodedata.normalize("NFKC", text)).replace("\u3002", ".")
    endings = HOST.findall(read) + HOST_BEFORE_ANOTHER_SCRIPT.findall(read)
    return LINK.search(read) is not None or any(map(is_top_level_domain, endings)) or holds_phone_number(read)


def holds_phone_number(text: str) -> bool:
    return any(re.search(r"\d{3}", digits) for digits in DIGITS.findall(DATE.sub("date", text)))


@cache
def top_level_domains() -> PublicSuffixList:
    return PublicSuffixList(only_icann=True)


def is_top_level_domain(ending: str) -> bool:
    return top_level_domains().publicsuffix(f"host.{ending.lower()}", accept_unknown=False) is not None


def is_visible(text: str) -> bool:
    return any(sign not in BLANK and unicodedata.category(sign)[0] in "LNPS" for sign in text)


# Email addresses contain an @ and usernames never do, so one login field can accept both.
validate_username = RegexValidator(
    r"\A[A-Za-z0-9_-]{3,30}\Z", "Use 3 to 30 characters: unaccented letters, digits, _ and -."
)
# Names in the time zone database that mean "the local zone" or nothing at all.
NOT_A_PLACE = {"Factory", "localtime"}
PLACES = {"Africa", "America", "Antarctica", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific"}

MOST_REMINDERS = 5
LONGEST_ADDRESS = 254


def validate_address_length(address: str) -> None:
    """Check the length of the address in lower case, as it is stored.

    Some letters become several letters in lower case.
    """
    if len(address.strip().lower()) > LONGEST_ADDRESS:
        raise ValidationError("Must be at most %(most)d characters long.", params={"most": LONGEST_ADDRESS})


def validate_domain(address: str) -> None:
    """Check that emails can be sent to the domain. Its length is limited in ASCII form, which can be longer than what
    was typed."""
    local, _, domain = address.strip().lower().rpartition("@")
    try:
        travels = f"{local}@{punycode(domain)}"
    except UnicodeError:
        raise ValidationError("The domain is invalid.", code="bad_domain") from None
    if len(travels) > LONGEST_ADDRESS:
        raise ValidationError("The domain is too long.", code="bad_domain")


@cache
def time_zones() -> frozenset[str]:
    return frozenset(available_timezones() - NOT_A_PLACE)


@cache
def usual_time_zones() -> tuple[str, ...]:
    """List the time zones to choose from:

    UTC and the zones named after a place. The remaining names are abbreviations or outdated.
    """
    return ("UTC", *sorted(name for name in time_zones() if name.partition("/")[0] in PLACES))


def validate_time_zone(name: str) -> None:
    if name not in time_zones():
        raise ValidationError(
            "'%(name)s' is not a time zone. Use a name like Europe/Berlin, America/Denver or UTC.",
            code="unknown_time_zone",
            params={"name": name},
        )


def validate_language(code: str) -> None:
    spoken = [known for known, _ in settings.LANGUAGES]
    if code not in spoken:
        raise ValidationError(
            "'%(code)s' is not a supported language. Supported: %(spoken)s.",
            code="unknown_language",
            params={"code": code, "spoken": ", ".join(spoken)},
        )


def validate_printable(text: str) -> None:
    """Reject control characters, which could redraw a terminal or forge a line in an email."""
    if not text.isprintable():
        raise ValidationError("Remove control characters and line breaks.", code="not_printable")


def validate_name(name: str) -> None:
    """Check the name of a player or match, which appears in unsolicited emails."""
    validate_printable(name)
    if name and not is_visible(name):
        raise ValidationError("Use at least one visible character.", code="invisible")
    if holds_link(name):
        raise ValidationError(
            "Links, email addresses and phone numbers are not allowed. "
            "If this isn't meant as a link, add a space after the dot or the @.",
            code="holds_link",
        )


def validate_is_no_bot_label(name: str) -> None:
    """Refuse names that end in "(bot)", so that nobody can pass for a bot."""
    if unicodedata.normalize("NFKC", name).lower().replace(" ", "").endswith("(bot)"):
        raise ValidationError("Only the names of bots end in (bot).", code="bot_label")


def validate_reminders(percents: Any) -> None:
    fits = isinstance(percents, list) and len(percents) <= MOST_REMINDERS
    if not fits or not all(type(percent) is int and 1 <= percent <= 99 for percent in percents):
        raise ValidationError(
            "Enter up to %(most)d percentages from 1 to 99.",
            code="bad_reminders",
            params={"most": MOST_REMINDERS},
        )
