"""Extract the visible lines of an HTML email, without what the mail program marks as quoted."""

import re
from collections import defaultdict
from contextlib import suppress
from dataclasses import replace
from html.parser import HTMLParser

from inbound.parsing.lines import UNPROVEN, Text, unfold
from inbound.parsing.styles import UNREADABLE, Declaration, Sheet, declarations
from inbound.parsing.visibility import TAG_FONTS, Look, Sight, may_cover

LONGEST = 200_000
LONGEST_ATTRIBUTE = 1000
DEEPEST = 200
MOST_JUDGED = 20_000
"""The number of declarations that are judged in one email. Beyond that, all of its text is in doubt."""
DIVIDER = "_" * 20
LEFT_OUT_HERE = "\n> \n"
"""A placeholder for a quotation, so that the line that introduces it is recognized."""

UNSEEN = {"script", "style", "title", "template", "svg", "object", "noscript", "select", "textarea"}
NOT_SHOWN_AS_TEXT = {
    "applet", "area", "audio", "bdi", "button", "canvas", "datalist", "frame", "input", "keygen", "map", "mark",
    "marquee", "meter", "optgroup", "option", "param", "progress", "rp", "rt", "rtc", "ruby", "slot", "video",
}  # fmt: skip
"""Elements that browsers don't show, or show in their own colors or order."""
CLOSED = {"details", "dialog"}
READ_DIFFERENTLY = {"iframe", "noembed", "noframes", "xmp", "plaintext", "listing", "math", "frameset", "base", "bdo"}
"""After these start tags, browsers parse the text by different rules than we do."""
LOOK_ATTRIBUTES = {"bgcolor": "background-color", "color": "color", "text": "color", "background": "background-image",
                   "face": "font-family"}  # fmt: skip
LINK_COLOURS = {"link", "vlink", "alink"}
TAKEN_BACK = {"s", "del", "strike"}
QUOTING = {"blockquote", "q"}
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
VERBATIM = re.compile(r"white-space(?:-collapse)?\s*:\s*(?:pre|break)", re.IGNORECASE)
OWN_LINE = re.compile(r"display\s*:\s*(?:block|flex|grid|list-item|table(?!-cell|-column))", re.IGNORECASE)
STYLE_SHEET = re.compile(r"<style[^>]*>(.*?)(?:</style|\Z)", re.IGNORECASE | re.DOTALL)
MARKING = ("class", "id", "name", "data-marker", "data-testid")

Attributes = list[tuple[str, str | None]]


def as_text(html: str) -> Text:
    """Return the visible text. Parsing stops at an unclosed construct or an invalid declaration."""
    page = Page(sheet_of(html))
    if len(html) > LONGEST:
        page.is_doubtful = True
    with suppress(AssertionError):
        page.feed(f"{html[:LONGEST]}<br>")
    return Text("".join(page.written).split("\n"), page.rests, page.is_doubtful)


def sheet_of(html: str) -> Sheet:
    """Read all style sheets first, because one at the end also applies to the text above it."""
    sheet = Sheet()
    for text in STYLE_SHEET.findall(html[:LONGEST]):
        sheet.add(text)
    return sheet


