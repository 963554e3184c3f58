"""Restore lines as they were typed, before a mail program wrapped them, and make them safe to show."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from unicodedata import category

NARROWEST = 70
"""The length below which common mail programs don't wrap lines."""


@dataclass(frozen=True)
class Text:
    lines: list[str] = field(default_factory=list)
    rests: list[str] = field(default_factory=list)
    """Lines that were joined to the line above, although the author may have started a new line there."""
    is_doubtful: bool = False
    """Whether something in the email may cover some of its lines."""


def unfold(text: str, flowed: str) -> Text:
    """Split text into lines at CRLF and LF only.

    Other separators might be inside a quoted line, and the text after them would look like the player's own.
    """
    lines = text.replace("\r\n", "\n").split("\n")
    rests = [rest for line in lines for rest in line.splitlines()[1:]]
    plain = [line.replace("\r", " ") for line in lines]
    unflowed = unflow(plain, delete_space=flowed == "delsp") if flowed else Text(plain)
    return Text(unflowed.lines, rests + unflowed.rests)


def unflow(lines: Sequence[str], delete_space: bool) -> Text:
    """Join flowed lines (RFC 3676).

    A line that ends in a space continues on the next line with the same quote depth.
    """
    whole: list[str] = []
    rests: list[str] = []
    goes_on_at = -1
    for line in lines:
        depth = len(line) - len(line.lstrip(">"))
        content = line[depth:].removeprefix(" ")
        if depth == goes_on_at and content != "-- ":
            whole[-1] += content
            rests += [] if depth else [content]
        else:
            whole.append(f"{'>' * depth} {content}" if depth else content)
        flows = content.endswith(" ") and content != "-- "
        goes_on_at = depth if flows else -1
        if flows and delete_space:
            whole[-1] = whole[-1][:-1]
    return Text(whole, rests)


def unwrap(lines: Sequence[str], known: Collection[str]) -> Text:
    """Join lines that a mail program wrapped.

    The `known` lines stay separate, because they are separate in the HTML part.
    """
    whole: list[str] = []
    rests: list[str] = []
    last = ""
    for line in lines:
        if is_broken(last, line, NARROWEST) and (spaced(line) not in known or spaced(f"{whole[-1]} {line}") in known):
            whole[-1] += " " + line.strip()
            rests.append(line)
        else:
            whole.append(line)
        last = line
    return Text(whole, rests)


def spaced(line: str) -> str:
    return " ".join(line.split())


def is_broken(line: str, following: str, narrowest: int) -> bool:
    """Return whether the next line may continue this one, because its first word would not have fit here."""
    words = following.split(maxsplit=1)
    return bool(line.strip() and words) and len(line.rstrip()) + 1 + len(words[0]) > narrowest


MOST_LINES = 40
MOST_RESTS = 2000
LONGEST_LINE = 2100
"""The length at which lines are cut off. This is above the chat message limit, so a message that is too long is refused
with a reason rather than silently truncated."""
UNPROVEN = "\ue000"
"""Marks text that the reader of an HTML email may not see. Nobody types this character."""
JOINERS = "\u200c\u200d"
SPACES = {"Zs", "Zl", "Zp", "Cc"}
UNSEEN = {"Cf", "Co", "Cs", "Cn"}


def tidy(lines: Iterable[str], most: int = MOST_LINES) -> tuple[str, ...]:
    tidied = (" ".join(clean(line[: 2 * LONGEST_LINE]).split())[:LONGEST_LINE].strip() for line in lines)
    return tuple(islice((line for line in tidied if line.strip(JOINERS + UNPROVEN)), most))


def clean(line: str) -> str:
    return "".join(map(visible, line))


def visible(sign: str) -> str:
    """Replace any kind of space with a plain one, and remove invisible characters such as direction marks."""
    kind = category(sign)
    if kind in SPACES:
        return " "
    return "" if kind in UNSEEN and sign not in (*JOINERS, UNPROVEN) else sign
