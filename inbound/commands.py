"""The commands in a reply: moves in the engine's notation, and a few words of our own.

Reading stops at the first line that is no command, so that a greeting below a move does no harm; but where nothing was
understood, the line that was not is reported.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from string import ascii_letters, digits

from games.engine.errors import MalformedMove
from games.engine.registry import AnyEngine
from games.engine.text import listing


@dataclass(frozen=True)
class PlayMove:
    text: str


@dataclass(frozen=True)
class Say:
    text: str


@dataclass(frozen=True)
class Vacation:
    first: date
    last: date


@dataclass(frozen=True)
class Help:
    pass


@dataclass(frozen=True)
class Board:
    pass


@dataclass(frozen=True)
class Log:
    pass


@dataclass(frozen=True)
class Mute:
    pass


@dataclass(frozen=True)
class MuteOff:
    pass


@dataclass(frozen=True)
class VacationOff:
    """Ends the one that lasts, or else takes back the next."""


@dataclass(frozen=True)
class Back:
    """Ends the one that lasts, and no other; and takes the seat back from a stand-in."""


@dataclass(frozen=True)
class Agree:
    """To the proposal that the mail is about, as is the next."""


@dataclass(frozen=True)
class Refuse:
    pass


@dataclass(frozen=True)
class Unreadable:
    """A line that should have been a command, and what could have been written instead."""

    line: str
    hint: str


Command = (
    PlayMove | Say | Vacation | VacationOff | Back | Agree | Refuse | Help | Board | Log | Mute | MuteOff | Unreadable
)

COMMANDS = (
    ("help", "this list"),
    ("board", "the board as it is now"),
    ("log", "what happened last"),
    ("mute", "no more mail about this match"),
    ("mute off", "mail about this match again"),
    ("vacation 2026-12-20..2027-01-05", "days on which your clock rests"),
    ("vacation off", "you are back early, or do not go at all"),
    ("back", "no more stand-in here, no more vacation"),
    ("agree", "yes to what the mail proposes"),
    ("refuse", "no to what the mail proposes"),
    ("say Good luck!", "tell the others something"),
)
FIXED: dict[str, Callable[[], Command]] = {
    "help": Help,
    "board": Board,
    "log": Log,
    "mute": Mute,
    "mute off": MuteOff,
    "unmute": MuteOff,
    "vacation off": VacationOff,
    "back": Back,
    "i'm back": Back,
    "agree": Agree,
    "refuse": Refuse,
}
MOST_COMMANDS = 20

SAY = re.compile(r"[\"'“„«*]?say\b\s*[:,]?\s*(?P<text>.*)", re.IGNORECASE)
VACATION = re.compile(r"vacation\b\s*:?\s*(?P<days>.*)", re.IGNORECASE)
DAY = r"(\d{4}-\d{1,2}-\d{1,2})"
DAYS = re.compile(rf"(?:from )?{DAY}(?: ?(?:\.\.+|-+|/|to|till|until|bis|au|al|até) ?{DAY})?", re.IGNORECASE)
VACATION_HINT = "Write 'vacation 2026-12-20..2027-01-05': the first and the last day."
APART_HINT = (
    "The line below what you say looks like a command of its own, and your mail program may have joined the two. "
    "Nothing was said and nothing was done: put an empty line between them."
)

# Wide letters and digits, as keyboards in East Asia write them. No other sign that resembles one is taken for it.
NARROW = {ord(sign) + 0xFEE0: sign for sign in ascii_letters + digits}
# What mail programs make of plain signs while one types.
PLAIN_SIGNS = NARROW | str.maketrans({
    "‐": "-", "‑": "-", "‒": "-", "–": "-", "—": "-", "−": "-", "…": "...", "“": '"', "”": '"', "„": '"', "«": '"',
    "»": '"', "‘": "'", "’": "'", "‚": "'", "´": "'", "`": "'",
})  # fmt: skip
AROUND = " \"'*_"
BULLET = re.compile(r"(?:[-*•·] +|\d{1,2}[.)] +)(?=[a-zA-Z])")
SALUTATION = re.compile(
    r"(?:hi|hello|hey|dear|good (?:morning|afternoon|evening)|hallo|guten (?:morgen|tag|abend)|moin|servus|liebe[rs]?|"
    r"bonjour|bonsoir|salut|cher|chère|ciao|buon ?giorno|buonasera|salve|caro|cara|olá|oi|bom dia|boa (?:tarde|noite))"
    r"(?:[ ,]+[\w.'-]+){0,3} *[,.!:]*",
    re.IGNORECASE,
)


def read(lines: Sequence[str], engine: AnyEngine, rests: Sequence[str] = ()) -> tuple[Command, ...]:
    """The commands at the top of a reply, from top to bottom; empty only if there are no lines at all.

    A mail program may have broken a line off, and its rest is at its end again. Where that may have been a command of
    its own, above all a sealed one, nobody is told and nothing is done."""
    commands = read_lines(lines, engine)
    blurted = [
        command for command in commands if isinstance(command, Say) and swallows_a_command(command.text, rests, engine)
    ]
    return (Unreadable(blurted[0].text, APART_HINT),) if blurted else commands


def read_lines(lines: Sequence[str], engine: AnyEngine) -> tuple[Command, ...]:
    commands: list[Command] = []
    for line in without_salutation(lines)[:MOST_COMMANDS]:
        command = read_line(line, engine)
        if command is None:
            return tuple(commands) or (Unreadable(line, hint(engine)),)
        commands.append(command)
        if isinstance(command, Unreadable):
            break
    return tuple(commands)


def swallows_a_command(said: str, rests: Sequence[str], engine: AnyEngine) -> bool:
    return any(may_be_a_command(rest, engine) for rest in rests if rest in said)


def may_be_a_command(line: str, engine: AnyEngine) -> bool:
    """A move with a slip of the pen in it is as secret as one without."""
    command = read_line(line, engine)
    if command is None:
        words = plain(line).lower().split()
        return bool(words) and words[0] in verbs(engine) and any(map(str.isdigit, line))
    return not isinstance(command, Say | Unreadable)


def verbs(engine: AnyEngine) -> set[str]:
    return {example.split()[0] for example, _ in engine.notation_help}


def without_salutation(lines: Sequence[str]) -> Sequence[str]:
    return lines[1:] if len(lines) > 1 and SALUTATION.fullmatch(lines[0]) else lines


def read_line(line: str, engine: AnyEngine) -> Command | None:
    if said := SAY.fullmatch(line):
        return Say(said["text"]) if said["text"] else Unreadable(line, "Write what you want to say behind 'say'.")
    text = plain(line)
    if make := FIXED.get(text.lower().rstrip(" ?")):
        return make()
    if days := VACATION.fullmatch(text):
        return read_vacation(line, days["days"])
    return PlayMove(text) if is_move(text, engine) else None


def plain(line: str) -> str:
    """The line as it would be typed in a shell: no typographic signs, nothing around it, no full stop at its end."""
    signs = BULLET.sub("", line.translate(PLAIN_SIGNS), count=1)
    return " ".join(signs.split()).strip(AROUND).rstrip(" .!;," + AROUND)


def read_vacation(line: str, days: str) -> Command:
    found = DAYS.fullmatch(days)
    try:
        first, last = (day(found[1]), day(found[2] or found[1])) if found else (date.max, date.min)
    except ValueError:
        return Unreadable(line, VACATION_HINT)
    return Vacation(first, last) if first <= last else Unreadable(line, VACATION_HINT)


def day(written: str) -> date:
    year, month, number = map(int, written.split("-"))
    return date(year, month, number)


def is_move(text: str, engine: AnyEngine) -> bool:
    try:
        engine.parse(text)
    except MalformedMove:
        return False
    return True


def hint(engine: AnyEngine) -> str:
    return f"{engine.notation_hint()} Or one of these: {listing([example for example, _ in COMMANDS], 'or')}."
