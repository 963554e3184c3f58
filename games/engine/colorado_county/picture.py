"""A view in plain text, at most 80 columns, shared by the command line and the mails."""

from collections.abc import Sequence

from games.engine.colorado_county.view import View


def picture(view: View, names: Sequence[str]) -> str:
    return "\n".join(view.board) + "\n"
