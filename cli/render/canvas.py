"""Render Rich drawings as text for this terminal."""

from io import StringIO

from rich.console import Console, RenderableType

from cli.render.style import Style

WIDEST = 100


def drawn(picture: RenderableType, style: Style) -> str:
    page = StringIO()
    console = Console(
        file=page,
        width=min(style.width, WIDEST),
        force_terminal=style.colour,
        color_system="auto" if style.colour else None,
        no_color=not style.colour,
        markup=False,
        emoji=False,
        highlight=False,
        legacy_windows=False,
    )
    console.print(picture)
    return "\n".join(line.rstrip() for line in page.getvalue().splitlines())
