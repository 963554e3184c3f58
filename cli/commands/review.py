"""Review a finished match to find out where the player could have played better."""

import time

from cli.command import EXAMPLE_MATCH, MatchId, Result, command
from cli.local_store import Document
from cli.match_fetch import resolve_match_id
from cli.problems import Refused
from cli.render.style import Style
from cli.session import Session
from cli.terminal import progress
from games.engine.text import counted

POLL_SECONDS = 0.5
LONGEST_WAIT = 600.0
COSTLIEST = 3
NEGLIGIBLE = 0.01
"""Differences smaller than this are search noise."""


@command(f"turnpost review {EXAMPLE_MATCH}", f"turnpost review {EXAMPLE_MATCH} --json")
def review(session: Session, match: MatchId = None) -> Result:
    """Review your decisions in a finished match.

    The server looks for better moves, using only what you could know at the time. This takes up to a minute. The review
    starts with your three costliest moves.
    """
    match_id = resolve_match_id(session, match)
    end = time.monotonic() + LONGEST_WAIT
    with progress(session, "Reviewing your decisions") as show:
        while (found := session.server.get(f"matches/{match_id}/review"))["state"] != "done":
            if time.monotonic() > end:
                hint = f"Try again later: turnpost review {match_id}"
                raise Refused("not_ready", "The review isn't ready yet. The server is busy.", hint)
            show(found["done"], found["total"] or None)
            time.sleep(POLL_SECONDS)
    return Result(found, lambda style: review_text(found, style), is_read_from_the_top=True)


def review_text(found: Document, style: Style) -> str:
    decisions, missing = found["decisions"], missing_text(found)
    costly = [one for one in decisions[:COSTLIEST] if one["cost"] >= NEGLIGIBLE]
    good = sum(one["cost"] < NEGLIGIBLE for one in decisions)
    summary = f"In {good} of {counted(len(decisions), 'decision')}, your move was as good as any the search found."
    if not decisions:
        return missing or "You had no decisions to make in this match."
    if not costly:
        return f"{summary} {missing or 'You made no mistakes.'}"
    lines = [line for one in costly for line in decision_lines(one)]
    rest = [one_line(one) for one in decisions[COSTLIEST:] if one["cost"] >= NEGLIGIBLE]
    parts = [f"{summary} {missing}".strip(), "\n".join([style.paint("Your costliest moves", "bold"), *lines])]
    if rest:
        parts.append("\n".join([style.paint("Other moves that could have been better", "bold"), *rest]))
    return "\n\n".join(parts)


def missing_text(found: Document) -> str:
    return f"The server couldn't review {found['missing']} of your moves." if found["missing"] else ""


def decision_lines(one: Document) -> list[str]:
    chances = f"{percent(one['chance'])} instead of {percent(one['best_chance'])}"
    return [
        f"  Turn {one['turn']}: you played {one['move']}; the search prefers {one['best']}.",
        f"    Your chance of winning: {chances}.",
    ]


def one_line(one: Document) -> str:
    return f"  Turn {one['turn']}: {one['move']} instead of {one['best']} ({percent(one['cost'])} less likely to win)"


def percent(share: float) -> str:
    return f"{100 * share:.0f}%"
