"""Turn a raw reply into the lines that a person wrote, or into the reason why it is automated mail.

This package knows nothing about matches or moves. When in doubt, it leaves a line out, because a quoted line must never
be read as a command.
"""

import logging
import re
from dataclasses import dataclass
from email.message import Message

from inbound.parsing import headers
from inbound.parsing.bodies import Body, body_of
from inbound.parsing.headers import why_automatic
from inbound.parsing.lines import MOST_RESTS, UNPROVEN, Text, spaced, tidy, unfold, unwrap
from inbound.parsing.markup import as_text
from inbound.parsing.quotes import written
from inbound.parsing.safe_mime import parse, parse_headers

logger = logging.getLogger(__name__)

WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Reply:
    sender: str = ""
    """The From address in lower case. It is empty if there is none, or more than one."""
    lines: tuple[str, ...] = ()
    """The person's own text, without quotes, signatures or empty lines."""
    unproven: frozenset[str] = frozenset()
    """The `lines` that the person might not have seen, because the email's HTML might hide them."""
    rests: tuple[str, ...] = ()
    """Lines that a mail program seems to have split off from the line above. Each has been joined to it in `lines`."""
    automatic: str = ""
    """The reason why this is automated mail, such as "auto-submitted". It is empty if a person wrote the email."""
    attachments: int = 0
    subject: str = ""


def read(raw: bytes, envelope_from: str | None = None) -> Reply:
    """Parse a reply.

    This never raises an exception: the result for an unreadable email has no lines. `envelope_from` is None if the
    envelope is unknown.
    """
    try:
        message = parse(raw)
        body = body_of(message)
        text = text_of(body)
        lines = tidy(text.lines)
        return Reply(
            sender=headers.sender(message),
            subject=headers.value(message, "Subject")[: headers.LONGEST_SUBJECT],
            lines=tuple(map(without_mark, lines)),
            unproven=frozenset(without_mark(line) for line in lines if UNPROVEN in line),
            rests=tidy(text.rests, MOST_RESTS),
            automatic=why_automatic(message, envelope_from),
            attachments=body.attachments,
        )
    except Exception:
        logger.exception("Could not parse a message")
        return Reply(automatic=why_automatic(Message(), envelope_from))


def recipients(raw: bytes) -> tuple[str, ...]:
    """Return the recipients in the headers, for sources without an envelope. This never raises an exception."""
    try:
        return headers.recipients(parse_headers(raw))
    except Exception:
        logger.exception("Could not parse the headers of a message")
        return ()


def text_of(body: Body) -> Text:
    """Return the lines of the body.

    If the email has both text and HTML, only lines in both count, because many programs mark quotes correctly in only
    one of them.
    """
    page = as_text(body.html)
    in_html = [UNPROVEN + line if page.is_doubtful and line.strip() else line for line in written(page.lines)]
    if not body.text.strip():
        return Text(in_html, page.rests)
    in_text = own_text(body, set(map(spaced, in_html)))
    return in_text if not body.html.strip() else Text(in_both(in_text.lines, in_html), in_text.rests)


def without_mark(line: str) -> str:
    return " ".join(line.replace(UNPROVEN, "").split())


def own_text(body: Body, known: set[str]) -> Text:
    unfolded = unfold(body.text, body.flowed)
    own = written(unfolded.lines)
    unwrapped = Text(own) if body.flowed else unwrap(own, known)
    return Text(unwrapped.lines, unfolded.rests + unwrapped.rests)


def in_both(in_text: list[str], in_html: list[str]) -> list[str]:
    """Return the lines of the text that are also in the HTML.

    A line is marked as unproven if the HTML may hide it, or contains it only as part of a longer line.
    """
    shown = {words(line) for line in in_html if UNPROVEN not in line}
    whole = words(" ".join(in_html))
    return [line if words(line) in shown else f"{UNPROVEN}{line}" if words(line) in whole else "" for line in in_text]


def words(text: str) -> str:
    """Return only the letters and digits, because text and HTML often differ in other characters."""
    return f" {' '.join(WORD.findall(text.casefold()))} "
