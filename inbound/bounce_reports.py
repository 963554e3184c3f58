"""Parse delivery reports about our emails, both in the standard format (RFC 3464) and in those of older servers."""

import re
from collections.abc import Iterator
from email.message import Message

from inbound.parsing.safe_mime import parse
from notifications.smtp_replies import MailOutcome, Report, has_status, says_why, severity, tidy

WORST_LAST = list(MailOutcome)
LONGEST_TEXT = 5000
ACTIONS = {
    "delivered": MailOutcome.DELIVERED,
    "relayed": MailOutcome.DELIVERED,
    "expanded": MailOutcome.DELIVERED,
    "delayed": MailOutcome.DELAYED,
}
QMAIL = "this is the qmail-send program"
POSTMASTER = re.compile(r"mailer-daemon|postmaster|mail delivery (sub)?system", re.IGNORECASE)
RETURNED = re.compile(r"undeliver|returned|fail|not delivered|delivery (status|error|problem)", re.IGNORECASE)
COPY_BELOW = re.compile(
    r"^-{2,} ?(below this line|this is a copy|original message|body of)", re.IGNORECASE | re.MULTILINE
)


def read(raw: bytes) -> Report | None:
    """Parse a report. Return None for other mail, such as an automatic vacation reply."""
    message = parse(raw)
    return worst(standard_reports(message)) or old_report(message)


def worst(reports: Iterator[Report]) -> Report | None:
    return max(reports, key=lambda report: WORST_LAST.index(report.outcome), default=None)


def standard_reports(message: Message) -> Iterator[Report]:
    """Return one report for each recipient."""
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
    why = tidy(said if has_status(said) else f"{status} {said}")
    if action in ACTIONS:
        return Report(ACTIONS[action], why if ACTIONS[action] == MailOutcome.DELAYED else "")
    return Report(severity(status, said), why) if action == "failed" or status[:1] in ("4", "5") else None


def field(block: Message, name: str) -> str:
    return " ".join(str(block.get(name, "")).split())


def old_report(message: Message) -> Report | None:
    """Parse a report in the old style, which is prose that contains the reason somewhere."""
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
    """Return the server's own text, without the copy of our email below it."""
    first = next((part for part in message.walk() if part.get_content_type() == "text/plain"), None)
    payload = first.get_payload(decode=True) if first else None
    text = payload.decode("utf-8", "replace") if isinstance(payload, bytes) else ""
    return COPY_BELOW.split(text, maxsplit=1)[0][:LONGEST_TEXT]


def reason_in(text: str) -> str:
    """Return the first line that gives a reason."""
    return next(filter(says_why, text.splitlines()), "")
