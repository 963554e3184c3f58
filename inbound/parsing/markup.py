"""Extract the visible lines of an HTML email, without the parts that the mail program marks as quoted."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from html.parser import HTMLParser

from inbound.parsing.lines import UNPROVEN, Text, unfold
from inbound.parsing.styles import UNREADABLE, Declaration, Sheet, declarations
from inbound.parsing.tokens import style_sheets
from inbound.parsing.visibility import (
    CELLS,
    FARTHEST,
    INDENTED,
    TAG_FONTS,
    WIDEST,
    Look,
    Visibility,
    allows_light,
    may_cover,
    overlap,
    width,
)

LONGEST = 200_000
LONGEST_ATTRIBUTE = 1000
DEEPEST = 200
MOST_JUDGED = 20_000
"""The maximum number of declarations to check in one email. If there are more, all of the text is in doubt."""
MOST_OVERLAP = 20
"""The maximum number of pixels by which negative margins may move all elements of an email together. If they move
further, one of them may cover text."""
DIVIDER = "_" * 20
LEFT_OUT_HERE = "\n> \n"
"""A placeholder for a quotation, which makes it possible to recognize the line that introduces it."""

UNSEEN = {"script", "style", "title", "template", "svg", "object", "noscript", "select", "textarea"}
NOT_SHOWN_AS_TEXT = {
    "applet", "area", "audio", "bdi", "button", "canvas", "controlledframe", "datalist", "fencedframe", "frame",
    "geolocation", "input", "install", "keygen", "map", "mark", "marquee", "meter", "model", "multicol", "optgroup",
    "option", "param", "permission", "portal", "progress", "rp", "rt", "rtc", "ruby", "selectedcontent", "slot",
    "usermedia", "video", "webview",
}  # fmt: skip
"""Elements that browsers don't show, or show in their own colors or order."""
CLOSED = {"details", "dialog"}
READ_DIFFERENTLY = {"iframe", "noembed", "noframes", "xmp", "plaintext", "listing", "math", "frameset", "base", "bdo"}
"""Start tags after which browsers parse text by different rules from ours."""
DRAWING = {
    "circle", "clippath", "defs", "ellipse", "g", "line", "lineargradient", "mask", "path", "pattern", "polygon",
    "polyline", "radialgradient", "rect", "stop", "symbol", "text", "tspan", "use",
}  # fmt: skip
ALLOWED_INSIDE = {"svg": DRAWING, "select": {"option", "optgroup"}, "template": set[str]()}
"""The elements after which browsers still agree with us where the element around them ends."""
SPACE_ATTRIBUTES = {
    "cellpadding": "padding", "cellspacing": "padding", "leftmargin": "padding-left", "marginwidth": "padding-left",
    "topmargin": "padding-top", "marginheight": "padding-top", "border": "border-width",
    "hspace": "padding-left",
}  # fmt: skip
LOOK_ATTRIBUTES = {"bgcolor": "background-color", "color": "color", "text": "color", "background": "background-image",
                   "face": "font-family"}  # fmt: skip
