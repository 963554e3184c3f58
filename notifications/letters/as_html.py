"""Render a letter as HTML for mail programs. It uses tables and inline styles, and loads nothing from other servers."""

from collections.abc import Iterable, Sequence
from html import escape

from notifications.letters.blocks import (
    NO_BREAK,
    Block,
    Code,
    EventList,
    Letter,
    Link,
    Offer,
    Offers,
    Picture,
    Quote,
    Scores,
    Words,
)
from notifications.letters.board_html import LINE_BREAK, board_html, content
from notifications.letters.html_style import (
    ASIDE,
    BREAK,
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
    WOOD,
)

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
{preheader}
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" class="shade" style="background:{shade}">
<tr><td align="center" style="padding:16px 8px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" class="ink paper"
 style="max-width:600px;table-layout:fixed;background:{paper};color:{ink};border:1px solid {edge};{long_words};
 border-top:4px solid {wood};border-radius:4px">
{above}<tr><td class="block" style="padding:20px 20px 4px 20px">{greeting}</td></tr>
{blocks}
<tr><td class="faint block small" style="padding:20px;{small}">{footer}</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
"""


def as_html(letter: Letter) -> str:
    blocks = [f'<tr><td class="block" style="padding:10px 20px">{write(block)}</td></tr>' for block in letter.blocks]
    return PAGE.format(
        title=content(letter.subject),
        preheader=preheader(letter.preheader),
        above=above(letter.above),
        greeting=content(letter.greeting),
        blocks="\n".join(blocks),
        footer="<br>\n".join(write_small(block) for block in letter.footer),
        styles=STYLES,
        shade=SHADE,
        paper=PAPER,
        edge=EDGE,
        wood=WOOD,
        ink=INK,
        long_words=BREAK,
        small=SMALL,
    )


def preheader(text: str) -> str:
    """Put the main point at the top, hidden, where mail programs look for a preview."""
    return f'<div style="display:none;max-height:0;overflow:hidden">{content(text)}</div>' if text else ""


def above(line: str) -> str:
    return (
        f'<tr><td class="faint block small" style="padding:8px 20px 0 20px;{SMALL}">{content(line)}</td></tr>\n'
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
            return f'{content(label)}:<br><span class="code" style="{CODE};{large}">{content(code)}</span>'
        case Quote(author=author, text=text):
            return quote(author, text)
        case EventList(title=title, told=told):
            return headed(title, event_items(told))
        case Picture():
            return headed(block.title, board_html(block.board))
        case Offers():
            return headed(block.title, offers(block))
        case Scores():
            return headed(block.title, scores(block))


def write_small(block: Words | Link) -> str:
    if isinstance(block, Words):
        return words(block.text)
    return f'<a href="{escape(block.url)}" class="title" style="color:{WOOD}">{content(block.label)}</a>'


def words(text: str) -> str:
    """Escape text, and replace non-breaking spaces, which would otherwise end up in copied commands."""
    return content(text.replace(NO_BREAK, " "))


def headed(title: str, body: str) -> str:
    return body if not title else f'<div class="title heading" style="color:{WOOD}">{content(title)}</div>\n{body}'


def button(link: Link) -> str:
    """Render a link as a table cell with a background.

    This is the only kind of button that works in every mail program.
    """
    return (
        '<table role="presentation" cellpadding="0" cellspacing="0"><tr>'
        f'<td style="background:{WOOD};border-radius:4px;padding:10px 20px">'
        f'<a href="{escape(link.url)}" style="{BUTTON}">{content(link.label)}</a></td></tr></table>'
    )


def quote(author: str, text: str) -> str:
    lines = "<br>\n".join(content(line) for line in text.splitlines())
    bar = f"border-left:3px solid {EDGE};padding:2px 0 2px 12px"
    return f'<b>{content(author)}</b><div class="edge" style="{bar}">{lines}</div>'


def event_items(told: Iterable[str]) -> str:
    return '<ul style="margin:0;padding:0 0 0 20px">\n' + "\n".join(map(sentence, told)) + "\n</ul>"


def sentence(told: str) -> str:
    first, *rest = told.splitlines() or [""]
    look = f"{MONO};font-size:12px;margin:0;white-space:pre-wrap"
    lines = f'\n<pre style="{look}">{content(LINE_BREAK.join(rest))}</pre>' if rest else ""
    return f"<li>{words(first)}{lines}</li>"


def offers(block: Offers) -> str:
    rows = "\n".join(f"<tr>{move_cell(offer)}{code_cell(offer.command)}</tr>" for offer in block.offers)
    hint = f'<div style="padding:6px 0 0 0">{words(block.hint)}</div>' if block.hint else ""
    table = f'<table role="presentation" class="offers" cellpadding="0" cellspacing="0">\n{rows}\n</table>'
    return f'<div style="{ASIDE}">{table}</div>{hint}'


def move_cell(offer: Offer) -> str:
    """Render a move. If it has a link, one tap leads to the page that plays the move."""
    if not offer.url:
        return code_cell(offer.notation, ' class="move"')
    return f'<td><a href="{escape(offer.url)}">{content(offer.notation)}</a></td>'


def code_cell(code: str, kind: str = "") -> str:
    return f"<td><span{kind}>{content(code)}</span></td>"


def scores(block: Scores) -> str:
    heads = "".join(cell(text, number, "th") for number, text in enumerate(block.heads))
    rows = "\n".join(score_row(row) for row in block.rows)
    table = f'<table cellpadding="0" cellspacing="0">\n<tr>{heads}</tr>\n{rows}\n</table>'
    return f'<div style="{ASIDE}">{table}</div>'


def score_row(row: Sequence[str]) -> str:
    """Render a row of the score. Indented rows are parts of the total above them."""
    tag = "td" if row[0].startswith(" ") else "th"
    return "<tr>" + "".join(cell(text, number, tag) for number, text in enumerate(row)) + "</tr>"


def cell(text: str, column: int, tag: str) -> str:
    side = "left" if column == 0 else "right"
    inset = 6 * (len(text) - len(text.lstrip())) if column == 0 else 0
    look = f"{CELL};padding:4px 12px 4px {inset}px;text-align:{side}"
    return f'<{tag} class="ink edge score" style="{look}">{content(text.strip())}</{tag}>'
