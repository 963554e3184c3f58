"""Make other people's text safe to print, so that it can't move the cursor, color the screen or reverse the line."""

import unicodedata
from typing import Any

REPLACEMENT = "�"
# Format characters (Cf) include bidirectional controls and invisible characters. The joiners among them are allowed,
# because emoji and Indic scripts need them.
HARMLESS = {"\n", "\t", "\u200c", "\u200d"}
HARMFUL = {"Cc", "Cf", "Co", "Cs", "Zl", "Zp"}
# Tag characters are invisible too, but most are unassigned, so their category doesn't reveal them.
TAGS = range(0xE0000, 0xE0080)


def printable(text: str) -> str:
    if text.isascii() and text.isprintable():
        return text
    return "".join(REPLACEMENT if is_harmful(character) else character for character in text)


def is_harmful(character: str) -> bool:
    if character in HARMLESS:
        return False
    return unicodedata.category(character) in HARMFUL or ord(character) in TAGS


def one_line(text: str) -> str:
    return " ".join(printable(text).split())


def sanitized(value: Any) -> Any:
    """Make every string in a JSON value printable."""
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, list):
        return [sanitized(item) for item in value]
    if isinstance(value, dict):
        return {printable(key): sanitized(item) for key, item in value.items()}
    return value
