"""Render a letter as HTML for mail programs, with tables and inline styles and nothing loaded from elsewhere."""

from collections.abc import Iterable, Sequence
from html import escape

from notifications.letters.blocks import (
    NO_BREAK,
    Block,
    Code,
    Letter,
    Link,
    Offer,
    Offers,
    Picture,
    Quote,
    Scores,
    Story,
    Words,
)
from notifications.letters.board_html import board_html
from notifications.letters.html_style import (
    ASIDE,
    BODY,
    BUTTON,
    CELL,
    CODE,
    EDGE,
    INK,
    MONO,
    PAPER,
    SHADE,
    SMALL,
    STYLES,
    TITLE,
    WOOD,
)

BOLD = "font-weight:bold;white-space:nowrap"
LARGE, MOST_LARGE = "font-size:24px;letter-spacing:3px", 12

PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>{title}</title>
{styles}
</head>
<body class="shade" style="margin:0;padding:0;background:{shade};color:{ink}">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" class="shade" style="background:{shade}">
<tr><td align="center" style="padding:16px 8px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" class="paper"
 style="max-width:600px;table-layout:fixed;background:{paper};border:1px solid {edge};
 border-top:4px solid {wood};border-radius:4px">
{above}<tr><td class="ink block" style="padding:20px 20px 4px 20px;{body}">{greeting}</td></tr>
{blocks}
<tr><td class="faint block" style="padding:20px 20px 20px 20px;{small}">{footer}</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
"""


def as_html(letter: Letter) -> str:
    blocks = [
        f'<tr><td class="ink block" style="padding:10px 20px;{BODY}">{write(block)}</td></tr>'
        for block in letter.blocks
    ]
    return PAGE.format(
        title=escape(letter.subject),
        above=above(letter.above),
        greeting=escape(letter.greeting),
        blocks="\n".join(blocks),
        footer="<br>\n".join(write_small(block) for block in letter.footer),
        styles=STYLES,
        shade=SHADE,
        paper=PAPER,
        edge=EDGE,
        wood=WOOD,
        ink=INK,
        body=BODY,
        small=SMALL,
    )


def above(line: str) -> str:
    return (
        f'<tr><td class="faint block" style="padding:8px 20px 0 20px;{SMALL}">{escape(line)}</td></tr>\n'
        if line
        else ""
    )


def write(block: Block) -> str:
    match block:
        case Words(text=text):
            return words(text)
        case Link():
            return button(block)
        case Code(label=label, code=code):
            large = LARGE if len(code) <= MOST_LARGE else ""
            return f'{escape(label)}:<br><span class="code" style="{CODE};{large}">{escape(code)}</span>'
        case Quote(author=author, text=text):
            return quote(author, text)
        case Story(title=title, told=told):
            return headed(title, story(told))
        case Picture():
            return headed(block.title, board_html(block.board))
        case Offers():
            return headed(block.title, offers(block))
        case Scores():
            return headed(block.title, scores(block))


def write_small(block: Words | Link) -> str:
    if isinstance(block, Words):
        return words(block.text)
    return f'<a href="{escape(block.url)}" class="title" style="color:{WOOD}">{escape(block.label)}</a>'


def words(text: str) -> str:
    """Escape text and replace non-breaking spaces, which would end up in copied commands."""
    return escape(text.replace(NO_BREAK, " "))


def headed(title: str, body: str) -> str:
    return body if not title else f'<div class="title" style="{TITLE};padding:0 0 6px 0">{escape(title)}</div>\n{body}'


def button(link: Link) -> str:
    """Render a link as a table cell with a background, the only kind of button that works in every mail program."""
    return (
        '<table role="presentation" cellpadding="0" cellspacing="0"><tr>'
        f'<td style="background:{WOOD};border-radius:4px;padding:10px 20px">'
        f'<a href="{escape(link.url)}" style="{BUTTON}">{escape(link.label)}</a></td></tr></table>'
    )


def quote(author: str, text: str) -> str:
    lines = "<br>\n".join(escape(line) for line in text.splitlines())
    bar = f"border-left:3px solid {EDGE};padding:2px 0 2px 12px"
    return f'<b>{escape(author)}</b><div class="edge" style="{bar}">{lines}</div>'


def story(told: Iterable[str]) -> str:
    return '<ul style="margin:0;padding:0 0 0 20px">\n' + "\n".join(map(sentence, told)) + "\n</ul>"


def sentence(told: str) -> str:
    first, *rest = told.splitlines() or [""]
    lines = "".join(
        f'\n<pre style="{MONO};font-size:12px;margin:0;white-space:pre-wrap">{escape(r)}</pre>' for r in rest
    )
    return f'<li style="margin:0 0 2px 0">{words(first)}{lines}</li>'


def offers(block: Offers) -> str:
    rows = "\n".join(f"<tr>{move_cell(offer)}{code_cell(offer.command)}</tr>" for offer in block.offers)
    hint = f'<div style="padding:6px 0 0 0">{words(block.hint)}</div>' if block.hint else ""
    table = f'<table role="presentation" cellpadding="0" cellspacing="0">\n{rows}\n</table>'
    return f'<div style="{ASIDE}">{table}</div>{hint}'


def move_cell(offer: Offer) -> str:
    """With a link, one tap leads to the page that plays the move."""
    if not offer.url:
        return code_cell(offer.notation, BOLD)
    link = f'<a href="{escape(offer.url)}" class="code" style="{CODE};{BOLD};color:{WOOD}">{escape(offer.notation)}</a>'
    return f'<td style="padding:3px 12px 3px 0">{link}</td>'


def code_cell(code: str, look: str = "font-size:13px") -> str:
    span = f'<span class="code" style="{CODE};{look}">{escape(code)}</span>'
    return f'<td style="padding:3px 12px 3px 0">{span}</td>'


def scores(block: Scores) -> str:
    heads = "".join(cell(text, number, "th") for number, text in enumerate(block.heads))
    rows = "\n".join(score_row(row) for row in block.rows)
    table = f'<table cellpadding="0" cellspacing="0">\n<tr>{heads}</tr>\n{rows}\n</table>'
    return f'<div style="{ASIDE}">{table}</div>'


def score_row(row: Sequence[str]) -> str:
    """Render a row of the score. An indented row is part of the total above it."""
    tag = "td" if row[0].startswith(" ") else "th"
    return "<tr>" + "".join(cell(text, number, tag) for number, text in enumerate(row)) + "</tr>"


def cell(text: str, column: int, tag: str) -> str:
    side = "left" if column == 0 else "right"
    inset = 6 * (len(text) - len(text.lstrip())) if column == 0 else 0
    look = f"{CELL};padding:4px 12px 4px {inset}px;text-align:{side}"
    return f'<{tag} class="ink edge score" style="{look}">{escape(text.strip())}</{tag}>'
