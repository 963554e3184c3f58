"""Whether a reader sees the text of an element: hidden text in an email never counts as written by its sender."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

LONGEST_STYLE = 1000
FAINTEST = 1.5
"""The contrast between text and background below which nobody can read it; black on white has 21."""
OPAQUE = 0.5
"""The share from which a color covers what is below it."""
SMALLEST_FONT = 3
FARTHEST = 100
"""Pixels by which text may be moved before it counts as moved out of sight."""
PIXELS = {"": 1.0, "px": 1.0, "pt": 1.33, "em": 16.0, "rem": 16.0, "ex": 8.0, "ch": 8.0, "%": 16.0, "vw": 10.0,
          "vh": 8.0, "in": 96.0, "cm": 38.0, "mm": 3.8, "pc": 16.0}  # fmt: skip
LENGTH = re.compile(r"([+-]?(?:\d+\.?\d*|\.\d+))\s*(px|pt|r?em|ex|ch|%|vw|vh|in|cm|mm|pc)?(?![\w.])")
MOVING = ("left", "right", "top", "bottom", "text-indent", "margin", "margin-left", "margin-top", "margin-right")
SIZES = ("height", "max-height", "width", "max-width", "line-height")
CLIPPING = ("clip", "clip-path", "transform", "scale")
NUMBERS = re.compile(r"-?[\d.]+%?")
HEX = re.compile(r"#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})\b")
FUNCTION = re.compile(r"(?:rgb|hsl)a?\([^)]*\)")
NAMED_COLOURS = {
    "white": (255, 255, 255), "snow": (255, 250, 250), "ivory": (255, 255, 240), "azure": (240, 255, 255),
    "mintcream": (245, 255, 250), "ghostwhite": (248, 248, 255), "whitesmoke": (245, 245, 245),
    "floralwhite": (255, 250, 240), "aliceblue": (240, 248, 255), "honeydew": (240, 255, 240),
    "seashell": (255, 245, 238), "beige": (245, 245, 220), "linen": (250, 240, 230), "lightyellow": (255, 255, 224),
    "lightcyan": (224, 255, 255), "cornsilk": (255, 248, 220), "lavender": (230, 230, 250),
    "lavenderblush": (255, 240, 245), "black": (0, 0, 0), "silver": (192, 192, 192), "gray": (128, 128, 128),
    "grey": (128, 128, 128), "red": (255, 0, 0), "green": (0, 128, 0), "blue": (0, 0, 255), "navy": (0, 0, 128),
    "yellow": (255, 255, 0), "orange": (255, 165, 0), "purple": (128, 0, 128), "darkblue": (0, 0, 139),
    "darkgreen": (0, 100, 0), "darkred": (139, 0, 0), "windowtext": (0, 0, 0), "window": (255, 255, 255),
    "canvas": (255, 255, 255), "canvastext": (0, 0, 0),
}  # fmt: skip

Colour = tuple[int, int, int]


@dataclass(frozen=True)
class Colours:
    """The colors that an element inherits. A page starts black on white."""

    text: Colour = (0, 0, 0)
    background: Colour = (255, 255, 255)

    def inside(self, look: str) -> "Colours":
        declared = declarations(look)
        background = colour_in(declared.get("background-color") or declared.get("background", ""))
        text = colour_in(declared.get("-webkit-text-fill-color") or declared.get("color", ""))
        seen = replace(self, background=background or self.background)
        return replace(seen, text=text or (seen.background if is_transparent(declared) else seen.text))

    @property
    def are_alike(self) -> bool:
        lighter, darker = sorted((luminance(self.text), luminance(self.background)), reverse=True)
        return (lighter + 0.05) / (darker + 0.05) < FAINTEST


def is_hidden(look: str) -> bool:
    """Whether a style hides its element, apart from colors."""
    declared = declarations(look)
    return (
        declared.get("display", "").startswith("none")
        or declared.get("visibility", "").startswith(("hidden", "collapse"))
        or declared.get("mso-hide", "").startswith("all")
        or "line-through" in declared.get("text-decoration", "") + declared.get("text-decoration-line", "")
        or any(declared.get(name, "none") not in ("none", "auto", "inherit", "initial") for name in CLIPPING)
        or any(is_none(declared.get(name, "")) for name in (*SIZES, "opacity", "zoom"))
        or is_faint(declared.get("opacity", ""), declared.get("filter", ""))
        or any(abs(length) < SMALLEST_FONT for length in lengths(declared.get("font-size", "")))
        or any(abs(length) < SMALLEST_FONT for length in lengths(declared.get("font", ""))[:1])
        or any(is_out_of_sight(name, declared.get(name, "")) for name in MOVING)
    )


def declarations(look: str) -> dict[str, str]:
    """The properties of a style; of several declarations of one property, the last counts."""
    without_comments = re.sub(r"/\*.*?(?:\*/|\Z)", "", look[:LONGEST_STYLE], flags=re.DOTALL)
    parts = (part.partition(":") for part in without_comments.lower().split(";"))
    return {name.strip(): value.replace("!important", "").strip() for name, _, value in parts}


def lengths(value: str) -> list[float]:
    return [float(number) * PIXELS[unit or ""] for number, unit in LENGTH.findall(value)]


def is_none(value: str) -> bool:
    found = LENGTH.match(value)
    return found is not None and float(found[1]) == 0


def is_faint(opacity: str, effect: str) -> bool:
    shown = LENGTH.match(opacity)
    share = float(shown[1]) / (100 if shown[2] == "%" else 1) if shown else 1
    return share < 0.1 or "opacity(" in effect


def is_out_of_sight(name: str, value: str) -> bool:
    """Text moved to the left or above, or so far away that nobody scrolls there."""
    far = 10 * FARTHEST if not name.startswith(("margin", "text")) else 20 * FARTHEST
    return any(length <= -FARTHEST or length >= far for length in lengths(value))


def is_transparent(declared: dict[str, str]) -> bool:
    written = declared.get("-webkit-text-fill-color") or declared.get("color", "")
    if written.startswith("transparent"):
        return True
    numbers = NUMBERS.findall(written) if FUNCTION.search(written) else []
    if len(numbers) == 4:
        return float(numbers[3].rstrip("%")) < (10 if numbers[3].endswith("%") else 0.1)
    return bool(re.fullmatch(r"#(?:[0-9a-f]{6}[01][0-9a-f]|[0-9a-f]{3}[01])", written))


def colour_in(value: str) -> Colour | None:
    """The color a value names, or None if it is unknown or not opaque."""
    value = re.sub(r"url\([^)]*\)?", "", value)
    if found := HEX.search(value):
        digits = found[0][1:]
        wide = digits if len(digits) > 4 else "".join(digit * 2 for digit in digits)
        is_opaque = int(wide[6:] or "ff", 16) > OPAQUE * 255
        return (int(wide[:2], 16), int(wide[2:4], 16), int(wide[4:6], 16)) if is_opaque else None
    if found := FUNCTION.search(value):
        return from_numbers(found[0])
    return next((NAMED_COLOURS[word] for word in re.findall(r"[a-z]+", value) if word in NAMED_COLOURS), None)


def from_numbers(function: str) -> Colour | None:
    numbers = [(float(number.rstrip("%") or 0), number.endswith("%")) for number in NUMBERS.findall(function)]
    if len(numbers) < 3 or (len(numbers) > 3 and numbers[3][0] < (OPAQUE * 100 if numbers[3][1] else OPAQUE)):
        return None
    if function.startswith("hsl"):
        light = max(0, min(255, int(numbers[2][0] * 2.55)))
        return light, light, light
    red, green, blue = (max(0, min(255, int(number * 2.55 if percent else number))) for number, percent in numbers[:3])
    return red, green, blue


def luminance(colour: Colour) -> float:
    """As WCAG defines it."""
    shares = (part / 255 for part in colour)
    red, green, blue = (share / 12.92 if share <= 0.03928 else ((share + 0.055) / 1.055) ** 2.4 for share in shares)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def rules(sheet: str) -> Iterator[tuple[str, str, bool]]:
    """The selector and style of each rule in a style sheet, and whether it always applies, that is, outside @media."""
    blocks: list[str] = []
    for part in re.split(r"(?<=[{}])", re.sub(r"/\*.*?(?:\*/|\Z)|<!--|-->", "", sheet, flags=re.DOTALL)):
        if part.endswith("{"):
            blocks.append(part[:-1].strip())
        elif blocks:
            selector = blocks.pop()
            if not selector.startswith("@"):
                yield selector, part.rstrip("}")[:LONGEST_STYLE], not blocks
