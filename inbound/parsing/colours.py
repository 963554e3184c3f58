"""Parse the colors in styles, and measure how readable one color is on another."""

from typing import NamedTuple

from tinycss2.color4 import parse_color

SYSTEM = {"windowtext": "black", "canvastext": "black", "text": "black", "window": "white", "canvas": "white"}
INHERITED = {"inherit", "unset", "currentcolor"}
SEEN_THROUGH = {"none", "transparent", "initial", "inherit", "unset"}
BACKGROUND_WORDS = {
    "repeat", "no-repeat", "repeat-x", "repeat-y", "scroll", "fixed", "local", "center", "top", "left", "right",
    "bottom", "auto", "/", "none", "border-box", "padding-box", "content-box",
}  # fmt: skip


class Colour(NamedTuple):
    red: float
    green: float
    blue: float


BLACK = Colour(0, 0, 0)
WHITE = Colour(255, 255, 255)


def named(value: str, below: Colour) -> Colour | None:
    """Return the color that a reader sees.

    If the color isn't opaque, it is mixed with the background. Return None if the value is unknown.
    """
    try:
        found = parse_color(SYSTEM.get(value, value))
        if found is None or isinstance(found, str):
            return None
        parts = [min(255.0, max(0.0, 255 * part)) for part in found.to("srgb").coordinates]
    except (NotImplementedError, TypeError, ValueError, RecursionError):
        return None
    mixed = (under + (part - under) * found.alpha for part, under in zip(parts, below, strict=True))
    return Colour(*mixed)


def text_colour(parts: tuple[str, ...], background: Colour) -> Colour | str | None:
    """Return the text color, or a keyword if the color is inherited."""
    if len(parts) != 1:
        return None
    if parts[0] in INHERITED:
        return parts[0]
    return named("black" if parts[0] == "initial" else parts[0], background)


def background_in(parts: tuple[str, ...], below: Colour) -> Colour | None:
    colours = [part for part in parts if part not in BACKGROUND_WORDS and not part[:1].isdigit()]
    if not colours or (len(colours) == 1 and colours[0] in SEEN_THROUGH):
        return below
    return named(colours[0], below) if len(colours) == 1 else None


def contrast(one: Colour, other: Colour) -> float:
    """Return the contrast ratio as defined by WCAG."""
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def luminance(colour: Colour) -> float:
    shares = (part / 255 for part in colour)
    red, green, blue = (share / 12.92 if share <= 0.03928 else ((share + 0.055) / 1.055) ** 2.4 for share in shares)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