TABLE_CELLS = {"td", "th"}
LINK_COLOURS = {"link", "vlink", "alink"}
TAKEN_BACK = {"s", "del", "strike"}
QUOTING = {"blockquote", "q"}
ROOTS = ("html", "body")
IN_HEAD = {"head", "title", "style", "script", "meta", "link", "base", "noscript", "template"}
IMPLIED_IN: dict[str, dict[str, tuple[str, ...]]] = {
    "table": {"tr": ("tbody",), "td": ("tbody", "tr"), "th": ("tbody", "tr"), "col": ("colgroup",)},
    "tbody": {"td": ("tr",), "th": ("tr",)},
    "thead": {"td": ("tr",), "th": ("tr",)},
    "tfoot": {"td": ("tr",), "th": ("tr",)},
}
"""The elements that browsers add between two others. Style sheets apply to them, too."""
COLUMNS = {"col", "colgroup"}
"""Elements whose style applies to cells that are not inside them."""
VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
BLOCKS = {
    "address", "article", "aside", "body", "caption", "center", "dd", "details", "dialog", "dir", "div", "dl", "dt",
    "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hgroup",
    "html", "legend", "li", "main", "menu", "nav", "ol", "p", "pre", "section", "summary", "table", "tbody", "tfoot",
    "thead", "tr", "ul",
}  # fmt: skip
# The names of elements that contain a quotation or a signature in Gmail, Yahoo, Thunderbird, Proton, Outlook for
# phones and Mac, Zimbra, GMX and web.de, Spark, Tuta, Zoho and Mail.ru, with or without the prefix that Outlook adds.
LEFT_OUT = re.compile(
    r"gmail_(?:quote|attr|signature|extra)|yahoo[_-]?(?:quoted|signature)|moz-(?:cite|signature|forward)|"
    r"protonmail_(?:quote|signature)|ms-outlook-mobile|mail-editor-reference|reference-message|__(?:quoted_text|headers)__|"
    r"\bquoted?\b|messagereplysection|messagesignaturesection|tutanota_quote|zmail_extra|mail-quote|mailquote|"
    r"bloop_|cm_quote|missive_quote|front-blockquote|reply-intro|signature|\bsig\b",
    re.IGNORECASE,
)
# Everything below these elements is quoted (Outlook on the web and on the desktop, Zimbra, Thunderbird).
NOTHING_BELOW = re.compile(
    r"appendonsend|divrplyfwdmsg|outlookmessageheader|\bzwchr\b|stopspelling|moz-forward-container", re.IGNORECASE
)
BAR_AT_THE_LEFT = re.compile(
    r"border-left\s*:(?!\s*(?:none|0))[^;]*\b(?:solid|double|dashed|dotted|inset)", re.IGNORECASE
)
BAR_ABOVE = re.compile(r"border-top\s*:(?!\s*(?:none|0))[^;]*\b(?:solid|double|dashed|dotted)", re.IGNORECASE)
NOT_WRAPPED = re.compile(r"nobr|nowrap|<pre|white-space\s*:\s*pre\b(?!-)", re.IGNORECASE)
LEADING_NUMBER = re.compile(r"\s*\+?(\d+(?:\.\d*)?)(%?)")
VERBATIM = re.compile(r"white-space(?:-collapse)?\s*:\s*(?:pre|break)", re.IGNORECASE)
OWN_LINE = re.compile(r"display\s*:\s*(?:block|flex|grid|list-item|table(?!-cell|-column))", re.IGNORECASE)
BLANKS = re.compile(r"[\s\u00ad\u115f\u1160\u200b-\u200f\u2060-\u2064\u2800\u3164\ufeff\uffa0]{100}")
"""Enough blanks to push the rest of the line out of the window."""
STYLE_SHEET = re.compile(r"<style[^>]*>(.*?)(?:</style|\Z)", re.IGNORECASE | re.DOTALL)
MARKING = ("class", "id", "name", "data-marker", "data-testid")

Attributes = list[tuple[str, str | None]]


def as_text(html: str) -> Text:
    """Return the visible text. Parsing stops at an unclosed construct or an invalid declaration."""
    sheets, is_unambiguous = style_sheets(html[:LONGEST])
    page = Page(sheet_of(html, sheets))
    page.is_doubtful = len(html) > LONGEST or not is_unambiguous
    page.may_not_wrap = NOT_WRAPPED.search(html) is not None
    with suppress(AssertionError):
        page.feed(f"{html[:LONGEST]}<br>")
    lines = "".join(page.written).split("\n")
    return Text([UNPROVEN + line if BLANKS.search(line) else line for line in lines], page.rests, page.is_doubtful)


def sheet_of(html: str, sheets: Iterable[str]) -> Sheet:
    """Read all style sheets first, because a style sheet at the end also applies to the text above it.

    Outlook also reads those in comments.
    """
    sheet = Sheet()
    for text in dict.fromkeys([*sheets, *STYLE_SHEET.findall(html[:LONGEST])]):
        sheet.add(text)
    return sheet


