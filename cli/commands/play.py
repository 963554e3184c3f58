"""Make a move, take back a sealed move, or resend an unsent one."""

from dataclasses import replace
from typing import Annotated

import typer

from cli import completion
from cli.command import EXAMPLE_MATCH, MatchId, Result, command
from cli.interactive import display
from cli.local_store import Document
from cli.match_fetch import FetchedMatch, fetch_match, resolve_match_id
from cli.move_submission import pending_move, preview_move, submit_move, turn_decided_on
from cli.problems import UPDATE, Problem, Refused, Stale, Usage
from cli.render import match as render
from cli.render.style import Style
from cli.session import Session, ask
from games.engine.errors import UnknownGame
from games.engine.registry import engine, verbs

Words = Annotated[
    list[str],
    typer.Argument(
        metavar="[ID] MOVE", help="A match (default: the current one) and a move.", autocompletion=completion.move_words
    ),
]
Turn = Annotated[int | None, typer.Option("--turn", help="The turn the move is for (default: the one you last saw).")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Show what the move would do, without playing it.")]


@command(f"turnpost play {EXAMPLE_MATCH} draw", "turnpost draw", "turnpost draw --dry-run")
def play(session: Session, words: Words, turn: Turn = None, dry_run: DryRun = False) -> Result:
    """Make a move.

    The move is for the turn you last saw. If the match has moved on since, nothing is played and you see the new
    board. A move that can't be sent is saved. Resend it with: turnpost retry
    """
    match_id, move = split_match_and_move(session, words)
    decided_on = turn_decided_on(session, match_id, turn)
    if dry_run:
        preview = preview_move(session, match_id, move, decided_on)
        return Result(preview, lambda _style: render.move_preview(preview))
    return submit_and_show(session, pending_move(match_id, move, decided_on))


@command(f"turnpost withdraw {EXAMPLE_MATCH}")
def withdraw(session: Session, match: MatchId = None) -> Result:
    """Take back your move while it's still sealed."""
    match_id = resolve_match_id(session, match)
    move = withdrawal(session, match_id)
    return submit_and_show(session, pending_move(match_id, move, turn_decided_on(session, match_id, None)))


def withdrawal(session: Session, match_id: str) -> str:
    """Return the notation for withdrawing a sealed move in this game."""
    seen = session.store.snapshot(match_id)
    game = seen["match"]["game"] if seen else session.server.get(f"matches/{match_id}")["game"]
    try:
        rules = engine(game)
    except UnknownGame:
        raise Refused("unknown_game", f"This client is too old for '{game}'.", UPDATE) from None
    if rules.withdrawal is None:
        hint = f"Your moves: turnpost moves {match_id}"
        raise Refused("no_sealed_moves", f"{rules.title} has no sealed moves.", hint)
    return rules.notation(rules.withdrawal)


@command(f"turnpost retry {EXAMPLE_MATCH}", f"turnpost retry {EXAMPLE_MATCH} --drop")
def retry(
    session: Session,
    match: MatchId = None,
    drop: Annotated[bool, typer.Option("--drop", help="Discard the move instead.")] = False,
) -> Result:
    """Resend a move that couldn't be sent.

    It's played only on the turn it was meant for, and only once, even if the first attempt did arrive.
    """
    unsent = find_unsent(session, match)
    if drop:
        session.store.drop_unsent(unsent["match"])
        return Result({"dropped": unsent}, lambda _style: f"Discarded '{unsent['move']}'.")
    return submit_and_show(session, unsent)


def find_unsent(session: Session, match: str | None) -> Document:
    prefix = (match or "").lower()
    fitting = [pending for pending in session.store.unsent_moves() if pending["match"].startswith(prefix)]
    if not fitting:
        raise Refused("nothing_unsent", "Nothing to resend.", "See what's waiting: turnpost status")
    if len(fitting) > 1:
        listed = ", ".join(f"'{pending['move']}' in {pending['match']}" for pending in fitting)
        raise Usage("which_move", f"Several moves are unsent: {listed}.", "Choose one: turnpost retry ID")
    return fitting[0]


def split_match_and_move(session: Session, words: list[str]) -> tuple[str, str]:
    written = " ".join(words).split()
    verb = written[0].lower() if written else ""
    if verb in verbs():
        return resolve_match_id(session, None), " ".join(written)
    if len(written) < 2:
        raise Usage("no_move", "Which move?", "Example: turnpost play ID take 2   Your moves: turnpost moves ID")
    return resolve_match_id(session, written[0]), " ".join(written[1:])


def submit_and_show(session: Session, pending: Document) -> Result:
    try:
        response = submit_move(session, pending)
    except Stale as problem:
        if not session.interactive:
            raise
        return ask_again(session, pending, problem)
    return Result(response, lambda style: outcome_text(session, response, int(pending["turn"]), style))


def ask_again(session: Session, stale: Document, problem: Stale) -> Result:
    """Show the new board and offer to play the same move on it."""
    display(session, problem.message)
    fetched = fetch_match(session, stale["match"], offline_ok=False)
    display(session, render.screen(fetched, session.style))
    if not fetched.is_my_turn or ask(f"Play '{stale['move']}' now? [y/N] ").lower() not in ("y", "yes"):
        raise Stale(problem.code, "Nothing was played.", f"Your moves: turnpost moves {stale['match']}")
    return submit_and_show(session, pending_move(stale["match"], stale["move"], int(fetched.match["turn"])))


def outcome_text(session: Session, response: Document, decided_on: int, style: Style) -> str:
    """Say what happened, and show the board if it is the player's turn again."""
    happened = render.move_outcome(response, decided_on)
    try:
        fetched = fetch_match(session, response["match"], offline_ok=False)
    except Problem as problem:
        return f"{happened}\n\n{problem.text}"
    if fetched.is_my_turn or fetched.match["phase"] != "running":
        return f"{happened}\n\n{render.screen(replace(fetched, news=()), style)}"
    return f"{happened}\n\n{who_is_next(fetched)}"


def who_is_next(fetched: FetchedMatch) -> str:
    names, awaited = fetched.names, fetched.match["awaiting"]
    turn = (
        f"It's {names.possessive(awaited[0])} turn." if len(awaited) == 1 else f"Waiting for {names.objects(awaited)}."
    )
    return f"{turn} Your next match: turnpost next"
