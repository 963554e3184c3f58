"""Interpret the responses of mail servers: whether a failure is temporary, and whether the address doesn't exist.

The enhanced status code (RFC 3463) decides. If it is missing or vague, the wording of the response decides.
"""

import re
from dataclasses import dataclass
from enum import StrEnum


class MailOutcome(StrEnum):
    """The outcome of an email, from best to worst."""

    DELIVERED = "delivered"
    DELAYED = "delayed"
    SOFT = "soft"
    """The email bounced, but a later one may arrive: the mailbox is full, a policy forbids it, or the server is
    down."""
    HARD = "hard"
    """The email bounced because the address doesn't exist."""


@dataclass(frozen=True)
class Report:
    outcome: MailOutcome
    why: str = ""


LONGEST_WHY = 150
STATUS = re.compile(r"(?<![\d.])([245])\.(\d{1,3})\.(\d{1,3})(?![\d.])")
CODE = re.compile(r"(?<![\d.])([45])\d\d(?=[ -])")
# The address, its domain or its mailbox doesn't exist or is disabled.
NOBODY_THERE = {"5.1.1", "5.1.2", "5.1.3", "5.1.4", "5.1.6", "5.1.10", "5.2.1", "5.4.1", "5.4.4", "5.4.310"}
ABOUT_US = ("5.1.7", "5.1.8", "5.7.")
"""Status codes for problems with our sender address, and for policies against our mail."""
MAILBOX_FULL = {"5.2.2", "4.2.2"}
FULL = re.compile(r"(mailbox|inbox|quota|storage)\W+(is )?(full|exceeded)|over ?quota|out of storage", re.IGNORECASE)
NOBODY = re.compile(
    r"(user|recipient|mailbox|address|account|person|alias)\W+(is |was |has been )?"
    r"(unknown|not found|unavailable|disabled|inactive|does(n't| not) exist|not exist|invalid)"
    r"|(unknown|no such|invalid|bad destination) (local |virtual )?(user|recipient|mailbox|address|person|domain|host)"
    r"|does(n't| not) have an? [\w.]+ account|no mailbox here|unrouteable address|domain (name )?not found",
    re.IGNORECASE,
)


def severity(status: str, said: str) -> MailOutcome:
    """Classify a failure. The wording counts only if the status doesn't say what failed."""
    code = most_telling(status, said)
    if code.startswith("4") or is_full(status, said):
        return MailOutcome.SOFT
    if code in NOBODY_THERE:
        return MailOutcome.HARD
    return MailOutcome.HARD if not code.startswith(ABOUT_US) and NOBODY.search(said) else MailOutcome.SOFT


def is_full(status: str, said: str) -> bool:
    return most_telling(status, said) in MAILBOX_FULL or bool(FULL.search(said))


def is_policy(said: str) -> bool:
    """Return whether a server refused our email because of its policy (554 5.7.1), which may change.

    Refused relaying doesn't count, because that is a mistake in our own settings.
    """
    return most_telling("", said).startswith("5.7.") and "relay" not in said.lower()


def most_telling(status: str, said: str) -> str:
    """Return the most specific status. A detailed status comes first, then any other, then the bare SMTP code."""
    found = [match for match in (STATUS.search(status), STATUS.search(said), CODE.search(said)) if match]
    detailed = [match[0] for match in found if "." in match[0] and not match[0].endswith(".0.0")]
    return (detailed or [match[0] for match in found] or [""])[0]


def has_status(said: str) -> bool:
    return bool(STATUS.search(said))


def says_why(line: str) -> bool:
    return any(sign.search(line) for sign in (STATUS, CODE, NOBODY, FULL))


def tidy(text: str) -> str:
    printable = "".join(letter if letter.isprintable() else " " for letter in text)
    return " ".join(printable.split())[:LONGEST_WHY]
