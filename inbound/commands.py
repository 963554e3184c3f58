"""Read the commands in a reply: moves in the engine's notation, and a few commands of our own.

Reading stops at the first line that isn't a command, so a greeting below a move does no harm. If even the first line
isn't a command, it is reported to the player.
"""

import re
from collections.abc import Callable, Collection, Sequence
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
    """End the current vacation or cancel the next one."""


@dataclass(frozen=True)
class Back:
    """Take the seat back from a stand-in and end the current vacation."""


@dataclass(frozen=True)
class Agree:
    """Agree to the proposal in the email."""


@dataclass(frozen=True)
class Refuse:
    """Decline the proposal in the email."""


@dataclass(frozen=True)
class Unreadable:
    """A line that isn't a command, with a hint about what to write instead."""

    line: str
    hint: str


Command = (
    PlayMove | Say | Vacation | VacationOff | Back | Agree | Refuse | Help | Board | Log | Mute | MuteOff | Unreadable
)

COMMANDS = (
    ("help", "this list"),
    ("board", "the current board"),
    ("log", "recent events"),
    ("mute", "stop emails about this match"),
    ("mute off", "get emails about this match again"),
    ("vacation 2026-12-20..2027-01-05", "stop your clock on these days"),
    ("vacation off", "end your vacation early, or cancel it"),
    ("back", "take your seat back and end your vacation"),
    ("agree", "agree to the proposal in the email"),
    ("refuse", "decline the proposal in the email"),
    ("say Good luck!", "send a message to the other players"),
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
VACATION_HINT = "Write the first and last day, for example: vacation 2026-12-20..2027-01-05"
SAY_HINT = "Put your message after 'say', for example: say Good luck!"
APART_HINT = (
    "The line below your message looks like a command, and your mail program may have joined the two. "
    "Nothing was sent or played. Put an empty line between them and try again."
)
HIDDEN_HINT = (
    "The formatting of your email may hide that line, so we didn't act on it. "
    "Write it again without formatting, or send your email as plain text."
)

# Full-width letters and digits, as typed on East Asian keyboards. Other look-alike characters are not accepted.
NARROW = {ord(sign) + 0xFEE0: sign for sign in ascii_letters + digits}
# Typographic characters that mail programs insert while the player types.
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


def read(
    lines: Sequence[str], engine: AnyEngine, rests: Sequence[str] = (), unproven: Collection[str] = ()
) -> tuple[Command, ...]:
    """Return the commands at the top of a reply, in order. The result is empty only if there are no lines at all.

    A command among the `unproven` lines may be hidden from its sender, so it is reported instead.

    `rests` are lines that were joined to the line above because a mail program may have wrapped it. If one of them
    might be a command on its own line, nothing is posted or played, because it could be a sealed move.
    """
    commands = read_lines(lines, engine, unproven)
    ambiguous = [
        command for command in commands if isinstance(command, Say) and swallows_a_command(command.text, rests, engine)
    ]
    return (Unreadable(ambiguous[0].text, APART_HINT),) if ambiguous else commands


def read_lines(lines: Sequence[str], engine: AnyEngine, unproven: Collection[str]) -> tuple[Command, ...]:
    commands: list[Command] = []
    for line in without_salutation(lines)[:MOST_COMMANDS]:
        command = read_line(line, engine)
        if command is None:
            return tuple(commands) or (Unreadable(line, hint(engine)),)
        commands.append(Unreadable(line, HIDDEN_HINT) if line in unproven else command)
        if isinstance(commands[-1], Unreadable):
            break
    return tuple(commands)


def swallows_a_command(said: str, rests: Sequence[str], engine: AnyEngine) -> bool:
    return any(may_be_a_command(rest, engine) for rest in rests if rest in said)


def may_be_a_command(line: str, engine: AnyEngine) -> bool:
    """Return whether a line may be a command. A move with a typo counts, because it is just as secret."""
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
        return Say(said["text"]) if said["text"] else Unreadable(line, SAY_HINT)
    text = plain(line)
    if make := FIXED.get(text.lower().rstrip(" ?")):
        return make()
    if days := VACATION.fullmatch(text):
        return read_vacation(line, days["days"])
    return PlayMove(text) if is_move(text, engine) else None


def plain(line: str) -> str:
    """Reduce a line to what one would type in a shell: plain characters, no bullet, no quotes around it, no final
    period."""
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
    return f"{engine.notation_hint()} Or use a command: {listing([example for example, _ in COMMANDS], 'or')}."
