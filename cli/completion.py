"""Shell completion from local snapshots. It has to be instant, so it never asks the server.

Shells evaluate completions (zsh even evaluates descriptions), and titles and moves come from other people through the
server. So descriptions are reduced to characters that no shell interprets, and unsafe words aren't offered at all.
"""

import re
from typing import Any

import typer

from cli.command_list import COMMANDS
from cli.local_store import Document
from cli.problems import Problem
from cli.render.style import Style
from cli.session import Session

SAFE_WORD = re.compile(r"[A-Za-z0-9/][A-Za-z0-9_./+-]*")
UNSAFE_IN_DESCRIPTION = re.compile(r"[^\w .,-]+")


def match_ids(incomplete: str) -> list[tuple[str, str]]:
    """Complete the ids of matches seen before, with a description of each."""
    return [
        (match["id"], description(f"{match.get('game')} {match.get('title', '')}"))
        for match in (snapshot["match"] for snapshot in snapshots())
        if match["id"].startswith(incomplete) and SAFE_WORD.fullmatch(match["id"])
    ]


def description(text: str) -> str:
    return " ".join(UNSAFE_IN_DESCRIPTION.sub(" ", text).split())


def move_words(ctx: typer.Context, incomplete: str) -> list[str]:
    """Complete the arguments of `play`: a match id, or the next word of a move in that match (default: the current
    one)."""
    typed = [word for word in ctx.params.get("words") or () if word]
    known = [match_id for match_id, _ in match_ids("")]
    match_id = typed[0] if typed and typed[0] in known else None
    so_far = typed[1:] if match_id else typed
    following = [move.split()[len(so_far)] for move in possible_moves(match_id) if continues(move.split(), so_far)]
    candidates = [*known, *following] if not typed else following
    return [word for word in dict.fromkeys(candidates) if word.startswith(incomplete)]


def continues(move: list[str], so_far: list[str]) -> bool:
    return len(move) > len(so_far) and move[: len(so_far)] == so_far


def first_words(incomplete: str) -> list[Any]:
    """Complete commands, and the first words of moves in the current match."""
    from typer._click.shell_completion import CompletionItem

    commands = [
        CompletionItem(name, help=entry.help) for name, entry in COMMANDS.items() if name.startswith(incomplete)
    ]
    verbs = dict.fromkeys(move.split()[0] for move in possible_moves(None))
    return commands + [
        CompletionItem(verb, help="move in the current match") for verb in verbs if verb.startswith(incomplete)
    ]


def possible_moves(match_id: str | None) -> list[str]:
    """Return the moves last offered in this match (default: the current one)."""
    session = Session(Style())
    try:
        snapshot = session.store.snapshot(match_id or session.store.current) or {}
    except Problem:
        return []
    choices = snapshot.get("choices") or {"moves": [], "forms": []}
    moves = [move["notation"] for move in choices["moves"]] + [form["example"] for form in choices["forms"]]
    return [move for move in moves if move and all(map(SAFE_WORD.fullmatch, move.split()))]


def snapshots() -> list[Document]:
    try:
        return Session(Style()).store.snapshots()
    except Problem:
        return []