class Page(HTMLParser):
    """Collects the visible text. An element that is left out ends only at its own end tag, even if the HTML inside
    it is broken."""

    def __init__(self, sheet: Sheet) -> None:
        super().__init__(convert_charrefs=True)
        self.written: list[str] = []
        self.rests: list[str] = []
        self.left_out = ""
        self.depth = 0
        self.blockquotes = 0
        self.unclosed: list[str] = []
        """The open elements inside the one that is being left out."""
        self.verbatim = ""
        self.verbatim_depth = 0
        self.is_over = False
        self.is_doubtful = False
        """Whether no text in the email is certain to be visible."""
        self.sheet = sheet
        self.known_rules: dict[tuple[int, ...], list[Declaration]] = {}
        self.judged = 0
        self.looks: list[tuple[str, Look]] = []
        """The look inside each open element, innermost last."""
        self.roots: set[str] = set()
        """The elements seen so far: browsers merge a second body or html element with the first."""
        self.body = Look()
        """The body's look. Without a document type, tables take their text color from it."""
        self.has_own_line: dict[str, list[bool]] = defaultdict(list)
        """For each tag name, whether each open element is displayed as a block, innermost last."""

    def handle_starttag(self, tag: str, attrs: Attributes) -> None:
        declared = self.declared(tag, attrs)
        self.is_doubtful |= tag in READ_DIFFERENTLY or may_cover(tag, declared) or loads_styles(tag, attrs)
        if self.left_out or self.is_over:
            self.depth += tag == self.left_out
            self.blockquotes += tag == "blockquote"
            self.unclosed += [tag] if tag not in VOID else []
            return
        self.is_over = says(NOTHING_BELOW, attrs)
        look = self.look_inside(tag, attrs, declared)
        if tag not in VOID and (is_left_out(tag, attrs) or look.sight == Sight.HIDDEN):
            self.left_out, self.depth, self.blockquotes, self.unclosed = tag, 1, int(tag == "blockquote"), []
            self.written.append(LEFT_OUT_HERE if tag == "blockquote" else "\n")
            return
        self.body = look if tag == "body" else self.body
        self.looks += [(tag, look)] if tag not in VOID else []
        if tag == "hr" or BAR_ABOVE.search(style(attrs)):
            self.written.append(f"\n{DIVIDER}\n")
        else:
            self.begin(tag, style(attrs))

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
        styles = [one for name, value in attrs if name == "style" and value for one in declarations(value)]
        if matching not in self.known_rules:
            self.known_rules[matching] = [one for number in matching for one in self.sheet.rules[number][2]]
        self.judged += len(self.known_rules[matching]) + len(own) + len(styles)
        return [*self.known_rules[matching], *own, *styles]

    def look_inside(self, tag: str, attrs: Attributes, declared: list[Declaration]) -> Look:
        outside = self.looks[-1][1] if self.looks else Look()
        look = outside.inside(tag, declared) if declared or tag == "a" or tag in TAG_FONTS else outside
        if tag == "table":
            look = replace(look, texts=look.texts | self.body.texts)
        if tag in ("html", "body") and tag in self.roots and look != outside:
            look = look.doubted()
        self.roots.add(tag)
        given = {name for name, _ in attrs}
        is_closed = tag in CLOSED and "open" not in given
        is_plain = tag not in NOT_SHOWN_AS_TEXT and not is_closed and "popover" not in given
        return look if is_plain and len(given) == len(attrs) else look.doubted()

    def begin(self, tag: str, look: str) -> None:
        self.verbatim_depth += tag == self.verbatim
        if not self.verbatim and tag not in VOID and (tag == "pre" or VERBATIM.search(look)):
            self.verbatim, self.verbatim_depth = tag, 1
        own_line = bool(OWN_LINE.search(look))
        if tag not in VOID:
            self.has_own_line[tag].append(own_line)
        if tag == "br" or tag in BLOCKS or own_line:
            self.written.append("\n")
        elif tag in ("td", "th"):
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
        """Leave an element. If the end tag skips open elements, browsers may keep some of them open, so these must
        look the same."""
        for place in range(len(self.looks) - 1, max(-1, len(self.looks) - DEEPEST), -1):
            if self.looks[place][0] == tag:
                outside = self.looks[place - 1][1] if place else Look()
                if place < len(self.looks) - 1:
                    self.is_doubtful |= any(look != outside for _, look in self.looks[place:])
                del self.looks[place:]
                return

    def end_inside(self, tag: str) -> None:
        """If an element ends before a quotation inside it does, treat everything below as quoted."""
        self.depth -= tag == self.left_out
        self.blockquotes -= tag == "blockquote"
        if not self.depth:
            self.is_doubtful |= may_stay_open(self.left_out, self.unclosed)
            self.left_out, self.is_over = "", self.blockquotes > 0
        elif tag in self.unclosed[-DEEPEST:]:
            del self.unclosed[len(self.unclosed) - 1 - self.unclosed[::-1].index(tag)]

    def handle_data(self, data: str) -> None:
        sight = self.looks[-1][1].visible if self.looks else Sight.SHOWN
        if self.left_out or self.is_over or sight == Sight.HIDDEN:
            return
        mark = UNPROVEN if sight == Sight.UNPROVEN and data.strip() else ""
        if self.verbatim:
            text = unfold(data, flowed="")
            self.written.append("\n".join(mark + line for line in text.lines))
            self.rests += text.rests
        else:
            self.written.append(mark + re.sub(r"[ \t\r\n\f]+", " ", data))
            self.rests += data.splitlines()[1:]


def may_stay_open(left_out: str, unclosed: list[str]) -> bool:
    """Return whether browsers may ignore the end tag of an element that is left out, or keep an element inside it
    open."""
    if left_out in BLOCKS | QUOTING | UNSEEN:
        return any(tag in ("table", "td", "th", "caption") for tag in unclosed)
    return not BLOCKS.isdisjoint(unclosed)


def loads_styles(tag: str, attrs: Attributes) -> bool:
    return tag == "link" and "stylesheet" in (dict(attrs).get("rel") or "").lower()


def coloured(value: str) -> str:
    """Add the # to hexadecimal colors, which old attributes allow without it."""
    lower = value.strip().lower()
    return f"#{lower}" if re.fullmatch(r"[0-9a-f]{6}|[0-9a-f]{3}", lower) else lower


def names_of(attrs: Attributes) -> list[str]:
    """Return an element's classes and id."""
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
