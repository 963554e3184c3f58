"""Make a move, withdraw a sealed move, or resend an unsent one."""

from dataclasses import replace
from typing import Annotated

import typer

from cli import completion
from cli.command import EXAMPLE_MATCH, MatchId, MatchOption, Result, command
from cli.local_store import Document
from cli.match_fetch import fetch_match, resolve_match_id
from cli.match_screen import match_screen
from cli.move_submission import pending_move, preview_move, submit_move
from cli.problems import UPDATE, Problem, Refused, Stale, Usage
from cli.render import match as render
from cli.render.screen import prose
from cli.session import Session, ask
from cli.terminal import display
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


@command(
    f"turnpost play {EXAMPLE_MATCH} draw",
    "turnpost draw",
    "turnpost draw --dry-run",
    f"turnpost draw --match {EXAMPLE_MATCH}",
)
def play(
    session: Session, words: Words, match: MatchOption = None, turn: Turn = None, dry_run: DryRun = False
) -> Result:
    """Make a move.

    The move is for the turn you last saw. If the match has moved on since then, nothing is played and you see the new
    board. If the move can't be sent, it is saved. To resend it: turnpost retry
    """
    match_id, move = split_match_and_move(session, words, match)
    decided_on = turn_decided_on(session, match_id, turn)
    if dry_run:
        preview = preview_move(session, match_id, move, decided_on)
        return Result(preview, lambda style: prose(render.move_preview(preview), style))
    return submit_and_show(session, pending_move(match_id, move, decided_on))


def turn_decided_on(session: Session, match_id: str, given: int | None = None) -> int:
    """Return the turn that the player last saw, which might no longer be the current one.

    If the match has moved on, they have to look again.
    """
    known = session.store.last_turn_seen(match_id) if given is None else given
    return int(fetch_match(session, match_id, offline_ok=False).match["turn"]) if known is None else known


@command(f"turnpost withdraw {EXAMPLE_MATCH}")
def withdraw(session: Session, match: MatchId = None) -> Result:
    """Withdraw your move while it's still sealed."""
    match_id = resolve_match_id(session, match)
    decided_on = turn_decided_on(session, match_id)
    return submit_and_show(session, pending_move(match_id, withdrawal(session, match_id), decided_on))


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

    It's played only on the turn it was meant for, and only once, even if the first attempt did reach the server.
    """
    unsent = find_unsent(session, match)
    if drop:
        session.store.drop_unsent(unsent["match"])
        return Result({"dropped": unsent}, lambda _style: f"Discarded '{unsent['move']}'.")
    return submit_and_show(session, unsent)


def find_unsent(session: Session, match: str | None) -> Document:
    unsent = session.store.unsent_moves()
    match_id = resolve_match_id(session, match) if match else None
    fitting = [pending for pending in unsent if match_id in (None, pending["match"])]
    if not fitting:
        session.require_login()
        raise Refused("nothing_unsent", "Nothing to resend.", "See what's waiting: turnpost status")
    if len(fitting) > 1:
        listed = ", ".join(f"'{pending['move']}' in {pending['match']}" for pending in fitting)
        raise Usage("which_move", f"Several moves are unsent: {listed}.", "Choose one: turnpost retry ID")
    return fitting[0]


def split_match_and_move(session: Session, words: list[str], match: str | None) -> tuple[str, str]:
    if match:
        return resolve_match_id(session, match), " ".join(words)
    title, *rest = words
    if " " in title and rest:
        return resolve_match_id(session, title), " ".join(rest)
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
    return Result(response, lambda _style: outcome_text(session, response, int(pending["turn"])))


def ask_again(session: Session, stale: Document, problem: Stale) -> Result:
    """Show the new board. If it is the player's turn, offer to play the same move on it."""
    fetched = fetch_match(session, stale["match"], offline_ok=False)
    if not fetched.is_my_turn:
        display(session, match_screen(session, fetched, next_step=""))
        raise Stale(
            problem.code, problem.message, f"Wait for your turn: turnpost watch {stale['match']} --until-my-turn"
        )
    display(session, match_screen(session, fetched, problem.message, next_step=""))
    if ask(f"Play '{stale['move']}' now? [y/N] ").lower() not in ("y", "yes"):
        raise Stale(problem.code, f"You didn't play '{stale['move']}'.", f"Your moves: turnpost moves {stale['match']}")
    return submit_and_show(session, pending_move(stale["match"], stale["move"], int(fetched.match["turn"])))


def outcome_text(session: Session, response: Document, decided_on: int) -> str:
    """Say what happened, and show the board if it is the player's turn again."""
    happened = render.move_outcome(response, decided_on)
    try:
        fetched = fetch_match(session, response["match"], offline_ok=False)
    except Problem as problem:
        return f"{happened}\n\n{problem.text}"
    if fetched.is_my_turn or fetched.match["phase"] != "running":
        return match_screen(session, replace(fetched, news=()), happened)
    return f"{happened}\n\n{render.whose_turn(fetched)} Your next match: turnpost next"
