"""The visible lines of an HTML email, without what the mail program marks as quoted."""

import re
from collections import defaultdict
from contextlib import suppress
from html.parser import HTMLParser

from inbound.parsing.lines import Text, unfold
from inbound.parsing.visibility import Colours, is_hidden, rules

LONGEST = 200_000
LONGEST_ATTRIBUTE = 1000
DEEPEST = 200
DIVIDER = "_" * 20
LEFT_OUT_HERE = "\n> \n"
"""A placeholder for a quotation, so the line that introduces it is recognized."""

UNSEEN = {"script", "style", "title", "template", "svg", "object", "noscript", "select", "textarea"}
TAKEN_BACK = {"s", "del", "strike"}
QUOTING = {"blockquote", "q"}
VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
BLOCKS = {
    "address", "article", "aside", "body", "caption", "center", "dd", "details", "dialog", "dir", "div", "dl", "dt",
    "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hgroup",
    "html", "legend", "li", "main", "menu", "nav", "ol", "p", "pre", "section", "summary", "table", "tbody", "tfoot",
    "thead", "tr", "ul",
}  # fmt: skip
# Names of elements that hold a quotation or a signature: Gmail, Yahoo, Thunderbird, Proton, Outlook for phones and Mac,
# Zimbra, GMX and web.de, Spark, Tuta, Zoho and Mail.ru, with or without the prefix that Outlook adds to them.
LEFT_OUT = re.compile(
    r"gmail_(?:quote|attr|signature|extra)|yahoo[_-]?(?:quoted|signature)|moz-(?:cite|signature|forward)|"
    r"protonmail_(?:quote|signature)|ms-outlook-mobile|mail-editor-reference|reference-message|__(?:quoted_text|headers)__|"
    r"\bquoted?\b|messagereplysection|messagesignaturesection|tutanota_quote|zmail_extra|mail-quote|mailquote|"
    r"bloop_|cm_quote|missive_quote|front-blockquote|reply-intro|signature|\bsig\b",
    re.IGNORECASE,
)
# Everything below these elements is quoted: Outlook on the web and on the desktop, Zimbra, Thunderbird.
NOTHING_BELOW = re.compile(
    r"appendonsend|divrplyfwdmsg|outlookmessageheader|\bzwchr\b|stopspelling|moz-forward-container", re.IGNORECASE
)
NAMED = re.compile(r"[.#]([\w-]+)")
TAGS = re.compile(r"(?:^|,)\s*([a-z][a-z0-9]*)\s*(?=,|$)", re.IGNORECASE)
"""Selectors that consist of an element's name alone."""
COLOUR_ATTRIBUTES = {"bgcolor": "background-color", "color": "color", "text": "color"}
BAR_AT_THE_LEFT = re.compile(
    r"border-left\s*:(?!\s*(?:none|0))[^;]*\b(?:solid|double|dashed|dotted|inset)", re.IGNORECASE
)
BAR_ABOVE = re.compile(r"border-top\s*:(?!\s*(?:none|0))[^;]*\b(?:solid|double|dashed|dotted)", re.IGNORECASE)
VERBATIM = re.compile(r"white-space(?:-collapse)?\s*:\s*(?:pre|break)", re.IGNORECASE)
OWN_LINE = re.compile(r"display\s*:\s*(?:block|flex|grid|list-item|table(?!-cell|-column))", re.IGNORECASE)
MARKING = ("class", "id", "name", "data-marker", "data-testid")

Attributes = list[tuple[str, str | None]]


def as_text(html: str) -> Text:
    """Stops at an unclosed construct or an invalid declaration."""
    page = Page()
    with suppress(AssertionError):
        page.feed(f"{html[:LONGEST]}<br>")
    return Text("".join(page.written).split("\n"), page.rests)


