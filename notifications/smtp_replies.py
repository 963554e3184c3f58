"""What the words of a mail server mean for a mail and its address.

The enhanced status (RFC 3463) tells whether a failure is about the address or about something that may pass. Where it
says nothing, the words that servers use do.
"""

import re
from dataclasses import dataclass
from enum import StrEnum


class Fate(StrEnum):
    """What became of a mail, the worst last."""

    DELIVERED = "delivered"
    DELAYED = "delayed"
    SOFT = "soft"
    """It came back, and another may well be taken later: a full mailbox, a policy, a server that is away."""
    HARD = "hard"
    """It came back, because there is nobody at this address."""


@dataclass(frozen=True)
class Report:
    fate: Fate
    why: str = ""


LONGEST_WHY = 150
STATUS = re.compile(r"(?<![\d.])([245])\.(\d{1,3})\.(\d{1,3})(?![\d.])")
CODE = re.compile(r"(?<![\d.])([45])\d\d(?=[ -])")
# The address, its domain or its mailbox does not exist, or is closed.
NOBODY_THERE = {"5.1.1", "5.1.2", "5.1.3", "5.1.4", "5.1.6", "5.1.10", "5.2.1", "5.4.1", "5.4.4", "5.4.310"}
ABOUT_US = ("5.1.7", "5.1.8", "5.7.")
"""Our own address, or what somebody thinks of our mail."""
MAILBOX_FULL = {"5.2.2", "4.2.2"}
FULL = re.compile(r"(mailbox|inbox|quota|storage)\W+(is )?(full|exceeded)|over ?quota|out of storage", re.IGNORECASE)
NOBODY = re.compile(
    r"(user|recipient|mailbox|address|account|person|alias)\W+(is |was |has been )?"
    r"(unknown|not found|unavailable|disabled|inactive|does(n't| not) exist|not exist|invalid)"
    r"|(unknown|no such|invalid|bad destination) (local |virtual )?(user|recipient|mailbox|address|person|domain|host)"
    r"|does(n't| not) have an? [\w.]+ account|no mailbox here|unrouteable address|domain (name )?not found",
    re.IGNORECASE,
)


def severity(status: str, said: str) -> Fate:
    """The words count only where the status leaves it open what failed."""
    code = most_telling(status, said)
    if code.startswith("4") or is_full(status, said):
        return Fate.SOFT
    if code in NOBODY_THERE:
        return Fate.HARD
    return Fate.HARD if not code.startswith(ABOUT_US) and NOBODY.search(said) else Fate.SOFT


def is_full(status: str, said: str) -> bool:
    return most_telling(status, said) in MAILBOX_FULL or bool(FULL.search(said))


def most_telling(status: str, said: str) -> str:
    """A status that says more than that it failed; else any; else the bare code of the SMTP answer."""
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
