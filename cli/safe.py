"""What others wrote must not move the cursor, colour the screen or turn the line around."""

import unicodedata
from typing import Any

SHOWN_INSTEAD = "�"
# Format characters (Cf) hold the bidirectional controls and invisible signs; of them only the joiners that
# emoji and Indic scripts are written with may stay.
HARMLESS = {"\n", "\t", "\u200c", "\u200d"}
HARMFUL = {"Cc", "Cf", "Co", "Cs", "Zl", "Zp"}
# Nobody sees them, and most of them are not assigned, so they have no category to go by.
TAGS = range(0xE0000, 0xE0080)


def printable(text: str) -> str:
    if text.isascii() and text.isprintable():
        return text
    return "".join(SHOWN_INSTEAD if is_harmful(character) else character for character in text)


def is_harmful(character: str) -> bool:
    if character in HARMLESS:
        return False
    return unicodedata.category(character) in HARMFUL or ord(character) in TAGS


def one_line(text: str) -> str:
    return " ".join(printable(text).split())


def cleaned(value: Any) -> Any:
    """A document from the server with every string in it made printable."""
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, list):
        return [cleaned(item) for item in value]
    if isinstance(value, dict):
        return {printable(key): cleaned(item) for key, item in value.items()}
    return value
