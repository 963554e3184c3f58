"""A letter as HTML that mail programs leave alone: tables and inline styles, nothing that is fetched from elsewhere."""

from collections.abc import Iterable, Sequence
from html import escape

from games.mail.letter import Block, Code, Letter, Link, Offers, Picture, Quote, Scores, Story, Words

# Each colour comes with its background, so that a program that darkens mail turns both.
INK, PAPER, SHADE, EDGE, WOOD = "#2b2620", "#ffffff", "#f6f2ea", "#d9cfbd", "#8a4b16"
SANS = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
MONO = "font-family:ui-monospace,Menlo,Consolas,'DejaVu Sans Mono','Courier New',monospace"
BODY = f"{SANS};font-size:16px;line-height:1.5;color:{INK}"
TITLE = f"{SANS};font-size:13px;font-weight:bold;color:{WOOD};text-transform:uppercase;letter-spacing:1px"
SMALL = f"{SANS};font-size:13px;line-height:1.5;color:#6d6456"
CODE = f"{MONO};font-size:14px;background:{SHADE};color:{INK};padding:2px 6px;border-radius:3px"
BOARD = (
    f"{MONO};font-size:12px;line-height:1.4;background:{SHADE};color:{INK};border:1px solid {EDGE};"
    "border-radius:4px;padding:12px;margin:0;overflow-x:auto;white-space:pre"
)
CELL = f"{SANS};font-size:14px;color:{INK};padding:4px 12px 4px 0;border-bottom:1px solid {EDGE}"
BUTTON = f"{SANS};font-size:15px;font-weight:bold;color:#ffffff;text-decoration:none;display:inline-block"

PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
</head>
<body style="margin:0;padding:0;background:{shade};color:{ink}">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:{shade}">
<tr><td align="center" style="padding:16px 8px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"
 style="max-width:660px;background:{paper};border:1px solid {edge};border-top:4px solid {wood};border-radius:4px">
<tr><td style="padding:20px 24px 4px 24px;{body}">{greeting}</td></tr>
{blocks}
<tr><td style="padding:20px 24px 20px 24px;{small}">{footer}</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
"""


def as_html(letter: Letter) -> str:
    return PAGE.format(
        title=escape(letter.subject),
        greeting=escape(letter.greeting),
        blocks="\n".join(
            f'<tr><td style="padding:10px 24px;{BODY}">{write(block)}</td></tr>' for block in letter.blocks
        ),
        footer="<br>\n".join(write_small(block) for block in letter.footer),
        shade=SHADE,
        paper=PAPER,
        edge=EDGE,
        wood=WOOD,
        ink=INK,
        body=BODY,
        small=SMALL,
    )


def write(block: Block) -> str:
    match block:
        case Words(text=text):
            return escape(text)
        case Link():
            return button(block)
        case Code(label=label, code=code):
            return f'{escape(label)}:<br><span style="{CODE};font-size:24px;letter-spacing:3px">{escape(code)}</span>'
        case Quote(author=author, text=text):
            return quote(author, text)
        case Story(title=title, told=told):
            return headed(title, story(told))
        case Picture(title=title, text=text):
            return headed(title, f'<pre style="{BOARD}">{escape(text.rstrip())}</pre>')
        case Offers():
            return headed(block.title, offers(block))
        case Scores():
            return headed(block.title, scores(block))


def write_small(block: Words | Link) -> str:
    if isinstance(block, Words):
        return escape(block.text)
    return f'<a href="{escape(block.url)}" style="color:{WOOD}">{escape(block.label)}</a>'


def headed(title: str, body: str) -> str:
    return body if not title else f'<div style="{TITLE};padding:0 0 6px 0">{escape(title)}</div>\n{body}'


def button(link: Link) -> str:
    """A table cell with a background: the one form of button that every program shows."""
    return (
        '<table role="presentation" cellpadding="0" cellspacing="0"><tr>'
        f'<td style="background:{WOOD};border-radius:4px;padding:10px 20px">'
        f'<a href="{escape(link.url)}" style="{BUTTON}">{escape(link.label)}</a></td></tr></table>'
    )


def quote(author: str, text: str) -> str:
    lines = "<br>\n".join(escape(line) for line in text.splitlines())
    return f'<b>{escape(author)}</b><div style="border-left:3px solid {EDGE};padding:2px 0 2px 12px">{lines}</div>'


def story(told: Iterable[str]) -> str:
    return '<ul style="margin:0;padding:0 0 0 20px">\n' + "\n".join(map(sentence, told)) + "\n</ul>"


def sentence(words: str) -> str:
    first, *rest = words.splitlines() or [""]
    lines = "".join(
        f'\n<pre style="{MONO};font-size:12px;margin:0;white-space:pre-wrap">{escape(r)}</pre>' for r in rest
    )
    return f'<li style="margin:0 0 2px 0">{escape(first)}{lines}</li>'


def offers(block: Offers) -> str:
    rows = "\n".join(
        f'<tr><td style="padding:3px 16px 3px 0"><span style="{CODE};font-weight:bold">{escape(offer.notation)}</span>'
        f'</td><td style="padding:3px 0"><span style="{CODE}">{escape(offer.command)}</span></td></tr>'
        for offer in block.offers
    )
    hint = f'<div style="padding:6px 0 0 0">{escape(block.hint)}</div>' if block.hint else ""
    return f'<table role="presentation" cellpadding="0" cellspacing="0">\n{rows}\n</table>{hint}'


def scores(block: Scores) -> str:
    heads = "".join(cell(text, number, "th") for number, text in enumerate(block.heads))
    rows = "\n".join(score_row(row) for row in block.rows)
    return f'<table cellpadding="0" cellspacing="0">\n<tr>{heads}</tr>\n{rows}\n</table>'


def score_row(row: Sequence[str]) -> str:
    """A row that begins with spaces is a part of the sum above it."""
    tag = "td" if row[0].startswith(" ") else "th"
    return "<tr>" + "".join(cell(text, number, tag) for number, text in enumerate(row)) + "</tr>"


def cell(text: str, column: int, tag: str) -> str:
    side = "left" if column == 0 else "right"
    inset = f"padding-left:{6 * (len(text) - len(text.lstrip()))}px;" if column == 0 else ""
    return f'<{tag} style="{CELL};{inset}text-align:{side}">{escape(text.strip())}</{tag}>'
