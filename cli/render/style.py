"""The output style: with or without color; drawn, plain or as speech; and how wide."""

import os
import shutil
import sys
from dataclasses import dataclass

from cli.problems import Usage

STYLES = ("colour", "plain", "speech")
SGR = {"bold": "1", "dim": "2", "good": "32", "warn": "33", "bad": "31", "name": "36"}
NARROWEST = 52
"""Boards need this many columns. In narrower windows they wrap."""


@dataclass(frozen=True)
class Style:
    colour: bool = False
    drawn: bool = False
    """Draw boards with boxes instead of plain text as in emails."""
    speech: bool = False
    width: int = 80
    height: int = 24
    legend: bool = True
    """Explain symbols below drawn boards."""

    def paint(self, text: str, ink: str) -> str:
        return f"\x1b[{SGR[ink]}m{text}\x1b[0m" if self.colour and text else text


def choose(wanted: str | None) -> Style:
    """Return the given style, or the best one for this terminal. Piped output is plain; with NO_COLOR, boards are
    still drawn."""
    name = wanted or os.environ.get("TURNPOST_STYLE") or ("colour" if sys.stdout.isatty() else "plain")
    if name not in STYLES:
        raise Usage("bad_style", f"'{name}' isn't a style.", f"Choose one of: {', '.join(STYLES)}")
    terminal = shutil.get_terminal_size()
    drawn = name == "colour"
    return Style(
        colour=drawn and not os.environ.get("NO_COLOR"),
        drawn=drawn,
        speech=name == "speech",
        width=max(NARROWEST, terminal.columns),
        height=terminal.lines,
    )
