"""Render a letter as plain text, at most 78 columns wide. Only addresses may be longer, so that they work."""

import re
from collections.abc import Iterator, Sequence
from textwrap import TextWrapper, indent, wrap

from games.engine.board_text import board_text
from games.engine.text import width
from notifications.letters.blocks import (
    NO_BREAK,
    Block,
    Code,
    EventList,
    Letter,
    Link,
    Offers,
    Picture,
    Quote,
    Scores,
    Words,
    unbroken,
)

COLUMNS = 78
# Matches quoted text that is meant to be typed literally. A quotation mark never follows a letter; an apostrophe does.
QUOTED = re.compile(r"""(?<!\w)(['"])\w[^'"]*\1(?!\w)""")
BELOW = " " * 6


def as_text(letter: Letter) -> str:
    above = [letter.above] if letter.above else []
    parts = [*above, letter.greeting, *(write(block) for block in letter.blocks)]
    footer = "\n".join(["-- ", *(write(block) for block in letter.footer)]) if letter.footer else ""
    return "\n\n".join([*parts, *([footer] if footer else [])]) + "\n"


def write(block: Block) -> str:
    match block:
        case Words(text=text):
            return fill(text)
        case Link(label=label, url=url):
            return f"{label}: {url}"
        case Code(label=label, code=code):
            return f"{label}:\n\n    {code}"
        case Quote(author=author, text=text):
            return f"{author}:\n" + "\n".join(quoted(text))
        case EventList(title=title, told=told):
            return headed(title, "\n".join(line for words in told for line in bullet(words)))
        case Picture(title=title, board=board):
            return headed(title, board_text(board).rstrip("\n"))
        case Offers():
            return headed(block.title, "\n".join(offer_lines(block)))
        case Scores(title=title, heads=heads, rows=rows):
            return headed(title, "\n".join(columns([heads, *rows])))


def fill(text: str) -> str:
    return "\n".join(lines_of(text))


def lines_of(text: str, first: str = "", below: str = "") -> Iterator[str]:
    if len(first) + len(text) <= COLUMNS and text.isprintable() and text == text.strip():
        yield first + text
        return
    kept_whole = QUOTED.sub(lambda quoted: unbroken(quoted[0]), text)
    wrapper = TextWrapper(COLUMNS, first, below, break_on_hyphens=False, break_long_words=False)
    for line in wrapper.wrap(kept_whole):
        yield line.replace(NO_BREAK, " ")


def headed(title: str, body: str) -> str:
    return body if not title else f"{title}\n{'-' * len(title)}\n{body}"


def bullet(words: str) -> Iterator[str]:
    """Wrap a sentence as a list item with a dash. The lines of a breakdown below it are wrapped only if they are too
    long.
    """
    first, *rest = words.splitlines() or [""]
    yield from lines_of(first, "- ", "  ")
    for line in rest:
        is_short = width(line) + 2 <= COLUMNS
        yield from [indent(line, "  ")] if is_short else lines_of(line.strip(), "    ", BELOW)


def quoted(text: str) -> Iterator[str]:
    for line in text.splitlines():
        yield from (f"> {part}" for part in wrap(line, COLUMNS - 2) or [""])


def offer_lines(offers: Offers) -> Iterator[str]:
    longest = max((len(offer.notation) for offer in offers.offers), default=0)
    for offer in offers.offers:
        beside = f"  {offer.notation:<{longest}}    {offer.command}".rstrip()
        if len(beside) <= COLUMNS:
            yield beside
        else:
            yield f"  {offer.notation}"
            yield from lines_of(offer.command, BELOW, BELOW)
    if offers.hint:
        yield fill(offers.hint)


def columns(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    widths = [max(map(width, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        gaps = [" " * (room - width(cell)) for cell, room in zip(row, widths, strict=True)]
        cells = [row[0] + gaps[0], *(gap + cell for cell, gap in zip(row[1:], gaps[1:], strict=True))]
        yield "  " + "  ".join(cells).rstrip()
