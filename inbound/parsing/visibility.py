"""Decide whether a reader sees the text of an element. Text counts as written by its sender only if it is certain to be
visible.

A style either hides its text for certain, is known to be harmless, or leaves it in doubt. We don't work out which of
several declarations wins, because all of them must be harmless.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from itertools import product

from inbound.parsing.colours import BLACK, WHITE, Colour, background_in, contrast, text_colour
from inbound.parsing.styles import Declaration

FAINTEST = 1.5
"""The contrast below which text is unreadable. Black on white has a contrast of 21."""
MOST_COLOURS = 6
FONT = 16.0
SMALLEST_FONT = 6.0
NO_FONT = 3.0
FONT_WORDS = {"xx-small": 9.0, "x-small": 10.0, "small": 13.0, "medium": 16.0, "large": 18.0, "x-large": 24.0,
              "xx-large": 32.0, "xxx-large": 48.0, "initial": FONT}  # fmt: skip
FONT_STEPS = {"smaller": 0.83, "larger": 1.2, "inherit": 1.0, "unset": 1.0}
TAG_FONTS = {"small": 0.83, "sub": 0.83, "sup": 0.83, "h5": 0.83, "h6": 0.67, "big": 1.2}
FAINTEST_OPACITY = 0.5
FARTHEST = 600.0
"""The number of pixels by which nested elements together may move their text to the right."""
INDENTED = dict.fromkeys(("ul", "ol", "menu", "dir", "dd"), 40.0)
TIGHTEST_LINE = 0.8
COVERING_LINE = 0.5
"""The smallest line height in relation to the font. Other lines may cover most of a tighter line."""
SYMBOLS = re.compile(r"dings|symbol|ornament|barcode|blank", re.IGNORECASE)
"""Fonts that show different characters from those in the text, or none."""
LINK = Colour(0, 0, 238)


class Visibility(IntEnum):
    SHOWN = 0
    UNPROVEN = 1
    HIDDEN = 2


@dataclass(frozen=True)
class Look:
    """How text inside an element looks. If there are several possible colors, every combination must be readable."""

    texts: frozenset[Colour] = frozenset({BLACK})
    backgrounds: frozenset[Colour] = frozenset({WHITE})
    font: float = FONT
    line: float | None = None
    """The height of a line in pixels. None if it grows with the font."""
    opacity: float = 1.0
    """The product of the opacity of this element and all elements around it."""
    offset: float = 0.0
    """The number of pixels by which this element and those around it move their text to the right."""
    visibility: Visibility = Visibility.SHOWN

    @property
    def visible(self) -> Visibility:
        return max(self.visibility, self.readable, self.large_enough, self.in_place)

    @property
    def readable(self) -> Visibility:
        pairs = [contrast(text, background) >= FAINTEST for text, background in product(self.texts, self.backgrounds)]
        return visibility_of(all(pairs), hides=not any(pairs))

    @property
    def large_enough(self) -> Visibility:
        is_clear = self.font >= SMALLEST_FONT and (self.line is None or self.line >= self.font * TIGHTEST_LINE)
        return visibility_of(is_clear, hides=self.font < NO_FONT)

    @property
    def may_cover(self) -> bool:
        """Return whether the background of this text may cover the lines above and below."""
        return self.line is not None and self.line < self.font * COVERING_LINE

    @property
    def in_place(self) -> Visibility:
        """Judge the combined effect of many nested elements that are harmless on their own."""
        return visibility_of(self.opacity >= FAINTEST_OPACITY and self.offset <= FARTHEST, hides=False)

    def inside(self, tag: str, declared: Sequence[Declaration]) -> "Look":
        """Return the look of the text in an element, given the element's declarations and the look of the text around
        it."""
        judged = (judge(tag, name, of) for name, of in by_name(without_hanging_indent(declared)).items())
        look = replace(
            self,
            visibility=max(self.visibility, *judged, Visibility.SHOWN),
            opacity=self.opacity * least_opacity(declared),
            offset=self.offset + INDENTED.get(tag, 0) + sum(map(shift_to_the_right, declared)),
        )
        return with_line(with_font(with_text(with_background(look, declared), tag, declared), tag, declared), declared)

    def unproven(self) -> "Look":
        return replace(self, visibility=max(self.visibility, Visibility.UNPROVEN))


def visibility_of(is_shown: bool, *, hides: bool) -> Visibility:
    return Visibility.SHOWN if is_shown else Visibility.HIDDEN if hides else Visibility.UNPROVEN


def by_name(declared: Iterable[Declaration]) -> dict[str, list[tuple[str, ...]]]:
    found: dict[str, list[tuple[str, ...]]] = {}
    for one in declared:
        found.setdefault(one.name, []).append(one.parts)
    return found


def without_hanging_indent(declared: Sequence[Declaration]) -> Sequence[Declaration]:
    """Remove negative indents that stay within the margin.

    Outlook's lists use them to move their first line back into a wide margin.
    """
    margin = min((pixels(one.parts[0]) or 0 for one in declared if one.name == "margin-left" and one.parts), default=0)
    return [one for one in declared if one.name != "text-indent" or not -margin <= indent(one) < 0]


def indent(declared: Declaration) -> float:
    return (pixels(declared.parts[0]) if len(declared.parts) == 1 else None) or 0


def with_background(look: Look, declared: Sequence[Declaration]) -> Look:
    values = [one.parts for one in declared if one.name in BACKGROUNDS and not one.only_in_the_dark]
    found = {background_in(parts, below) for parts in values for below in look.backgrounds}
    if None in found or len(found) > MOST_COLOURS:
        return look.unproven()
    return replace(look, backgrounds=frozenset(one for one in found if one) or look.backgrounds)


def with_text(look: Look, tag: str, declared: Sequence[Declaration]) -> Look:
    values = [one.parts for one in declared if one.name in TEXT_COLOURS and not one.only_in_the_dark]
    inherited = frozenset({LINK}) | look.texts if tag == "a" else look.texts
    found = {text_colour(parts, below) for parts in values for below in look.backgrounds}
    if None in found or len(found | inherited) > MOST_COLOURS:
        return look.unproven()
    keeps = any(parts in (("inherit",), ("unset",), ("currentcolor",)) for parts in values)
    own = frozenset(one for one in found if isinstance(one, Colour))
    return replace(look, texts=(own | inherited) if keeps else (own or inherited))


def with_font(look: Look, tag: str, declared: Sequence[Declaration]) -> Look:
    sizes = [one.parts[0] if one.parts else "" for one in declared if one.name == "font-size"]
    sizes += [shorthand_size(one.parts) for one in declared if one.name == "font"]
    found = [font_size(size, look.font) for size in sizes]
    known = [size for size in found if size is not None] or [look.font * TAG_FONTS.get(tag, 1)]
    is_certain = None not in found and len({size < NO_FONT for size in known}) == 1
    return replace(look, font=min(known)) if is_certain else replace(look, font=min(known)).unproven()


def with_line(look: Look, declared: Sequence[Declaration]) -> Look:
    values = [one.parts for one in declared if one.name == "line-height"]
    values += [one.parts[one.parts.index("/") + 1 :][:1] for one in declared if one.name == "font" and "/" in one.parts]
    heights = [line_height(parts[0], look.font) for parts in values if len(parts) == 1 and not LINE_FACTOR(parts)]
    if not values:
        return look
    return replace(look, line=min((height for height in heights if height is not None), default=None))


def line_height(part: str, font: float) -> float | None:
    return float(part[:-1]) * font / 100 if re.fullmatch(r"\d+(\.\d*)?%", part) else pixels(part)


def least_opacity(declared: Sequence[Declaration]) -> float:
    numbers = [NUMBER.fullmatch(one.parts[0]) for one in declared if one.name == "opacity" and len(one.parts) == 1]
    return min((float(one[1]) / (100 if one[2] == "%" else 1) for one in numbers if one), default=1.0)


def shift_to_the_right(declared: Declaration) -> float:
    """Return how many pixels this moves the text to the right. Percentages are relative to the width of a wide
    window."""
    space = SPACES.fullmatch(declared.name)
    if declared.name != "text-indent" and (space is None or space[3] not in (None, "left")):
        return 0
    parts = declared.parts
    if space and space[3] is None and space[1] != "border":
        parts = parts[3:4] or parts[1:2] or parts[:1]
    return max((length for part in parts if (length := length_in_a_window(part)) is not None), default=0)


def length_in_a_window(part: str) -> float | None:
    return float(part[:-1]) * WINDOW / 100 if re.fullmatch(r"\d+(\.\d*)?%", part) else pixels(part)


def overlap(declared: Sequence[Declaration]) -> float:
    """Return how many pixels negative margins move this element over others."""
    margins = (part for one in declared if SPACES.fullmatch(one.name) and one.name != "padding" for part in one.parts)
    return -sum(min(pixels(part) or 0, 0) for part in margins)


def width(declared: Sequence[Declaration]) -> float:
    """Return how many pixels this element may add to the width of its line."""
    own = (one for one in declared if one.name in WIDTHS or SPACES.fullmatch(one.name))
    return sum(max((pixels(part) or 0 for part in one.parts), default=0) for one in own)


def shorthand_size(parts: tuple[str, ...]) -> str:
    sized = (part for part in parts if part in FONT_WORDS | FONT_STEPS or re.match(r"[\d.]+[a-z%]", part))
    return next(sized, "")


def font_size(size: str, inherited: float) -> float | None:
    if size in FONT_WORDS:
        return FONT_WORDS[size]
    if size in FONT_STEPS:
        return inherited * FONT_STEPS[size]
    number = NUMBER.fullmatch(size)
    if number and number[2] in ("em", "%"):
        return float(number[1]) * inherited / (100 if number[2] == "%" else 1)
    return pixels(size)


NUMBER = re.compile(r"([+-]?(?:\d+\.?\d*|\.\d+))([a-z%]*)")
PIXELS = {"": 1.0, "px": 1.0, "pt": 1.33, "em": 16.0, "rem": 16.0, "ex": 8.0, "ch": 8.0, "in": 96.0, "cm": 38.0,
          "mm": 3.8, "pc": 16.0}  # fmt: skip


def pixels(part: str) -> float | None:
    """Return the length in pixels.

    Return None if this isn't a plain length, for example a percentage or a calculation.
    """
    number = NUMBER.fullmatch(part)
    return float(number[1]) * PIXELS[number[2]] if number and number[2] in PIXELS else None


Values = tuple[str, ...]


def lengths(least: float, most: float, words: str = "") -> Callable[[Values], bool]:
    """Check that every part is a length in pixels within these bounds, an ordinary percentage, or one of these
    words."""
    allowed = {*words.split(), "auto", "normal", "none"}

    def are_harmless(parts: Values) -> bool:
        return all(part in allowed or within(part, least, most) for part in parts)

    return are_harmless


def within(part: str, least: float, most: float) -> bool:
    if part.endswith("%"):
        number = NUMBER.fullmatch(part)
        return number is not None and (10 if least > 0 else 0) <= float(number[1]) <= 100
    length = pixels(part)
    return length is not None and least <= length <= most


def words(allowed: str) -> Callable[[Values], bool]:
    known = set(allowed.split())
    return known.issuperset


def number_from(least: float, most: float) -> Callable[[Values], bool]:
    def is_harmless(parts: Values) -> bool:
        number = NUMBER.fullmatch(parts[0]) if len(parts) == 1 else None
        share = {"": 1.0, "%": 0.01}.get(number[2]) if number else None
        return number is not None and share is not None and least <= float(number[1]) * share <= most

    return is_harmless


def allows_light(parts: Values) -> bool:
    """Return whether text on a light background is possible. Otherwise, black text may be on a black background."""
    return "light" in parts and words("light dark only")(parts)


NEUTRAL = {"none", "auto", "normal", "initial", "inherit", "unset"}
"""Values that have no effect, except for properties that are checked separately."""
BACKGROUNDS = {"background", "background-color"}
TEXT_COLOURS = {"color", "-webkit-text-fill-color"}
JUDGED_AS_A_LOOK = BACKGROUNDS | TEXT_COLOURS | {"font-size"}
CELLS = {"table", "tbody", "thead", "tfoot", "tr", "td", "th", "col", "img", "hr"}
"""Elements that grow with their content even if a size is declared, or that contain no text."""
LINE_HEIGHT = lengths(8, 500)
WIDEST = 1500
"""The width in pixels beyond which text at the right or in the middle of an element may be out of sight."""
LINE_FACTOR = number_from(0.8, 10)
HARMLESS = re.compile(
    r"font(-family|-style|-weight|-variant(-\w+)*|-kerning|-stretch|-feature-settings|-synthesis|-optical-sizing)?|"
    r"text-(align|align-last|transform|rendering|justify|autospace|justify-trim|decoration|underline-\w+|"
    r"decoration-(line|color|style|thickness|skip-ink))|"
    r"border(-(top|right|bottom|left|collapse|color|style|radius|(top|right|bottom|left)-(color|style|radius|\w+-radius)))?|"
    r"white-space(-collapse)?|word-(break|wrap)|overflow-wrap|line-break|hyphens|"
    r"-webkit-(nbsp-mode|line-break|locale|font-smoothing|tap-highlight-color|user-select|hyphens)|"
    r"-moz-osx-font-smoothing|user-select|cursor|table-layout|caption-side|empty-cells|orphans|widows|page|size|"
    r"(page-)?break-(before|after|inside)|tab-stops|layout-grid-mode|punctuation-wrap|caret-color|box-sizing|"
    r"background-(position|repeat|size|attachment|origin)(-[xy])?|float|clear|mso-(?!(hide|element|text-raise|font-width)$)[a-z0-9-]+|--[\w-]+|"
    r"text-wrap(-mode|-style)?|so-language"
)
"""Properties that never hide anything, regardless of their value."""
HARMLESS_WITH: dict[str, Callable[[Values], bool]] = (
    {
        "display": words(
            "block inline inline-block list-item table inline-table table-row table-cell table-row-group "
            "table-header-group table-footer-group table-caption flex inline-flex grid inline-grid contents flow-root"
        ),
        "visibility": words("visible"),
        "position": words("static relative"),
        "direction": words("ltr"),
        "color-scheme": allows_light,
        "supported-color-schemes": allows_light,
        "overflow": words("visible"),
        "opacity": number_from(0.5, 1),
        "zoom": number_from(1, 1),
        "letter-spacing": lengths(-1, 20),
        "word-spacing": lengths(-1, 50),
        "margin-left": lengths(-10, 500),
        "margin-right": lengths(-10, 500),
        "vertical-align": lengths(-5, 5, "baseline top middle bottom sub super text-top text-bottom"),
        "width": lengths(100, WIDEST),
        "max-width": lengths(100, 5000),
        "height": words("100%"),
        "max-height": words("100%"),
        "outline": words("0 0px"),
        "border-width": lengths(0, 50, "thin medium thick"),
        "text-indent": lengths(0, 200),
        "tab-size": number_from(0, 20),
        "mso-element": words("para-border-div"),
        "line-height": lambda parts: LINE_FACTOR(parts) or LINE_HEIGHT(parts),
        "-webkit-text-stroke-width": words("0 0px"),
    }
    | {f"{prefix}text-size-adjust": number_from(0.5, 4) for prefix in ("", "-webkit-", "-moz-", "-ms-")}
    | {name: lengths(0, 500) for name in ("min-width", "min-height", "border-spacing")}
)
NO_OFFSET = words("0 0px")
LARGE_FONT = 3
"""How many times the usual size of a font the text of an email may have."""
RELATIVE = re.compile("(em|ex|ch)$")
MARKER = re.compile(r"""[a-z-]+|(["'])\W*\1""")
"""The style of a list's markers. Markers with letters could change the meaning of the text beside them."""
TALLEST = 20
"""The height in pixels up to which the padding or the border of an inline element covers no line above or below."""
WIDEST_BORDER = 50
WINDOW = 1000
"""The width of a wide window in pixels."""
WIDTHS = {"width", "min-width", "text-indent"}
SPACES = re.compile(r"(padding|margin|border)(-(top|right|bottom|left))?(-width)?")
OFFSETS = re.compile(r"top|right|bottom|left|inset(-.*)?")
MAY_COVER_OTHERS = re.compile(
    r"position|top|right|bottom|left|inset.*|margin.*|(-webkit-|-ms-)?transform.*|translate|rotate|scale|z-index|zoom|"
    r"outline.*|grid.*|offset.*|anchor.*|animation.*|(-webkit-)?box-shadow|text-shadow|vertical-align|(max-)?height|"
    r"text-indent|content|mso-element|unreadable|(padding|border)-block.*|(-webkit-|-moz-)?border-image.*|"
    r"(-webkit-)?(filter|box-reflect)|(-webkit-text-)?stroke.*|text-(decoration|underline).*|(-webkit-)?text-emphasis.*"
)
"""Properties that allow one element to cover the text of another."""


PLAIN = re.compile(r"[a-z-]+|#[0-9a-f]+|(rgb|hsl)a?\(.*\)")
THICKEST_LINE = 5


def judge(tag: str, name: str, values: list[Values]) -> Visibility:
    if name in JUDGED_AS_A_LOOK:
        return Visibility.SHOWN
    hiding = [is_hiding(name, parts) for parts in values]
    if any(hiding):
        return visibility_of(False, hides=all(hiding))
    return visibility_of(all(is_harmless(tag, name, parts) for parts in values), hides=False)


def is_hiding(name: str, parts: Values) -> bool:
    match name:
        case "display":
            return parts == ("none",)
        case "visibility":
            return parts in (("hidden",), ("collapse",))
        case "mso-hide":
            return parts == ("all",)
        case "text-decoration" | "text-decoration-line":
            return "line-through" in parts
        case "opacity":
            return number_from(0, 0.1)(parts)
        case "max-height":
            return parts[:1] in (("0",), ("0px",))
    return False


def is_harmless(tag: str, name: str, parts: Values) -> bool:
    if name != "all" and parts and NEUTRAL.issuperset(parts):
        return True
    if SPACES.fullmatch(name) and not name.startswith("border"):
        return HARMLESS_WITH.get(name, lengths(0 if name.startswith("padding") else -1, 500))(parts)
    if OFFSETS.fullmatch(name):
        return NO_OFFSET(parts)
    if tag in CELLS and name in ("width", "height", "max-width"):
        return lengths(0, WIDEST)(parts)
    if name in ("list-style", "list-style-type", "list-style-position"):
        return all(map(MARKER.fullmatch, parts))
    if name in ("font", "font-family") and SYMBOLS.search(" ".join(parts)):
        return False
    if name.startswith("border") and any((pixels(part) or 0) > WIDEST_BORDER for part in parts):
        return False
    if name.startswith(("text-decoration", "text-underline")) and not all(map(is_thin, parts)):
        return False
    if name == "font" and "/" in parts:
        return HARMLESS_WITH["line-height"](parts[parts.index("/") + 1 :][:1])
    if name in HARMLESS_WITH:
        return HARMLESS_WITH[name](parts)
    return HARMLESS.fullmatch(name) is not None and not any("var(" in part or "env(" in part for part in parts)


def is_thin(part: str) -> bool:
    """Return whether this part of a text decoration is a word, a color or a length too short to cover the text."""
    length = pixels(part)
    return PLAIN.fullmatch(part) is not None if length is None else 0 <= length <= THICKEST_LINE


def may_cover(tag: str, declared: Sequence[Declaration], *, is_block: bool) -> bool:
    """Return whether the element may lie on top of text elsewhere in the email.

    The lines around an inline element don't make room for its padding and its borders.
    """
    if not is_in_the_flow(declared, is_block=is_block) and any(
        padding_above_or_below(one) > TALLEST for one in declared
    ):
        return True
    return any(
        MAY_COVER_OTHERS.fullmatch(one.name)
        and not (is_harmless(tag, one.name, one.parts) or is_hiding(one.name, one.parts))
        for one in without_hanging_indent(declared)
    )


def is_in_the_flow(declared: Sequence[Declaration], *, is_block: bool) -> bool:
    """Return whether the lines around the element make room for all of it."""
    displays = [one.parts for one in declared if one.name == "display"]
    return all(parts != ("inline",) for parts in displays) and (is_block or bool(displays))


def padding_above_or_below(declared: Declaration) -> float:
    space = SPACES.fullmatch(declared.name)
    if space is None or space[1] == "margin" or space[3] in ("left", "right"):
        return 0
    parts = declared.parts
    if space[3] is None and (space[1] == "padding" or space[4]):
        parts = parts[::2][:2]
    return max(map(most_pixels, parts), default=0)


def most_pixels(part: str) -> float:
    """Return how many pixels a length may have in a large font or in a wide window."""
    length = length_in_a_window(part) or 0
    return length * LARGE_FONT if RELATIVE.search(part) else length
