"""Show the past events of a match, as a log or turn by turn with boards."""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby
from typing import Annotated, Any

import typer

from cli.client import MAX_ENTRIES
from cli.command import EXAMPLE_MATCH, MatchId, Result, command
from cli.days import read_moment
from cli.local_store import Document
from cli.match_fetch import FetchedMatch, fetch_match, resolve_match_id
from cli.problems import Usage
from cli.proof_check import verify_proof
from cli.render.board import picture
from cli.render.match import INDENT, indented
from cli.render.screen import PROMPT_LINES, latest, prose
from cli.render.style import Style, resized
from cli.session import Session, ask
from cli.terminal import display, full_screen
from games.engine.names import Names

PROVEN = ("finished", "abandoned")
"""The phases in which a match has a proof."""


@command(f"turnpost log {EXAMPLE_MATCH}", f"turnpost log {EXAMPLE_MATCH} --since 3", "turnpost log --since yesterday")
def log(
    session: Session,
    match: MatchId = None,
    since: Annotated[
        str,
        typer.Option("--since", metavar="TURN|DATE", help="Start at a turn or a date: 3, 2026-12-20, yesterday."),
    ] = "",
) -> Result:
    """Show what happened in a match."""
    is_wanted = parse_since(since.strip())
    match_id = resolve_match_id(session, match)
    events = [event for event in fetch_events(session, match_id) if is_wanted(event)]
    nothing = f"Nothing has happened since {'turn ' * since.isdecimal()}{since}."
    return Result(
        {"match": match_id, "events": events},
        lambda style: nothing if since and not events else log_text(events, style),
    )


def parse_since(written: str) -> Callable[[Document], bool]:
    """Return whether an event is from this turn or date, or a later one."""
    if not written:
        return lambda _event: True
    if written.isdecimal():
        return lambda event: int(event["turn"]) >= int(written)
    try:
        begin = read_moment(written)
    except ValueError:
        hint = "Examples: --since 3, --since 2026-12-20, --since yesterday"
        raise Usage("bad_since", f"'{written}' is neither a turn nor a date.", hint) from None
    return lambda event: datetime.fromisoformat(event["at"]) >= begin


def fetch_events(session: Session, match_id: str) -> list[Document]:
    return session.public_server.pages(f"matches/{match_id}/log", most=MAX_ENTRIES)


def log_text(events: Iterable[Document], style: Style) -> str:
    lines = []
    known = [event for event in events if event["text"]]
    for turn, happened in groupby(known, key=lambda event: event["turn"]):
        lines.append(style.paint(f"Turn {turn}", "bold"))
        lines += [prose(f"  {line}", style) for event in happened for line in event["text"].splitlines()]
    return "\n".join(lines) or "Nothing has happened yet."


@dataclass(frozen=True)
class PastTurn:
    game: str
    rules: int
    turn: int
    events: tuple[str, ...]
    view: Document | None
    names: Names

    @property
    def data(self) -> Document:
        return {"turn": self.turn, "events": list(self.events), "view": self.view}

    def render(self, style: Style) -> str:
        happened = "\n".join(self.happened(style))
        return "\n\n".join(filter(None, [self.heading(style), happened, self.board(style)]))

    def fitted(self, style: Style) -> str:
        """Render the turn with as many details as fit above the prompt."""
        room = style.height - PROMPT_LINES
        for shown in (style, replace(style, legend=False)):
            if (text := self.render(shown)).count("\n") < room:
                return text
        board = self.board(style, is_compact=True).splitlines()
        return "\n".join([self.heading(style), *latest(self.happened(style), room - len(board) - 1, style), *board])

    def heading(self, style: Style) -> str:
        return style.paint(f"Turn {self.turn}", "bold")

    def happened(self, style: Style) -> list[str]:
        if style.drawn:
            return [line for text in self.events for line in indented(text, style)]
        return [f"{INDENT}{line}" for text in self.events for line in text.splitlines()]

    def board(self, style: Style, *, is_compact: bool = False) -> str:
        if self.view is None:
            return ""
        return picture(self.game, self.view, self.names, style, rules=self.rules, is_compact=is_compact)


