"""Playing at the terminal: look, choose from a list, see what it would do, say yes."""

import sys
from collections.abc import Callable
from dataclasses import replace

from cli import orders
from cli.look import Document, Look, look
from cli.problems import Problem, Refused, Stale
from cli.render import match as render
from cli.session import Session, ask

LEAVE = "leave"
"""What ends the demo, of which nothing remains; other matches wait for whoever enters an empty line."""


def play_on(session: Session, seen: Look) -> Look:
    """Offers moves until it is no longer the player's turn, or they leave."""
    if offer_unsent(session, seen.match["id"]):
        seen = look(session, seen.match["id"], from_memory=False)
    show(render.screen(seen, session.style, asking=True, alone=session.at_demo))
    while seen.is_my_turn and (move := choose(session, seen)):
        if make_move(session, seen, move):
            seen = replace(look(session, seen.match["id"], from_memory=False), news=())
            show(render.screen(seen, session.style, asking=seen.is_my_turn, alone=session.at_demo))
    return seen


def show(text: str) -> None:
    sys.stdout.write(f"\n{text}\n")
    sys.stdout.flush()


def choose(session: Session, seen: Look) -> str:
    """A move in its notation, by number or in words; nothing to leave."""
    while True:
        answer = asked_for_move(session)
        if answer.lower() in TOLD:
            show(TOLD[answer.lower()](session, seen))
        elif answer.isdecimal():
            if move := numbered(seen, int(answer)):
                return move
            show(f"There is no {answer} in the list.")
        elif answer or not session.at_demo:
            return "" if session.at_demo and answer.lower() == LEAVE else answer


def asked_for_move(session: Session) -> str:
    way_out = f"{LEAVE}: end the demo" if session.at_demo else "enter: not now"
    return ask(f"\nYour move, by number or in words (help, rules, {way_out}): ", at_end=LEAVE * session.at_demo)


def numbered(seen: Look, number: int) -> str:
    """The move of this number in the list, if there is one."""
    offered = seen.choices["moves"] if seen.choices else []
    return str(offered[number - 1]["notation"]) if 1 <= number <= len(offered) else ""


def how_to_write(_session: Session, seen: Look) -> str:
    """All kinds of moves of the game, also those that are not offered now."""
    from cli.commands.games import known

    lines = [f"  {example:<24}{meaning}" for example, meaning in known(seen.match["game"]).notation_help]
    return "\n".join(["Moves are written like this:", *lines])


def rules(session: Session, seen: Look) -> str:
    from cli.commands.games import known, page

    return page(known(seen.match["game"]), session.style)


TOLD: dict[str, Callable[[Session, Look], str]] = {"help": how_to_write, "rules": rules}
"""What may be asked instead of moving."""


def make_move(session: Session, seen: Look, move: str) -> bool:
    """Whether there is a new position to look at. A refusal is told, and the player may choose again."""
    match_id, turn = seen.match["id"], int(seen.match["turn"])
    try:
        if not settled(session, match_id, move, turn):
            return False
        answer = orders.send(session, orders.order(match_id, move, turn))
    except (Refused, Stale) as problem:
        show(problem.message if session.at_demo and "turnpost " in problem.hint else told(problem))
        return isinstance(problem, Stale)
    show(events_told(answer, turn))
    return True


def settled(session: Session, match_id: str, move: str, turn: int) -> bool:
    """Shows what the move would do, and asks before what cannot be taken back."""
    if session.yes:
        return True
    would = orders.preview(session, match_id, move, turn)
    if would["move"]["sealed"]:
        return True
    show(foretold(would))
    return ask(f"Play '{move}'? [Y/n] ").lower() in ("", "y", "yes")


def foretold(would: Document) -> str:
    certain = [f"Then: {event['text']}" for event in would["would"]]
    return "\n".join([*certain, would["text"]])


def offer_unsent(session: Session, match_id: str) -> bool:
    """Whether it was sent, so that there is a new position to look at."""
    kept = session.kept.unsent_for(match_id)
    if kept is None:
        return False
    show(f"Your move '{kept['move']}' of turn {kept['turn']} could not be sent.")
    if ask("Send it now? [y/N] ").lower() not in ("y", "yes"):
        return False
    try:
        show(events_told(orders.send(session, kept), int(kept["turn"])))
    except Problem as problem:
        show(told(problem))
        return isinstance(problem, Stale)
    return True


def events_told(answer: Document, decided_on: int) -> str:
    """What happened. The last sealed move of a round opens all of them, and with that the turn goes up."""
    told_events = [event["text"] for event in answer["events"]]
    if answer["move"]["sealed"] and answer["turn"] == decided_on:
        told_events.append(f"Your move '{answer['move']['notation']}' is sealed until all are in.")
    return "\n".join(told_events)


def told(problem: Problem) -> str:
    return f"{problem.message} {problem.hint}".strip()
