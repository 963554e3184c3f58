"""Find the lines of a reply that its author wrote.

Lines that may be quoted are left out. If it is unclear where a quotation ends, everything after its start is left out.
"""

import re
from collections.abc import Sequence

from inbound.parsing import phrases
from inbound.parsing.lines import is_broken
from notifications.letters.blocks import ANSWER_ABOVE

QUOTED = re.compile(r"\s*(?:[^\W\d_]{0,12}>|[|¦»›}]|:\s)")
ROW_OF_SIGNS = re.compile(r"\s*(?:[-_=*#~.—–─━]\s?){5,}\s*")
SIGNATURE_MARK = re.compile(r"\s*(?:--|—|–)\s*")
DASHES = "-=_—–─━"
ADDRESS = re.compile(r"[^\s@]@[^\s@]")
DATE_OR_NAME = re.compile(r"\d{1,2}[:.]\d{2}|\d{4}|turnpost", re.IGNORECASE)
SAYS = re.compile(r"\s*say\b", re.IGNORECASE)
PGP_SIGNED = "-----BEGIN PGP SIGNED MESSAGE-----"
PGP_ESCAPE = "- "

MOST_LINES = 2000
LONGEST_LINE = 1000
"""The number of characters of a line that are examined."""
NARROWEST_QUOTE = 30
"""The length above which a quoted line may continue on the next line without a quote mark."""
LONGEST_INTRODUCTION = 4
HEADERS_STAND_WITHIN = 4


def written(lines: Sequence[str]) -> list[str]:
    """Return the author's own lines.

    Other lines are replaced with empty ones, so that separate paragraphs stay separate.
    """
    lines, kept, at = without_pgp(lines[:MOST_LINES]), list[str](), 0
    while at < len(lines) and not ends_here(lines, at):
        length = quotation(lines, at)
        kept += [""] * length or [lines[at]]
        at += length or 1
    return kept


def without_pgp(lines: Sequence[str]) -> Sequence[str]:
    """Return the signed text if the whole email is signed.

    The signature starts with dashes, which would otherwise end the reply.
    """
    first = next((at for at, line in enumerate(lines) if line.strip()), 0)
    if not lines or lines[first].strip() != PGP_SIGNED:
        return lines
    start = next((at for at in range(first, len(lines)) if not lines[at].strip()), len(lines))
    return [line.removeprefix(PGP_ESCAPE) for line in lines[start:]]


def quotation(lines: Sequence[str], at: int) -> int:
    """Return the number of quoted lines that start here, including the line that introduces them."""
    start = end = skip_blank(lines, at + introduction(lines, at))
    while end < len(lines) and (is_quoted(lines[end]) or (end > start and goes_on(lines, end))):
        end += 1
    return end - at if end > start else 0


def is_quoted(line: str) -> bool:
    return QUOTED.match(line) is not None


def goes_on(lines: Sequence[str], at: int) -> bool:
    """Return whether this may be the rest of the quoted line above, which was wrapped without a quote mark."""
    return is_broken(lines[at - 1], lines[at], NARROWEST_QUOTE)


def skip_blank(lines: Sequence[str], at: int) -> int:
    while at < len(lines) and not lines[at].strip():
        at += 1
    return at


def introduction(lines: Sequence[str], at: int) -> int:
    """Return the number of lines in an introduction such as "On Monday Ann wrote:" that starts here, or 0 if there is
    none."""
    if says_who_wrote(lines[at].strip()[:LONGEST_LINE]) or is_above_a_quotation(lines, at):
        return 1
    joined = ""
    for length, line in enumerate(lines[at : at + LONGEST_INTRODUCTION], 1):
        joined = f"{joined} {line.strip()}"[:LONGEST_LINE].strip()
        if not line.strip():
            return 0
        if ends_in_colon(joined) and phrases.WRAPPED_INTRODUCTION.fullmatch(joined):
            return length
    return 0


def is_above_a_quotation(lines: Sequence[str], at: int) -> bool:
    """Recognize an introduction in any language by its date or our name, its colon, and the quotation below it."""
    line, below = lines[at].strip()[:LONGEST_LINE], skip_blank(lines, at + 1)
    if not (ends_in_colon(line) and DATE_OR_NAME.search(line)) or SAYS.match(line):
        return False
    return below < len(lines) and is_quoted(lines[below])


def says_who_wrote(line: str) -> bool:
    """Recognize an introduction by its wording in a known language, or by an email address in it."""
    if not ends_in_colon(line) or SAYS.match(line):
        return False
    return ADDRESS.search(line) is not None or phrases.INTRODUCTION.fullmatch(line) is not None


def ends_in_colon(line: str) -> bool:
    return line.endswith((":", "："))


def ends_here(lines: Sequence[str], at: int) -> bool:
    """Return whether the author's own text ends above this line."""
    line = lines[at].strip()[:LONGEST_LINE]
    if not line or is_quoted(line):
        return False
    if introduction(lines, at):
        return quotation(lines, at) == 0
    return is_divider(line) or is_signature(line) or is_header(lines, at)


def is_divider(line: str) -> bool:
    if ANSWER_ABOVE in line or ROW_OF_SIGNS.fullmatch(line) or phrases.FORWARDED.fullmatch(line):
        return True
    return len(line) > 6 and all(sign in DASHES for sign in line[:3] + line[-3:])


def is_signature(line: str) -> bool:
    return bool(SIGNATURE_MARK.fullmatch(line) or phrases.SIGNATURE.match(line))


def is_header(lines: Sequence[str], at: int) -> bool:
    """Return whether this is a quoted header, such as From, Sent, To or Subject.

    Lines with an email address count, too, because no command contains one.
    """
    if ADDRESS.search(lines[at][:LONGEST_LINE]) and not SAYS.match(lines[at]):
        return True
    below = lines[at + 1 : at + HEADERS_STAND_WITHIN]
    return is_header_line(lines[at]) and any(map(is_header_line, below))


def is_header_line(line: str) -> bool:
    return phrases.HEADER.match(line[:LONGEST_LINE]) is not None
