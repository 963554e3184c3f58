"""How to show things here and now: with colour or without, as a picture or in sentences, in how many columns."""

import os
import shutil
import sys
from dataclasses import dataclass

from cli.problems import Usage

STYLES = ("colour", "plain", "speech")
SGR = {"bold": "1", "dim": "2", "good": "32", "warn": "33", "bad": "31", "name": "36"}
NARROWEST = 52
"""Boards need so much; in a window that is narrower still, lines are broken."""


@dataclass(frozen=True)
class Style:
    colour: bool = False
    drawn: bool = False
    """Boards as a drawing with boxes; otherwise in the plain text that mails show too."""
    speech: bool = False
    width: int = 80

    def paint(self, text: str, ink: str) -> str:
        return f"\x1b[{SGR[ink]}m{text}\x1b[0m" if self.colour and text else text


def choose(wished: str | None) -> Style:
    """What was asked for, else what the terminal can do: piped output is plain, NO_COLOR keeps the drawing."""
    name = wished or os.environ.get("TURNPOST_STYLE") or ("colour" if sys.stdout.isatty() else "plain")
    if name not in STYLES:
        raise Usage("bad_style", f"There is no style '{name}'.", f"TURNPOST_STYLE is one of: {', '.join(STYLES)}.")
    width = max(NARROWEST, shutil.get_terminal_size().columns)
    drawn = name == "colour"
    return Style(drawn and not os.environ.get("NO_COLOR"), drawn, name == "speech", width)
