"""Arguments that several commands take."""

from typing import Annotated

import typer

from cli import completion

MatchId = Annotated[
    str | None,
    typer.Argument(
        metavar="[ID]",
        help="The match; the current one if left out. The beginning of an id is enough.",
        autocompletion=completion.matches,
    ),
]
OneMatchId = Annotated[str, typer.Argument(metavar="ID", help="The match.", autocompletion=completion.matches)]
