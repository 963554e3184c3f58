"""Check that browsers split an HTML email into the same tags, comments and text as Python's parser does.

The two differ in input that mail programs never write, such as quotes in end tags or unusual ends of comments. Such
input could contain a tag that only one of them sees.
"""

import re

SPACE = r"[ \t\n\r\f]"
TAG_NAME = r"[a-z][a-z0-9:._-]*+"
VALUE = r"""(?:"[^"]*+"|'[^']*+'|[^\s"'<>=`]++[^\s"'<>`]*+)"""
ATTRIBUTE = rf"""[^\s"'<>/=\x00]++(?:{SPACE}*+={SPACE}*+{VALUE})?"""
START_TAG = rf"""<(?P<name>{TAG_NAME})(?:(?:[ \t\n\r\f/]++|(?<=["'])){ATTRIBUTE})*[ \t\n\r\f/]*+>"""
# Only single characters are repeated possessively, because Python 3.11.0 to 3.11.4 has a bug in repeated groups.
TOKEN = re.compile(
    rf"[^<]++|<(?![a-z/!?])|</{TAG_NAME}{SPACE}*+>|{START_TAG}"
    r"|<!--(?!-?>)(?:[^-]++|-(?!-!?>))*-->"
    r"|<!\[(?:if|endif)[^<>]*+(?<=\])>|<\?[^<>]*+>"
    r"""|<!doctype\b[^<>"]*+(?:"[^"<>]*+"[^<>"]*+)*>""",
    re.IGNORECASE,
)
CONTENTS = {
    name: re.compile(rf"{contents}</{name}{SPACE}*+>", re.IGNORECASE)
    for name, contents in {
        "style": r"(?:[^<]++|<(?!/\s*+style))*",
        "script": r"(?:[^<]++|<(?!/\s*+script|!--))*",
        "title": "[^<]*+",
        "textarea": "[^<]*+",
    }.items()
}
"""The contents of the elements in which browsers look only for their own end tag."""
STYLED = re.compile(rf"""["'\s/](?:style|class|id){SPACE}*+={SPACE}*+({VALUE})""", re.IGNORECASE)
OPEN_REFERENCE = re.compile(r"&[a-z][a-z0-9]*+(?!;)", re.IGNORECASE)
"""A character reference without a semicolon. In attributes, browsers take it literally."""


def style_sheets(html: str) -> tuple[list[str], bool]:
    """Return the contents of all style elements, up to the first ambiguous place, and whether there is none."""
    found, place = list[str](), 0
    while place < len(html):
        token = TOKEN.match(html, place)
        if token is None or (token["name"] and any(map(OPEN_REFERENCE.search, STYLED.findall(token[0])))):
            return found, False
        place = token.end()
        name = (token["name"] or "").lower()
        if name in CONTENTS:
            inside = CONTENTS[name].match(html, place)
            if inside is None:
                return found, False
            found += [inside[0].rpartition("</")[0]] if name == "style" else []
            place = inside.end()
    return found, True
