"""Text that players write for one another: it appears in terminals and mail, so it must not be able to redraw a
screen, forge a line or turn the reading direction around."""

from core.refusals import Refused

# Joiners are part of emoji and of some scripts; the rest is white space that people type.
HARMLESS = str.maketrans("", "", "\n\t\u00a0\u200c\u200d")


def checked(text: str, *, most: int) -> str:
    """The text as it will be kept: line ends as one character, nothing around it."""
    kept = text.replace("\r\n", "\n").strip()
    if not kept.translate(HARMLESS).isprintable():
        raise Refused(400, "unprintable", "Control characters cannot be part of a text.", "Write plain text.")
    if len(kept) > most:
        raise Refused(400, "too_long", f"A text has at most {most} characters here.", "Write less.", most=most)
    return kept
