"""Making a move in one line, taking a sealed one back, and sending again what could not be sent."""

from typing import Annotated

import typer

from cli import completion, orders
from cli.arguments import MatchId
from cli.command import EXAMPLE_MATCH, command
from cli.look import Document, Look, look, which_match
from cli.problems import Problem, Refused, Stale, Usage
from cli.render import match as render
from cli.render.style import Style
from cli.result import Result
from cli.session import Session, ask
from cli.tableside import events_told, foretold, show, told
from games.engine.errors import UnknownGame
from games.engine.registry import engine, verbs

Words = Annotated[
    list[str],
    typer.Argument(
        metavar="[ID] MOVE", help="A match, if not the current one, and a move.", autocompletion=completion.words
    ),
]
Turn = Annotated[int | None, typer.Option("--turn", help="The turn you decided on, if not the one you saw last.")]
Preview = Annotated[bool, typer.Option("--dry-run", help="Only say what the move would do.")]


@command(f"turnpost play {EXAMPLE_MATCH} draw", "turnpost draw", "turnpost draw --dry-run")
def play(session: Session, words: Words, turn: Turn = None, dry_run: Preview = False) -> Result:
    """Make a move.

    It counts for the turn you saw last: if something happened since, nothing is played and you see the board again.
    A move that cannot be sent is kept, and sent again only when you say so: turnpost retry.
    """
    match_id, move = match_and_move(session, words)
    decided_on = orders.turn_decided_on(session, match_id, turn)
    if dry_run:
        would = orders.preview(session, match_id, move, decided_on)
        return Result(would, lambda _style: foretold(would))
    return carry_out(session, orders.order(match_id, move, decided_on))


@command(f"turnpost withdraw {EXAMPLE_MATCH}")
def withdraw(session: Session, match: MatchId = None) -> Result:
    """Take back your move while it is still sealed."""
    match_id = which_match(session, match)
    move = withdrawal(session, match_id)
    return carry_out(session, orders.order(match_id, move, orders.turn_decided_on(session, match_id, None)))


def withdrawal(session: Session, match_id: str) -> str:
    """How the game of this match writes that a sealed move is taken back."""
    seen = session.kept.match(match_id)
    game = seen["match"]["game"] if seen else session.server.get(f"matches/{match_id}")["game"]
    try:
        rules = engine(game)
    except UnknownGame:
        raise Refused("unknown_game", f"This client is too old for '{game}'.", "Update it, and try again.") from None
    if rules.withdrawal is None:
        hint = f"Your moves: turnpost moves {match_id}"
        raise Refused("no_sealed_moves", f"{rules.title} has no sealed moves.", hint)
    return rules.notation(rules.withdrawal)


@command(f"turnpost retry {EXAMPLE_MATCH}", f"turnpost retry {EXAMPLE_MATCH} --drop")
def retry(
    session: Session,
    match: MatchId = None,
    drop: Annotated[bool, typer.Option("--drop", help="Forget the move instead.")] = False,
) -> Result:
    """Send a move that could not be sent before.

    It is played only on the turn it was meant for, and only once, even if it did arrive the first time.
    """
    kept = unsent_move(session, match)
    if drop:
        session.kept.drop_unsent(kept["match"])
        return Result({"dropped": kept}, lambda _style: f"'{kept['move']}' is forgotten.")
    return carry_out(session, kept)


def unsent_move(session: Session, match: str | None) -> Document:
    waiting = session.kept.unsent()
    fitting = [order for order in waiting if order["match"].startswith((match or "").lower())]
    if not fitting:
        raise Refused("nothing_unsent", "There is no move that could not be sent.", "What waits: turnpost status")
    if len(fitting) > 1:
        listed = ", ".join(f"'{order['move']}' in {order['match']}" for order in fitting)
        raise Usage("which_move", f"Several moves could not be sent: {listed}.", "Choose one: turnpost retry ID")
    return fitting[0]


def match_and_move(session: Session, words: list[str]) -> tuple[str, str]:
    written = " ".join(words).split()
    verb = written[0].lower() if written else ""
    if verb in verbs():
        return which_match(session, None), " ".join(written)
    if len(written) < 2:
        raise Usage(
            "no_move", "Which move?", "For example: turnpost play ID take 2   What you may do: turnpost moves ID"
        )
    return which_match(session, written[0]), " ".join(written[1:])


def carry_out(session: Session, decided: Document) -> Result:
    try:
        answer = orders.send(session, decided)
    except Stale as problem:
        if not session.interactive:
            raise
        return decide_again(session, decided, problem)
    return Result(answer, lambda style: after_move(session, answer, int(decided["turn"]), style))


def decide_again(session: Session, decided: Document, problem: Stale) -> Result:
    """At a terminal the player sees the new board at once, and may still want the same."""
    show(problem.message)
    seen = look(session, decided["match"], from_memory=False)
    show(render.screen(seen, session.style))
    if not seen.is_my_turn or ask(f"Play '{decided['move']}' now? [y/N] ").lower() not in ("y", "yes"):
        raise Stale(problem.code, "Nothing was played.", f"Your choices: turnpost moves {decided['match']}")
    return carry_out(session, orders.order(decided["match"], decided["move"], int(seen.match["turn"])))


def after_move(session: Session, answer: Document, decided_on: int, style: Style) -> str:
    """What happened; and the board, if the player is asked again."""
    happened = events_told(answer, decided_on)
    try:
        seen = look(session, answer["match"], from_memory=False)
    except Problem as problem:
        return f"{happened}\n\n{told(problem)}"
    if seen.is_my_turn or seen.match["phase"] != "running":
        return f"{happened}\n\n{render.screen(Look(seen.match, seen.choices), style)}"
    return f"{happened}\n\n{awaited(seen)}"


def awaited(seen: Look) -> str:
    names = [seen.names[seat] for seat in seen.match["awaiting"]]
    return f"Now {' and '.join(names)} {'is' if len(names) == 1 else 'are'} to move. What else waits: turnpost next"
