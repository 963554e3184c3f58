"""Small tools for fixed-width text."""

from collections.abc import Sequence


def fit(text: str, width: int) -> str:
    """The text in exactly this width: padded, or cut with a full stop to show it."""
    return text.ljust(width) if len(text) <= width else text[: width - 1] + "."


def listing(items: Sequence[str]) -> str:
    """Ann, Ben and Cleo"""
    return " and ".join([", ".join(items[:-1]), items[-1]]) if len(items) > 1 else "".join(items)
