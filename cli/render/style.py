"""The output style: its width, whether it uses color, and whether boards are drawn, plain or spoken."""

import os
import shutil
import sys
from dataclasses import dataclass, replace

from cli.problems import Usage

STYLES = ("color", "plain", "speech")
SPELLINGS = {"colour": "color"}
SGR = {"bold": "1", "dim": "2", "good": "32", "warn": "33", "bad": "31", "name": "36"}
NARROWEST = 52
"""The number of columns that boards need. In narrower windows, they wrap."""


@dataclass(frozen=True)
class Style:
    colour: bool = False
    drawn: bool = False
    """Whether to draw boards with boxes. Otherwise, they are plain text, as in emails."""
    speech: bool = False
    width: int = 80
    height: int = 24
    legend: bool = True
    """Whether to explain symbols below drawn boards."""

    def paint(self, text: str, ink: str) -> str:
        return f"\x1b[{SGR[ink]}m{text}\x1b[0m" if self.colour and text else text


def resized(style: Style) -> Style:
    """Return the style for the terminal's current size."""
    terminal = shutil.get_terminal_size()
    return replace(style, width=max(NARROWEST, terminal.columns), height=terminal.lines)


def choose(wanted: str | None) -> Style:
    """Return the given style, or the best one for this terminal.

    Piped output is plain. With NO_COLOR, boards are still drawn.
    """
    given = wanted or os.environ.get("TURNPOST_STYLE") or ("color" if sys.stdout.isatty() else "plain")
    name = SPELLINGS.get(given.lower(), given.lower())
    if name not in STYLES:
        raise Usage("bad_style", f"'{given}' isn't a style.", f"Choose one of: {', '.join(STYLES)}")
    drawn = name == "color"
    colour = drawn and not os.environ.get("NO_COLOR")
    return resized(Style(colour=colour, drawn=drawn, speech=name == "speech"))