class Page(HTMLParser):
    """A left-out element ends only at its own end tag, even if the HTML inside it is broken."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.written: list[str] = []
        self.rests: list[str] = []
        self.left_out = ""
        self.depth = 0
        self.blockquotes = 0
        self.verbatim = ""
        self.verbatim_depth = 0
        self.is_over = False
        self.hidden_names: set[str] = set()
        self.sheet: dict[str, str] = defaultdict(str)
        """What style sheets say about classes, ids and elements."""
        self.colours: list[tuple[str, Colours]] = []
        """The colors inside each open element. Innermost last."""
        self.has_own_line: dict[str, list[bool]] = defaultdict(list)
        """For each tag name, whether each open element is displayed as a block. Innermost last."""

    def handle_starttag(self, tag: str, attrs: Attributes) -> None:
        if self.left_out or self.is_over:
            self.depth += tag == self.left_out
            self.blockquotes += tag == "blockquote"
            return
        self.is_over = says(NOTHING_BELOW, attrs)
        if tag not in VOID and (is_left_out(tag, attrs) or self.hides(tag, attrs)):
            self.left_out, self.depth, self.blockquotes = tag, 1, int(tag == "blockquote")
            self.written.append(LEFT_OUT_HERE if tag == "blockquote" else "\n")
        elif tag == "hr" or BAR_ABOVE.search(style(attrs)):
            self.written.append(f"\n{DIVIDER}\n")
        else:
            if tag not in VOID:
                self.colours.append((tag, self.colours_inside(tag, attrs)))
            self.begin(tag, style(attrs))

    def hides(self, tag: str, attrs: Attributes) -> bool:
        return not self.hidden_names.isdisjoint([tag, *names_of(attrs)])

    def colours_inside(self, tag: str, attrs: Attributes) -> Colours:
        looks = [self.sheet.get(name, "") for name in (tag, *names_of(attrs))]
        looks += [f"{COLOUR_ATTRIBUTES[name]}:{value}" for name, value in attrs if name in COLOUR_ATTRIBUTES and value]
        inherited = self.colours[-1][1] if self.colours else Colours()
        return inherited.inside(";".join([*looks, style(attrs)]))

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
        self.leave_colours(tag)
        self.verbatim_depth -= tag == self.verbatim
        if not self.verbatim_depth:
            self.verbatim = ""
        had_own_line = self.has_own_line[tag].pop() if self.has_own_line[tag] else False
        if tag in BLOCKS or had_own_line:
            self.written.append("\n")

    def leave_colours(self, tag: str) -> None:
        for place in range(len(self.colours) - 1, max(-1, len(self.colours) - DEEPEST), -1):
            if self.colours[place][0] == tag:
                del self.colours[place:]
                return

    def end_inside(self, tag: str) -> None:
        """If the element ends before a quotation inside it does, everything below counts as quoted."""
        self.depth -= tag == self.left_out
        self.blockquotes -= tag == "blockquote"
        if not self.depth:
            self.left_out, self.is_over = "", self.blockquotes > 0

    def handle_data(self, data: str) -> None:
        if self.left_out == "style":
            self.read_sheet(data)
        if self.left_out or self.is_over or (self.colours and self.colours[-1][1].are_alike):
            return
        if self.verbatim:
            text = unfold(data, flowed="")
            self.written.append("\n".join(text.lines))
            self.rests += text.rests
        else:
            self.written.append(re.sub(r"[ \t\r\n\f]+", " ", data))
            self.rests += data.splitlines()[1:]

    def read_sheet(self, sheet: str) -> None:
        """What a style sheet hides anywhere is hidden, even if only in print. Its colors count only where they always
        apply: many emails have others for dark screens."""
        for selector, look, always in rules(sheet):
            names = NAMED.findall(selector) or TAGS.findall(selector.lower())
            if is_hidden(look):
                self.hidden_names.update(names)
            if always:
                for name in names:
                    self.sheet[name] = f"{self.sheet[name]};{look}"[-LONGEST_ATTRIBUTE:]


def names_of(attrs: Attributes) -> list[str]:
    """The classes and the id of an element."""
    names = " ".join(value for name, value in attrs if name in ("class", "id") and value)
    return names[:LONGEST_ATTRIBUTE].split()


def is_left_out(tag: str, attrs: Attributes) -> bool:
    if tag in UNSEEN | TAKEN_BACK | QUOTING or says(LEFT_OUT, attrs):
        return True
    look = style(attrs)
    return "hidden" in dict(attrs) or is_hidden(look) or bool(BAR_AT_THE_LEFT.search(look))


def says(pattern: re.Pattern[str], attrs: Attributes) -> bool:
    return any(pattern.search(value[:LONGEST_ATTRIBUTE]) for name, value in attrs if name in MARKING and value)


def style(attrs: Attributes) -> str:
    return (dict(attrs).get("style") or "")[:LONGEST_ATTRIBUTE]
