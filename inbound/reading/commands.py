"""The commands that a reply can contain."""

from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True)
class PlayMove:
    text: str
    turn: int | None = None
    """The turn in the command that the player copied from one of our emails."""


@dataclass(frozen=True)
class Say:
    text: str


@dataclass(frozen=True)
class Order:
    """Give standing orders, or list the existing ones if there are no lines."""

    lines: tuple[str, ...]


@dataclass(frozen=True)
class OrderOff:
    """Withdraw one standing order, or all of them if `number` is None."""

    number: int | None


@dataclass(frozen=True)
class OrderResume:
    """Resume stopped standing orders."""


@dataclass(frozen=True)
class Vacation:
    first: date
    last: date


@dataclass(frozen=True)
class VacationOff:
    """End the current vacation or cancel the next one."""


@dataclass(frozen=True)
class Back:
    """Take the seat back from a stand-in and end the current vacation."""


@dataclass(frozen=True)
class Mute:
    pass


@dataclass(frozen=True)
class MuteOff:
    pass


@dataclass(frozen=True)
class Agree:
    """Agree to the proposal in the email."""


@dataclass(frozen=True)
class Refuse:
    """Decline the proposal in the email."""


@dataclass(frozen=True)
class Propose:
    """Propose an extension, a pause, its end, a replacement, or the end of the match."""

    kind: str
    time: str = ""
    whose: str = ""
    newcomer: str = ""


@dataclass(frozen=True)
class Resign:
    pass


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
class ListMoves:
    pass


@dataclass(frozen=True)
class Rules:
    pass


@dataclass(frozen=True)
class Settings:
    """Show the player's settings, or change one of them."""

    name: str = ""
    value: str = ""


@dataclass(frozen=True)
class Unreadable:
    """A line that isn't a command, with a hint about what to write instead. If the line is empty, only the hint
    matters."""

    line: str
    hint: str
    is_about_a_move: bool = False


Command = (
    PlayMove
    | Say
    | Order
    | OrderOff
    | OrderResume
    | Vacation
    | VacationOff
    | Back
    | Agree
    | Refuse
    | Propose
    | Help
    | Board
    | Log
    | Mute
    | MuteOff
    | Unreadable
    | ListMoves
    | Rules
    | Settings
    | Resign
)

COMMANDS = (
    ("help", "show this list"),
    ("board", "show the current board"),
    ("log", "show recent events"),
    ("moves", "show all your possible moves"),
    ("rules", "show the rules of the game"),
    ("settings", "show your settings, and how to change them"),
    ("settings mail daily", "change a setting"),
    ("order", "show your standing orders, and how to give one"),
    ("order off 2", "withdraw order 2 ('order off': all)"),
    ("order resume", "resume stopped orders"),
    ("mute", "stop emails about this match"),
    ("mute off", "get emails about this match again"),
    ("vacation 2026-12-20..2027-01-05", "stop your clock on these days"),
    ("vacation off", "end your vacation early, or cancel it"),
    ("back", "take your seat back and end your vacation"),
    ("agree", "agree to the proposal in the email"),
    ("refuse", "decline the proposal in the email"),
    ("propose time 2d", "ask the others for more time"),
    ("propose pause 7d", "ask the others to stop all clocks"),
    ("propose resume", "ask the others to end the pause"),
    ("propose replacement ben emma", "offer a stand-in's seat"),
    ("propose end", "ask the others to end the match"),
    ("resign", "give up your seat for good"),
    ("say Good luck!", "send a message to the other players"),
)
