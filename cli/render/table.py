"""Columns of text, quick to import and to draw; wide letters take the two columns they need."""

from collections.abc import Sequence

from cli.render.style import Style
from games.engine.text import fit, width

GAP = "  "


def table(heads: Sequence[str], rows: Sequence[Sequence[str]], style: Style, flexible: int = 0) -> str:
    """Rows under their heads. The flexible column gives way when the line would be too long."""
    widths = [max(width(row[column]) for row in [heads, *rows]) for column in range(len(heads))]
    excess = sum(widths) + len(GAP) * (len(heads) - 1) - style.width
    if excess > 0:
        widths[flexible] = max(6, widths[flexible] - excess)
    first, *others = [
        GAP.join(fit(cell, room) for cell, room in zip(row, widths, strict=True)).rstrip() for row in [heads, *rows]
    ]
    return "\n".join([style.paint(first, "bold"), *others])
