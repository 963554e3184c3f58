"""Review a finished match, to see where you could have played better."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from cli.command import EXAMPLE_MATCH, MatchId, Result, command
from cli.local_store import Document
from cli.match_fetch import resolve_match_id
from cli.problems import Refused
from cli.render.style import Style
from cli.session import Session
from games.engine.text import counted

POLL_SECONDS = 0.5
LONGEST_WAIT = 600.0
COSTLIEST = 3
NEGLIGIBLE = 0.01
"""Differences smaller than this can't be measured by the search."""


@command(f"turnpost review {EXAMPLE_MATCH}", f"turnpost review {EXAMPLE_MATCH} --json")
def review(session: Session, match: MatchId = None) -> Result:
    """Review your decisions in a finished match.

    The server looks for better moves, given only what you could know at the time. This takes up to a minute. Your
    three costliest moves come first.
    """
    match_id = resolve_match_id(session, match)
    end = time.monotonic() + LONGEST_WAIT
    with progress_bar(session) as show:
        while (found := session.server.get(f"matches/{match_id}/review"))["state"] != "done":
            if time.monotonic() > end:
                hint = f"Try again later: turnpost review {match_id}"
                raise Refused("not_ready", "The review isn't ready yet. The server is busy.", hint)
            show(found)
            time.sleep(POLL_SECONDS)
    return Result(found, lambda style: review_text(found, style))


@contextmanager
def progress_bar(session: Session) -> Iterator[Callable[[Document], None]]:
    """Show a progress bar on a terminal, and remove it at the end."""
    if not session.interactive:
        yield lambda _: None
        return
    from rich.progress import Progress

    with Progress(transient=True) as bar:
        task = bar.add_task("Reviewing your decisions", total=None)
        yield lambda found: bar.update(task, completed=found["done"], total=found["total"] or None)


def review_text(found: Document, style: Style) -> str:
    decisions = found["decisions"]
    costly = [one for one in decisions[:COSTLIEST] if one["cost"] >= NEGLIGIBLE]
    good = sum(one["cost"] < NEGLIGIBLE for one in decisions)
    summary = f"You matched the search in {good} of {counted(len(decisions), 'decision')}."
    if not decisions:
        return "You had no decisions to make in this match."
    if not costly:
        return f"{summary} You made no mistakes."
    lines = [line for one in costly for line in decision_lines(one)]
    rest = [one_line(one) for one in decisions[COSTLIEST:] if one["cost"] >= NEGLIGIBLE]
    parts = [summary, "\n".join([style.paint("Your costliest moves", "bold"), *lines])]
    if rest:
        parts.append("\n".join([style.paint("Other moves that could have been better", "bold"), *rest]))
    return "\n\n".join(parts)


def decision_lines(one: Document) -> list[str]:
    chances = f"{percent(one['chance'])} instead of {percent(one['best_chance'])}"
    return [
        f"  Turn {one['turn']}: you played {one['move']}; the search prefers {one['best']}.",
        f"    Your chance of winning: {chances}.",
    ]


def one_line(one: Document) -> str:
    return f"  Turn {one['turn']}: {one['move']}, better {one['best']} ({percent(one['cost'])} lost)"


def percent(share: float) -> str:
    return f"{100 * share:.0f}%"