class Page(HTMLParser):
    """Collects the visible text.

    An element that is left out ends only at its own end tag, even if the HTML inside it is broken.
    """

    def __init__(self, sheet: Sheet) -> None:
        super().__init__(convert_charrefs=True)
        self.written: list[str] = []
        self.rests: list[str] = []
        self.left_out = ""
        self.depth = 0
        self.blockquotes = 0
        self.unclosed = Counter[str]()
        """How many elements of each kind are open inside the element that is being left out."""
        self.verbatim = ""
        self.verbatim_depth = 0
        self.is_over = False
        self.is_doubtful = False
        """Whether none of the email's text is certain to be visible."""
        self.may_not_wrap = False
        """Whether the email has lines that are not wrapped, so that their ends may be out of the window."""
        self.beside = 0.0
        """The width in pixels of the elements before the next text in the same line."""
        self.sheet = sheet
        self.known_rules: dict[tuple[int, ...], list[Declaration]] = {}
        self.judged = 0
        self.overlap = 0.0
        self.carried_offset = 0.0
        """How far, in pixels, all following text is moved by elements that browsers may have kept open."""
        self.looks: list[tuple[str, Look]] = []
        """The look of the text inside each open element. The innermost element is last."""
        self.open_cells = 0
        """How many of these elements are cells of tables."""
        self.roots: set[str] = set()
        """The names of all elements that were opened. Browsers merge a second body or html element with the first, so
        its styles apply to the whole page."""
        self.body = Look()
        """The look of the text in the body. Without a document type, tables take their text color from it."""
        self.has_own_line: dict[str, list[bool]] = defaultdict(list)
        """Whether each open element is displayed as a block, by tag name. The innermost element is last."""

    def handle_starttag(self, tag: str, attrs: Attributes) -> None:
        if not self.left_out and (tag == "body" or tag not in IN_HEAD.union(ROOTS)):
            self.open_roots(before=tag)
        declared = self.declared(tag, attrs)
        self.count_overlap(tag, declared)
        self.is_doubtful |= tag in READ_DIFFERENTLY or loads_styles(tag, attrs) or is_always_dark(tag, attrs)
        self.is_doubtful |= self.ends_unclearly(tag) or any(name.startswith("shadowroot") for name, _ in attrs)
        self.is_doubtful |= tag in self.roots.intersection(ROOTS) and self.restyles_page(tag, attrs, declared)
        if self.left_out or self.is_over:
            self.depth += tag == self.left_out
            self.blockquotes += tag == "blockquote"
            self.unclosed[tag] += tag not in VOID
            return
        self.is_over = says(NOTHING_BELOW, attrs)
        look = self.look_inside(tag, attrs, declared)
        self.is_doubtful |= tag in COLUMNS and look.visibility != Visibility.SHOWN
        self.is_over |= tag in ROOTS and is_left_out(tag, attrs)
        if tag not in VOID.union(ROOTS) and (is_left_out(tag, attrs) or look.visibility == Visibility.HIDDEN):
            self.left_out, self.depth, self.blockquotes, self.unclosed = tag, 1, int(tag == "blockquote"), Counter()
            self.written.append(LEFT_OUT_HERE if tag == "blockquote" else "\n")
            return
        self.body = look if tag == "body" else self.body
        self.looks += [(tag, look)] if tag not in VOID else []
        self.open_cells += tag in TABLE_CELLS
        if tag == "hr" or BAR_ABOVE.search(style(attrs)):
            self.written.append(f"\n{DIVIDER}\n")
        else:
            self.begin(tag, style(attrs))
        self.count_beside(tag, declared, own_line=tag == "br" or tag in BLOCKS or bool(OWN_LINE.search(style(attrs))))

    def restyles_page(self, tag: str, attrs: Attributes, declared: list[Declaration]) -> bool:
        """Return whether a second body or html element changes how the text above it looks, even if it is quoted."""
        look = self.body.inside(tag, declared)
        is_same = (look.texts, look.backgrounds) == (self.body.texts, self.body.backgrounds)
        return not is_same or look.visible != Visibility.SHOWN or is_left_out(tag, attrs)

    def ends_unclearly(self, tag: str) -> bool:
        """Return whether browsers may not agree with us where an element around this one ends."""
        return any(
            tag not in allowed and (name == self.left_out or self.unclosed[name])
            for name, allowed in ALLOWED_INSIDE.items()
        )

    def open_roots(self, before: str = "") -> None:
        """Open the elements around the whole page, which browsers add if the email doesn't contain them."""
        for tag in ROOTS:
            if tag != before and tag not in self.roots:
                declared = self.declared(tag, [])
                self.count_overlap(tag, declared)
                look = self.look_inside(tag, [], declared)
                self.body = look if tag == "body" else self.body
                self.looks.append((tag, look))

    def count_overlap(self, tag: str, declared: list[Declaration]) -> None:
        self.overlap += overlap(declared)
        is_block = tag in BLOCKS | CELLS or tag == "blockquote"
        self.is_doubtful |= may_cover(tag, declared, is_block=is_block) or self.overlap > MOST_OVERLAP

    def count_beside(self, tag: str, declared: list[Declaration], *, own_line: bool) -> None:
        if own_line:
            self.beside = 0
        elif self.may_not_wrap or tag in CELLS - {"img"} or self.open_cells:
            self.beside += width(declared)

    def declared(self, tag: str, attrs: Attributes) -> list[Declaration]:
        """Return all declarations that may apply to an element, from style sheets and from its own attributes."""
        if self.judged > MOST_JUDGED:
            return [UNREADABLE]
        for name, value in attrs:
            if name in LINK_COLOURS and value:
                self.sheet.apply("a", frozenset(), [Declaration("color", (coloured(value),))])
        matching = self.sheet.matching(tag, names_of(attrs))
        own = [Declaration(LOOK_ATTRIBUTES[name], (coloured(value),)) for name, value in attrs
               if name in LOOK_ATTRIBUTES and value]  # fmt: skip
        own += sizes(tag, attrs)
        styles = [one for name, value in attrs if name == "style" and value for one in declarations(value)]
        if matching not in self.known_rules:
            self.known_rules[matching] = [one for number in matching for one in self.sheet.rules[number][2]]
        self.judged += len(self.known_rules[matching]) + len(own) + len(styles)
        return [*self.known_rules[matching], *own, *styles]

    def look_inside(self, tag: str, attrs: Attributes, declared: list[Declaration]) -> Look:
        around, outside = self.looks[-1] if self.looks else ("", Look())
        for implied in IMPLIED_IN.get(around, {}).get(tag, ()):
            outside = self.look_of_implied(implied, outside)
        if tag in self.roots.intersection(ROOTS):
            known = self.declared(tag, [])
            declared = [one for one in declared if one not in known]
        changes = declared or tag == "a" or tag in TAG_FONTS or tag in INDENTED
        look = outside.inside(tag, declared) if changes else outside
        if tag == "table":
            look = replace(look, texts=look.texts | self.body.texts)
        if tag in self.roots.intersection(ROOTS) and look != outside:
            look = look.unproven()
        self.roots.add(tag)
        given = {name for name, _ in attrs}
        is_closed = tag in CLOSED and "open" not in given
        is_plain = tag not in NOT_SHOWN_AS_TEXT and not is_closed and "popover" not in given
        return look if is_plain and len(given) == len(attrs) else look.unproven()

    def look_of_implied(self, tag: str, outside: Look) -> Look:
        declared = self.declared(tag, [])
        self.count_overlap(tag, declared)
        look = outside.inside(tag, declared) if declared else outside
        self.is_doubtful |= tag in COLUMNS and look.visibility != Visibility.SHOWN
        return look

    def begin(self, tag: str, look: str) -> None:
        self.verbatim_depth += tag == self.verbatim
        if not self.verbatim and tag not in VOID and (tag == "pre" or VERBATIM.search(look)):
            self.verbatim, self.verbatim_depth = tag, 1
        own_line = bool(OWN_LINE.search(look))
        if tag not in VOID:
            self.has_own_line[tag].append(own_line)
        if tag == "br" or tag in BLOCKS or own_line:
            self.written.append("\n")
        elif tag in TABLE_CELLS:
            self.written.append(" ")

    def handle_endtag(self, tag: str) -> None:
        if self.left_out:
            self.end_inside(tag)
            return
        self.leave(tag)
        self.verbatim_depth -= tag == self.verbatim
        if not self.verbatim_depth:
            self.verbatim = ""
        had_own_line = self.has_own_line[tag].pop() if self.has_own_line[tag] else False
        if tag in BLOCKS or had_own_line:
            self.written.append("\n")

    def leave(self, tag: str) -> None:
        """Leave an element. The roots stay open, because browsers move everything after them into the body.

        If the end tag skips open elements, browsers may keep some of them open, so all of them must look the same.
        """
        if tag in ROOTS:
            return
        for place in range(len(self.looks) - 1, max(-1, len(self.looks) - DEEPEST), -1):
            if self.looks[place][0] == tag:
                outside = self.looks[place - 1][1] if place else Look()
                if place < len(self.looks) - 1:
                    self.leave_all([look for _, look in self.looks[place:]], outside)
                self.open_cells -= sum(tag in TABLE_CELLS for tag, _ in self.looks[place:])
                del self.looks[place:]
                return

    def leave_all(self, inside: list[Look], outside: Look) -> None:
        self.carried_offset += max(look.offset for look in inside) - outside.offset
        differ = any(replace(look, offset=outside.offset) != outside for look in inside)
        self.is_doubtful |= differ or self.carried_offset > FARTHEST

    def end_inside(self, tag: str) -> None:
        """If an element ends before a quotation inside it does, treat everything that follows as quoted."""
        self.depth -= tag == self.left_out
        self.blockquotes -= tag == "blockquote"
        if not self.depth:
            self.is_doubtful |= may_stay_open(self.left_out, +self.unclosed)
            self.left_out, self.is_over = "", self.blockquotes > 0
        elif self.unclosed[tag]:
            self.unclosed[tag] -= 1

    def handle_data(self, data: str) -> None:
        if data.strip() and not self.left_out:
            self.open_roots()
        look = self.looks[-1][1] if self.looks else Look()
        self.is_doubtful |= bool(data.strip()) and not self.left_out and look.may_cover
        visibility = max(look.visible, Visibility.UNPROVEN if self.beside > WIDEST else Visibility.SHOWN)
        if self.left_out or self.is_over or visibility == Visibility.HIDDEN:
            return
        mark = UNPROVEN if visibility == Visibility.UNPROVEN and data.strip() else ""
        if self.verbatim:
            text = unfold(data, flowed="")
            self.written.append("\n".join(mark + line for line in text.lines))
            self.rests += text.rests
        else:
            self.written.append(mark + re.sub(r"[ \t\r\n\f]+", " ", data))
            self.rests += data.splitlines()[1:]


