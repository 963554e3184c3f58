"""Show a match outside the prompt: fitted to the terminal, or in full if the output goes elsewhere."""

from dataclasses import replace

from cli.match_fetch import FetchedMatch, News, read_news
from cli.render import match as render
from cli.render import screen as screens
from cli.render.style import resized
from cli.session import Session
from cli.terminal import draws_in_place

LOG_EVENTS = 40
"""How many events to fetch for the log beside the board."""


def match_screen(session: Session, fetched: FetchedMatch, happened: str = "", next_step: str | None = None) -> str:
    """Render a match, what has happened in it, and the next step (default: the command to type next)."""
    if not draws_in_place(session):
        return "\n\n".join(filter(None, [happened, render.screen(fetched, session.style)]))
    style = resized(session.style)
    return screens.fitted(
        fetched,
        replace(style, height=style.height - screens.SHELL_LINES),
        label=screens.match_label(fetched.match),
        log=fetch_log(session, fetched),
        notice="\n".join(filter(None, [happened, render.next_command(fetched) if next_step is None else next_step])),
    ).rstrip("\n")


def fetch_log(session: Session, fetched: FetchedMatch) -> tuple[News, ...]:
    """Return the latest events for the log beside the board, if there is room for it."""
    if not screens.has_log(resized(session.style)) or fetched.seen_at:
        return ()
    since = max(0, fetched.match["fairness"]["events"] - LOG_EVENTS)
    events = session.public_server.pages(f"matches/{fetched.match['id']}/log", since=since)
    return read_news(events, fetched.match)
