"""Play at the terminal: show the board, prompt for a move, preview it, confirm, repeat."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from cli.match_fetch import FetchedMatch, fetch_match
from cli.move_submission import pending_move, preview_move, submit_move
from cli.problems import Problem, Refused, Stale
from cli.render import match as render
from cli.session import Session, ask, typeable

LEAVE = "leave"
"""Typing this ends the demo. In other matches, an empty line is enough."""


def play_turns(session: Session, fetched: FetchedMatch) -> FetchedMatch:
    """Prompt for moves until it is another player's turn or the player leaves."""
    if offer_unsent(session, fetched.match["id"]):
        fetched = fetch_match(session, fetched.match["id"], offline_ok=False)
    show_match(session, fetched)
    while fetched.is_my_turn and (move := choose_move(session, fetched)):
        if make_move(session, fetched, move):
            fetched = replace(fetch_match(session, fetched.match["id"], offline_ok=False), news=())
            if fetched.is_my_turn or not session.is_demo:
                show_match(session, fetched)
    return fetched


def show_match(session: Session, fetched: FetchedMatch) -> None:
    if session.is_demo:
        display(session, render.demo_screen(fetched, session.style))
    else:
        display(session, render.screen(fetched, session.style, prompting=fetched.is_my_turn))


def display(session: Session, text: str) -> None:
    sys.stdout.write(f"\n{typeable(text, session.profile_name)}\n")
    sys.stdout.flush()


@contextmanager
def temporary_status(session: Session, text: str) -> Iterator[None]:
    """Show a line while something is going on, then remove it, if the terminal can draw."""
    shown = text if session.interactive and session.style.drawn else ""
    sys.stdout.write(shown)
    sys.stdout.flush()
    yield
    sys.stdout.write(f"\r{' ' * len(shown)}\r" if shown else "")


def choose_move(session: Session, fetched: FetchedMatch) -> str:
    """Return the move that the player typed or chose by number, or an empty string if they leave."""
    while True:
        typed = prompt_for_move(session)
        if typed.lower() in HELP_WORDS:
            display(session, HELP_WORDS[typed.lower()](session, fetched))
        elif typed.isdecimal():
            if move := numbered_move(fetched, int(typed)):
                return move
            display(session, f"There's no move {typed} in the list.")
        elif typed or not session.is_demo:
            return "" if session.is_demo and typed.lower() == LEAVE else typed


def prompt_for_move(session: Session) -> str:
    way_out = f"{LEAVE} to end the demo" if session.is_demo else "Enter to skip"
    return ask(f"\nType a number or a move (help, rules, or {way_out}): ", at_end=LEAVE * session.is_demo)


def numbered_move(fetched: FetchedMatch, number: int) -> str:
    """Return the move with this number in the list, or an empty string if there is none."""
    offered = fetched.choices["moves"] if fetched.choices else []
    return str(offered[number - 1]["notation"]) if 1 <= number <= len(offered) else ""


def notation_help(_session: Session, fetched: FetchedMatch) -> str:
    """List every kind of move in the game, including those that aren't possible now."""
    from cli.commands.games import find_game

    lines = [f"  {example:<24}{meaning}" for example, meaning in find_game(fetched.match["game"]).notation_help]
    return "\n".join(["Write moves like this:", *lines])


def rules_help(session: Session, fetched: FetchedMatch) -> str:
    from cli.commands.games import find_game, rules_text

    return rules_text(find_game(fetched.match["game"]), session.style)


HELP_WORDS: dict[str, Callable[[Session, FetchedMatch], str]] = {"help": notation_help, "rules": rules_help}
"""Words that can be typed instead of a move."""


def make_move(session: Session, fetched: FetchedMatch, move: str) -> bool:
    """Make the move, and return whether there is a new position to show. If the move is refused, the player can
    choose again."""
    match_id, turn = fetched.match["id"], int(fetched.match["turn"])
    try:
        if not confirm_move(session, match_id, move, turn):
            return False
        response = submit_move(session, pending_move(match_id, move, turn))
    except (Refused, Stale) as problem:
        display(session, problem.message if session.is_demo and "turnpost " in problem.hint else problem.text)
        return isinstance(problem, Stale)
    display(session, render.move_outcome(response, turn))
    return True


def confirm_move(session: Session, match_id: str, move: str, turn: int) -> bool:
    """Preview the move and ask for confirmation, unless it is sealed and can be replaced later."""
    if session.yes:
        return True
    preview = preview_move(session, match_id, move, turn)
    if preview["move"]["sealed"]:
        return True
    display(session, render.move_preview(preview))
    return ask(f"Play '{move}'? [Y/n] ").lower() in ("", "y", "yes")


def offer_unsent(session: Session, match_id: str) -> bool:
    """Offer to send a saved move, and return whether it was sent, so that there is a new position to show."""
    unsent = session.store.unsent_move(match_id)
    if unsent is None:
        return False
    display(session, f"Your move '{unsent['move']}' on turn {unsent['turn']} couldn't be sent.")
    if ask("Send it now? [y/N] ").lower() not in ("y", "yes"):
        return False
    try:
        display(session, render.move_outcome(submit_move(session, unsent), int(unsent["turn"])))
    except Problem as problem:
        display(session, problem.text)
        return isinstance(problem, Stale)
    return True
