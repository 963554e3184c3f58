"""What mail servers report about a mail of ours: the standard form (RFC 3464), and those that older servers write.

Whether a failure is about the address or about something that may pass is told by its enhanced status (RFC 3463), and
where that says nothing, by the words that servers use.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from email.message import Message
from enum import StrEnum

from notifications.safe_mime import parse


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


WORST_LAST = list(Fate)
LONGEST_WHY = 150
LONGEST_TEXT = 5000
ACTIONS = {"delivered": Fate.DELIVERED, "relayed": Fate.DELIVERED, "expanded": Fate.DELIVERED, "delayed": Fate.DELAYED}
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
TELLING = (STATUS, CODE, NOBODY, FULL)
QMAIL = "this is the qmail-send program"
POSTMASTER = re.compile(r"mailer-daemon|postmaster|mail delivery (sub)?system", re.IGNORECASE)
RETURNED = re.compile(r"undeliver|returned|fail|not delivered|delivery (status|error|problem)", re.IGNORECASE)
COPY_BELOW = re.compile(
    r"^-{2,} ?(below this line|this is a copy|original message|body of)", re.IGNORECASE | re.MULTILINE
)


def read(raw: bytes) -> Report | None:
    """None for what is no report, such as an answer by somebody's vacation program."""
    message = parse(raw)
    return worst(standard_reports(message)) or old_report(message)


def worst(reports: Iterator[Report]) -> Report | None:
    return max(reports, key=lambda report: WORST_LAST.index(report.fate), default=None)


def standard_reports(message: Message) -> Iterator[Report]:
    """One for each recipient."""
    for part in parts_of(message):
        if part.get_content_type() in ("message/delivery-status", "message/global-delivery-status"):
            for block in parts_of(part):
                if report := recipient_report(block):
                    yield report


def parts_of(message: Message) -> list[Message]:
    payload = message.get_payload()
    return [part for part in payload if isinstance(part, Message)] if isinstance(payload, list) else []


def recipient_report(block: Message) -> Report | None:
    action, status = field(block, "Action").lower(), field(block, "Status")
    said = re.sub(r"^[\w.-]+;\s*", "", field(block, "Diagnostic-Code"))
    why = tidy(said if STATUS.search(said) else f"{status} {said}")
    if action in ACTIONS:
        return Report(ACTIONS[action], why if ACTIONS[action] == Fate.DELAYED else "")
    return Report(severity(status, said), why) if action == "failed" or status[:1] in ("4", "5") else None


def field(block: Message, name: str) -> str:
    return " ".join(str(block.get(name, "")).split())


def old_report(message: Message) -> Report | None:
    """From the days before the standard: a letter to a person, with the reason somewhere in it."""
    text = text_of(message)
    if QMAIL in text.lower() or "X-Failed-Recipients" in message or is_from_postmaster(message):
        reason = reason_in(text)
        return Report(severity("", reason), tidy(reason)) if reason else None
    return None


def is_from_postmaster(message: Message) -> bool:
    if str(message.get("Auto-Submitted", "")).lower().startswith("auto-replied"):
        return False
    return bool(POSTMASTER.search(field(message, "From")) and RETURNED.search(field(message, "Subject")))


def text_of(message: Message) -> str:
    """The words of the server, without the copy of our mail below them."""
    first = next((part for part in message.walk() if part.get_content_type() == "text/plain"), None)
    payload = first.get_payload(decode=True) if first else None
    text = payload.decode("utf-8", "replace") if isinstance(payload, bytes) else ""
    return COPY_BELOW.split(text, maxsplit=1)[0][:LONGEST_TEXT]


def reason_in(text: str) -> str:
    """The first line that says why."""
    return next((line for line in text.splitlines() if any(sign.search(line) for sign in TELLING)), "")


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


def tidy(text: str) -> str:
    printable = "".join(letter if letter.isprintable() else " " for letter in text)
    return " ".join(printable.split())[:LONGEST_WHY]
