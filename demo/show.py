"""Print progress bars, a few boards and emails, and the result."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from email.message import EmailMessage
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from demo.mailbox import text_of
from demo.match import Match, done
from demo.players import Player, WithCommandLine, WithMail, WithRest

BOARDS_AT = (0.3, 0.75)
FOOTER = "\n-- \n"


class Show:
    """Shows both matches. They are played at the same time, so a lock keeps their output apart."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self._lock = threading.Lock()
        self._boards: dict[str, list[float]] = {}
        self._mailed: set[str] = set()
        self._bars: dict[str, TaskID] = {}
        self._progress = Progress(
            TextColumn("{task.description:<16}"),
            BarColumn(),
            TextColumn("{task.fields[last]}"),
            TimeElapsedColumn(),
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )

    @contextmanager
    def of(self, matches: list[Match]) -> Iterator[None]:
        for match in matches:
            self._boards[match.id] = list(BOARDS_AT)
            self._bars[match.id] = self._progress.add_task(match.game, total=1, last="")
        with self._progress:
            yield

    def say(self, text: str) -> None:
        self.console.print(text, highlight=False, markup=False, soft_wrap=True)

    def tell(self, match: Match, before: Any, player: Player, move: str) -> None:
        with self._lock:
            last = f"{player.name}: {move} ({player.way})"[:40]
            self._progress.update(self._bars[match.id], completed=done(before), last=f"{last:<40}")
            if isinstance(player, WithMail) and match.id not in self._mailed:
                self._mailed.add(match.id)
                self.mail(player.answered[match.id], player, move)
            if self._boards[match.id] and done(before) >= self._boards[match.id][0]:
                self._boards[match.id].pop(0)
                self.board(match)

    def board(self, match: Match) -> None:
        typist = next(player for player in match.players if isinstance(player, WithCommandLine))
        in_colour = self.console.is_terminal and not self.console.no_color
        seen = (typist.run_in_colour if in_colour else typist.run)("board", match.id)
        self.headed(f"$ turnpost board {match.id}", Text.from_ansi(seen.strip("\n")))

    def mail(self, mail: EmailMessage, player: Player, move: str) -> None:
        shown = f"To: {mail['To']}\nSubject: {mail['Subject']}\n\n{text_of(mail).partition(FOOTER)[0]}"
        self.headed("An email", Text(shown.rstrip()))
        self.say(f"{player.name} replied with one line: {move}\n")

    def headed(self, title: str, content: Text) -> None:
        self.console.print(Text(title, "bold"), content, "", sep="\n", soft_wrap=True)

    def result(self, matches: list[Match], mails: int, seconds: float) -> None:
        ways = [WithCommandLine.way, WithRest.way, WithMail.way]
        table = Table("match", "result", *(f"by {way}" for way in ways))
        for match in matches:
            table.add_row(match.game, ranking(match.look()), *(str(match.moves[way]) for way in ways))
        self.console.print(table)
        self.say(f"{mails} emails were sent in {seconds:.0f} seconds. The demo left nothing behind on this machine.")


def ranking(match: Any) -> str:
    seats = sorted(match["seats"], key=lambda seat: (seat["place"], seat["seat"]))
    return ", ".join(f"{seat['player']['username']} {seat['points']}" for seat in seats)
