"""What the shell may complete, from what was seen last: it must be instant, so no server is asked."""

from typing import Any

import typer

from cli.contents import COMMANDS
from cli.kept import Document
from cli.problems import Problem
from cli.render.style import Style
from cli.session import Session


def matches(incomplete: str) -> list[tuple[str, str]]:
    """Ids of matches seen before, with what they are."""
    return [
        (match["id"], f"{match['game']} {match['title']}".strip())
        for match in (document["match"] for document in remembered())
        if match["id"].startswith(incomplete)
    ]


def words(ctx: typer.Context, incomplete: str) -> list[str]:
    """For `play`: a match's id, or the next word of what may be played in that match, or else in the current one."""
    typed = [word for word in ctx.params.get("words") or () if word]
    known = [match_id for match_id, _ in matches("")]
    named = typed[0] if typed and typed[0] in known else None
    so_far = typed[1:] if named else typed
    following = [move.split()[len(so_far)] for move in moves_in(named) if continues(move.split(), so_far)]
    candidates = [*known, *following] if not typed else following
    return [word for word in dict.fromkeys(candidates) if word.startswith(incomplete)]


def continues(move: list[str], so_far: list[str]) -> bool:
    return len(move) > len(so_far) and move[: len(so_far)] == so_far


def orders(incomplete: str) -> list[Any]:
    """Commands, and the verbs of what may be played in the current match."""
    from typer._click.shell_completion import CompletionItem

    commands = [
        CompletionItem(name, help=entry.help) for name, entry in COMMANDS.items() if name.startswith(incomplete)
    ]
    verbs = dict.fromkeys(move.split()[0] for move in moves_in(None))
    return commands + [
        CompletionItem(verb, help="a move in your match") for verb in verbs if verb.startswith(incomplete)
    ]


def moves_in(match_id: str | None) -> list[str]:
    """What may be played in this match, or in the current one."""
    session = Session(Style())
    try:
        document = session.kept.match(match_id or session.kept.current) or {}
    except Problem:
        return []
    choices = document.get("choices") or {"moves": [], "forms": []}
    return [move["notation"] for move in choices["moves"]] + [form["example"] for form in choices["forms"]]


def remembered() -> list[Document]:
    try:
        return Session(Style()).kept.matches()
    except Problem:
        return []