@command(f"turnpost history {EXAMPLE_MATCH}", f"turnpost history {EXAMPLE_MATCH} --turn 1")
def history(
    session: Session,
    match: MatchId = None,
    turn: Annotated[int | None, typer.Option("--turn", "-t", help="Show only this turn.")] = None,
) -> Result | None:
    """Step through a match, turn by turn.

    Shows every board as you saw it at the time. Finished matches are replayed from their proof, and running matches
    come from the server. A proof leaves out sealed moves that were withdrawn or voided. In their place, you see the
    move that a time-out would have made.
    """
    fetched = fetch_match(session, resolve_match_id(session, match))
    is_proven = fetched.match["phase"] in PROVEN
    turns = turns_from_proof(session, fetched) if is_proven else turns_from_log(session, fetched)
    if turn is not None:
        turns = [past for past in turns if past.turn == turn]
        if not turns:
            all_turns = f"List all turns: turnpost log {fetched.match['id']}"
            raise Usage("no_such_turn", f"There is no turn {turn}.", all_turns)
    elif session.interactive:
        step_through(session, turns)
        return None
    data = {"match": fetched.match["id"], "turns": [past.data for past in turns]}
    return Result(data, lambda style: "\n\n".join(past.render(style) for past in turns))


def turns_from_log(session: Session, fetched: FetchedMatch) -> list[PastTurn]:
    """Return the turns of a running match, each with the resulting board as the player may see it."""
    match_id, game = fetched.match["id"], fetched.match["game"]
    views = fetch_views(session, match_id) if session.profile.token else {}
    events = fetch_events(session, match_id)
    texts_by_turn = {
        turn: tuple(event["text"] for event in happened if event["text"])
        for turn, happened in groupby(events, key=lambda event: int(event["turn"]))
    }
    rules, names = fetched.match["rules"], fetched.names
    return [PastTurn(game, rules, turn, texts, views.get(turn), names) for turn, texts in texts_by_turn.items()]


def fetch_views(session: Session, match_id: str) -> dict[int, Document]:
    """Return the player's view of each turn."""
    found: dict[int, Document] = {}
    more = True
    while more:
        page = session.server.get(f"matches/{match_id}/boards", since=max(found, default=0))
        found |= {board["turn"]: board["view"] for board in page["boards"]}
        more = page["more"]
    return found


def turns_from_proof(session: Session, fetched: FetchedMatch) -> list[PastTurn]:
    """Replay a finished match as the player saw it, with their own secrets but nobody else's.

    The proof leaves out sealed moves that were withdrawn or voided. In place of each, the replay shows the move that a
    time-out would have made.
    """
    from games.engine.proof import Replay
    from games.engine.registry import engine

    document = session.public_server.get_bytes(f"matches/{fetched.match['id']}/proof")
    proof = verify_proof(document).proof
    rules, names, seat = engine(proof.terms.game, proof.terms.rules), fetched.names, fetched.match["you"]
    replay = Replay(rules, proof.terms, bytes.fromhex(proof.secret))

    def past_turn(events: list[Any]) -> PastTurn:
        texts = tuple(
            rules.tell(chained.event, names)
            for chained in events
            if chained.audience is None or seat in chained.audience
        )
        view = json.loads(rules.views.dump(rules.view(replay.state, seat)))
        return PastTurn(rules.slug, rules.rules_version, replay.turn, texts, view, names)

    turns = [past_turn(replay.events)]
    for made in proof.moves:
        move = rules.on_timeout(replay.state, made.seat) if made.move is None else rules.read_move(made.move)
        turns.append(past_turn(replay.play(made.seat, move)))
    return turns


def step_through(session: Session, turns: list[PastTurn]) -> None:
    index = 0
    with full_screen(session):
        while 0 <= index < len(turns):
            shown, style = turns[index], resized(session.style)
            display(session, shown.fitted(style) if session.is_full_screen else shown.render(style))
            typed = ask(f"{index + 1} of {len(turns)} (Enter: next, b: back, number: go to, q: quit) ")
            index = next_index(index, typed, len(turns))


def next_index(index: int, typed: str, count: int) -> int:
    if typed.isdecimal():
        return min(max(int(typed), 1), count) - 1
    return {"": index + 1, "n": index + 1, "b": max(index - 1, 0), "q": count}.get(typed.lower(), index)