def may_stay_open(left_out: str, unclosed: Counter[str]) -> bool:
    """Return whether browsers may ignore the end tag of an element that is left out, or keep an element inside it
    open."""
    if left_out in BLOCKS | QUOTING | UNSEEN:
        return not unclosed.keys().isdisjoint(("table", "td", "th", "caption"))
    return not BLOCKS.isdisjoint(unclosed)


def loads_styles(tag: str, attrs: Attributes) -> bool:
    return tag == "link" and "stylesheet" in (dict(attrs).get("rel") or "").lower()


def is_always_dark(tag: str, attrs: Attributes) -> bool:
    """Return whether the email asks for a dark background, on which its black text would be invisible."""
    given = {name: (value or "").lower() for name, value in attrs}
    is_scheme = tag == "meta" and given.get("name", "").strip().endswith(("color-scheme", "color-schemes"))
    return is_scheme and not allows_light(tuple(given.get("content", "").split()))


def sizes(tag: str, attrs: Attributes) -> list[Declaration]:
    """Return what the attributes that old browsers used instead of styles mean."""
    found = []
    for name, value in attrs:
        number = LEADING_NUMBER.match(value or "")
        is_size = tag in CELLS and (name == "width" or (name == "height" and tag != "img"))
        property_name = name if is_size else SPACE_ATTRIBUTES.get(name)
        if number and property_name:
            found.append(Declaration(property_name, (f"{number[1]}{number[2] or 'px'}",)))
    return found


def coloured(value: str) -> str:
    """Add the # to hexadecimal colors. Old attributes allow colors without it."""
    lower = value.strip().lower()
    return f"#{lower}" if re.fullmatch(r"[0-9a-f]{6}|[0-9a-f]{3}", lower) else lower


def names_of(attrs: Attributes) -> list[str]:
    """Return an element's classes and ID."""
    names = " ".join(value for name, value in attrs if name in ("class", "id") and value)
    return names.lower().split()


def is_left_out(tag: str, attrs: Attributes) -> bool:
    if tag in UNSEEN | TAKEN_BACK | QUOTING or says(LEFT_OUT, attrs):
        return True
    return "hidden" in dict(attrs) or bool(BAR_AT_THE_LEFT.search(style(attrs)))


def says(pattern: re.Pattern[str], attrs: Attributes) -> bool:
    return any(pattern.search(value[:LONGEST_ATTRIBUTE]) for name, value in attrs if name in MARKING and value)


def style(attrs: Attributes) -> str:
    return (dict(attrs).get("style") or "")[:LONGEST_ATTRIBUTE]
