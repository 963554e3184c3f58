"""A reply as it came off the wire becomes what a person wrote, or the reason why no person did.

Nothing here decides: it neither knows matches nor moves. What is doubtful is left out, for a line that was only
quoted must never be taken for a command.
"""

import logging
import re
from dataclasses import dataclass
from email.message import Message

from inbound.parsing import headers
from inbound.parsing.bodies import Body, body_of
from inbound.parsing.headers import why_automatic
from inbound.parsing.lines import MOST_RESTS, Text, spaced, tidy, unfold, unwrap
from inbound.parsing.markup import as_text
from inbound.parsing.quotes import written
from inbound.parsing.safe_mime import parse, parse_headers

logger = logging.getLogger(__name__)

WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Reply:
    sender: str = ""
    """The From address in lower case; empty where there is none, or more than one."""
    lines: tuple[str, ...] = ()
    """What the person wrote, without quotes, signature and empty lines."""
    rests: tuple[str, ...] = ()
    """Lines that a mail program seems to have broken off, and that are now the end of one of the lines."""
    automatic: str = ""
    """Why it is no person's mail, like "auto-submitted"; or nothing."""
    attachments: int = 0


def read(raw: bytes, envelope_from: str | None = None) -> Reply:
    """Never raises: what cannot be read has no lines. `envelope_from` is None where the envelope is not known."""
    try:
        message = parse(raw)
        body = body_of(message)
        text = text_of(body)
        return Reply(
            sender=headers.sender(message),
            lines=tidy(text.lines),
            rests=tidy(text.rests, MOST_RESTS),
            automatic=why_automatic(message, envelope_from),
            attachments=body.attachments,
        )
    except Exception:
        logger.exception("A mail could not be read")
        return Reply(automatic=why_automatic(Message(), envelope_from))


def recipients(raw: bytes) -> tuple[str, ...]:
    """Where a mail went as far as its headers tell, for those who bring it without its envelope. Never raises."""
    try:
        return headers.recipients(parse_headers(raw))
    except Exception:
        logger.exception("The headers of a mail could not be read")
        return ()


def text_of(body: Body) -> Text:
    """Where a mail says the same in text and in HTML, only what is written in both counts: programs mark quotes
    in one better than in the other."""
    page = as_text(body.html)
    in_html = written(page.lines)
    if not body.text.strip():
        return Text(in_html, page.rests)
    in_text = own_text(body, set(map(spaced, in_html)))
    return in_text if not body.html.strip() else Text(in_both(in_text.lines, in_html), in_text.rests)


def own_text(body: Body, known: set[str]) -> Text:
    unfolded = unfold(body.text, body.flowed)
    own = written(unfolded.lines)
    unwrapped = Text(own) if body.flowed else unwrap(own, known)
    return Text(unwrapped.lines, unfolded.rests + unwrapped.rests)


def in_both(in_text: list[str], in_html: list[str]) -> list[str]:
    whole = words(" ".join(in_html))
    return [line if words(line) in whole else "" for line in in_text]


def words(text: str) -> str:
    """Only letters and digits: programs differ in what they make of other signs."""
    return f" {' '.join(WORD.findall(text.casefold()))} "
