"""Shell completion from local snapshots. Completion has to be instant, so it never asks the server.

Shells evaluate completions (zsh even evaluates descriptions), and titles and moves come from other people through the
server. For safety, descriptions contain only characters that no shell interprets, and unsafe words are not offered.
"""

import re
from typing import Any

import typer

from cli.command_list import COMMANDS
from cli.local_store import Document
from cli.move_words import next_words
from cli.problems import Problem
from cli.render.style import Style
from cli.session import Session

SAFE_WORD = re.compile(r"[A-Za-z0-9/][A-Za-z0-9_./+-]*")
UNSAFE_IN_DESCRIPTION = re.compile(r"[^\w .,-]+")


def match_ids(incomplete: str) -> list[tuple[str, str]]:
    """Complete the IDs of matches that the player has seen, with a description of each."""
    return [
        (match["id"], description(f"{match.get('game')} {match.get('title', '')}"))
        for match in (snapshot["match"] for snapshot in snapshots())
        if match["id"].startswith(incomplete) and SAFE_WORD.fullmatch(match["id"])
    ]


def description(text: str) -> str:
    return " ".join(UNSAFE_IN_DESCRIPTION.sub(" ", text).split())


def move_words(ctx: typer.Context, incomplete: str) -> list[str]:
    """Complete the arguments of `play`: a match ID, or the next word of a move.

    Moves are for the given match or, without one, for the current match.
    """
    typed = [word for word in ctx.params.get("words") or () if word]
    known = [match_id for match_id, _ in match_ids("")]
    match_id = typed[0] if typed and typed[0] in known else None
    so_far = typed[1:] if match_id else typed
    following = possible_words(match_id, so_far)
    candidates = [*known, *following] if not typed else following
    return [word for word in dict.fromkeys(candidates) if word.startswith(incomplete)]


def first_words(incomplete: str) -> list[Any]:
    """Complete commands, and the first words of moves in the current match."""
    from typer._click.shell_completion import CompletionItem

    commands = [
        CompletionItem(name, help=entry.help) for name, entry in COMMANDS.items() if name.startswith(incomplete)
    ]
    return commands + [
        CompletionItem(verb, help="move in the current match")
        for verb in possible_words(None, [])
        if verb.startswith(incomplete)
    ]


def possible_words(match_id: str | None, typed: list[str]) -> list[str]:
    """Return the next words of the moves last offered in this match, or in the current match if none is given."""
    session = Session(Style())
    try:
        snapshot = session.store.snapshot(match_id or session.store.current) or {}
        words = next_words(snapshot["match"].get("game", ""), snapshot.get("choices"), typed) if snapshot else []
    except (Problem, LookupError, TypeError, AttributeError):
        return []
    return [word for word in words if SAFE_WORD.fullmatch(word)]


def snapshots() -> list[Document]:
    try:
        return Session(Style()).store.snapshots()
    except Problem:
        return []
