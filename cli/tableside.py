"""Playing at the terminal: look, choose from a list, see what it would do, say yes."""

import sys
from dataclasses import replace

from cli import orders
from cli.look import Document, Look, look
from cli.problems import Problem, Refused, Stale
from cli.render import match as render
from cli.session import Session, ask


def play_on(session: Session, seen: Look) -> Look:
    """Offers moves until it is no longer the player's turn, or they leave with an empty line."""
    if offer_unsent(session, seen.match["id"]):
        seen = look(session, seen.match["id"], from_memory=False)
    show(render.screen(seen, session.style, asking=True))
    while seen.is_my_turn and (move := choose(seen)):
        if make_move(session, seen, move):
            seen = replace(look(session, seen.match["id"], from_memory=False), news=())
            show(render.screen(seen, session.style, asking=seen.is_my_turn))
    return seen


def show(text: str) -> None:
    sys.stdout.write(f"\n{text}\n")
    sys.stdout.flush()


def choose(seen: Look) -> str:
    """A move in its notation, by number or in words; nothing to leave."""
    offered = seen.choices or {"moves": [], "forms": []}
    listed = [move["notation"] for move in offered["moves"]]
    answer = ask("\nYour move, by number or in words (enter: not now): ")
    if not answer.isdecimal():
        return answer
    if 1 <= int(answer) <= len(listed):
        return str(listed[int(answer) - 1])
    show(f"There is no {answer} in the list.")
    return choose(seen)


def make_move(session: Session, seen: Look, move: str) -> bool:
    """Whether there is a new position to look at. A refusal is told, and the player may choose again."""
    match_id, turn = seen.match["id"], int(seen.match["turn"])
    try:
        if not settled(session, match_id, move, turn):
            return False
        answer = orders.send(session, orders.order(match_id, move, turn))
    except (Refused, Stale) as problem:
        show(told(problem))
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
