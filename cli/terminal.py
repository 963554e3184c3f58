"""Draw in the terminal: in place if possible, with a pager for long text, and with progress bars."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from cli.session import Session, keyboard, typeable

CLEAR_SCREEN = "\x1b[H\x1b[2J"
ENTER_FULL_SCREEN, LEAVE_FULL_SCREEN = "\x1b[?1049h", "\x1b[?1049l"
PAGER_PROMPT = "?eThis is the end\\. Press q to go back:Press Space for more, or q to go back."
"""What less shows in the last line: the first part at the end of the text, and the second part elsewhere."""
PAGER_PROMPTS = " ".join(f"-P{length}{PAGER_PROMPT}$" for length in "smM")
PAGER_OPTIONS = "-FRX"
"""Tells less to keep the colors, and to exit if the text fits on the screen."""
BELL = "\a"
NO_DRAWING = ("", "dumb", "unknown")

Advance = Callable[[int, int | None], None]
"""Called with the amount done, and with the total if it is known."""


def draws_in_place(session: Session) -> bool:
    return session.interactive and session.style.drawn and os.environ.get("TERM", "") not in NO_DRAWING


@contextmanager
def full_screen(session: Session) -> Iterator[None]:
    """Play on the terminal's second screen, so that earlier output is still there afterwards.

    What the player types while no prompt is open is not shown, because it would move the board.
    """
    if session.is_full_screen or not draws_in_place(session):
        yield
        return
    write(ENTER_FULL_SCREEN)
    session.is_full_screen = True
    try:
        with keyboard(is_echoed=False):
            yield
    finally:
        session.is_full_screen = False
        write(LEAVE_FULL_SCREEN)


def display(session: Session, text: str) -> None:
    """Replace the previous text with this text. If that isn't possible, show it below."""
    shown = typeable(text, session.profile_name)
    write(f"{CLEAR_SCREEN}{shown}\n" if session.is_full_screen else f"\n{shown}\n")


def is_too_long(session: Session, text: str) -> bool:
    return draws_in_place(session) and text.count("\n") + 2 > session.style.height


def show_in_pager(text: str, *, from_end: bool = False) -> None:
    """Show the text in the player's pager. If the pager is less, it can start at the end.

    It keeps the player's own options, but what they type by mistake cannot save a file or run a program.
    """
    import pydoc

    options = os.environ.get("LESS", PAGER_OPTIONS)
    start = "+G$ " if from_end else ""
    with changed_environment(LESS=f"{PAGER_PROMPTS} {start}{options}", LESSSECURE="1"):
        pydoc.pager(text)


@contextmanager
def changed_environment(**changes: str) -> Iterator[None]:
    before = dict(os.environ)
    os.environ.update(changes)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


@contextmanager
def temporary_status(session: Session, text: str) -> Iterator[None]:
    """Show a line while work is in progress, and then remove it if the terminal supports that."""
    shown = text if draws_in_place(session) else ""
    write(shown)
    try:
        yield
    finally:
        write(f"\r{' ' * len(shown)}\r" if shown else "")


@contextmanager
def progress(session: Session, label: str) -> Iterator[Advance]:
    """Show a progress bar in a terminal, and remove it at the end. Print nothing if the output goes elsewhere."""
    if not draws_in_place(session):
        yield lambda _done, _total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(label, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def write(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()
