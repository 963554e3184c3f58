"""Show what happened in a match: its log, and every turn with its board."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import Annotated, Any

import typer

from cli.client import MAX_ENTRIES
from cli.command import EXAMPLE_MATCH, MatchId, Result, command
from cli.interactive import display
from cli.local_store import Document
from cli.match_fetch import FetchedMatch, fetch_match, resolve_match_id
from cli.problems import Usage
from cli.proof_check import verify_proof
from cli.render.board import picture
from cli.render.style import Style
from cli.session import Session, ask
from games.engine.names import Names

PROVEN = ("finished", "abandoned")
"""The phases in which a match has a proof."""


@command(f"turnpost log {EXAMPLE_MATCH}", f"turnpost log {EXAMPLE_MATCH} --since 3")
def log(
    session: Session,
    match: MatchId = None,
    since: Annotated[int, typer.Option("--since", min=0, help="Only events after this event number.")] = 0,
) -> Result:
    """Show what happened in a match."""
    match_id = resolve_match_id(session, match)
    events = session.public_server.pages(f"matches/{match_id}/log", most=MAX_ENTRIES, since=since)
    return Result({"match": match_id, "events": events}, lambda style: log_text(events, style))


def log_text(events: Iterable[Document], style: Style) -> str:
    lines = []
    known = [event for event in events if event["text"]]
    for turn, happened in groupby(known, key=lambda event: event["turn"]):
        lines.append(style.paint(f"Turn {turn}", "bold"))
        lines += [f"  {line}" for event in happened for line in event["text"].splitlines()]
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
        happened = "\n".join(f"  {line}" for text in self.events for line in text.splitlines())
        board = picture(self.game, self.view, self.names, style, rules=self.rules) if self.view else ""
        return "\n\n".join(filter(None, [style.paint(f"Turn {self.turn}", "bold"), happened, board]))


@command(f"turnpost history {EXAMPLE_MATCH}", f"turnpost history {EXAMPLE_MATCH} --turn 1")
def history(
    session: Session,
    match: MatchId = None,
    turn: Annotated[int | None, typer.Option("--turn", "-t", help="Show only this turn.")] = None,
) -> Result | None:
    """Step through a match, turn by turn.

    Shows every board as you saw it at the time. A finished match is replayed from its proof; a running one comes from
    the server. A sealed move that was taken back or voided is in no proof, so a finished match shows the move a
    time-out would have made instead.
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
    """Return the turns of a running match, each with the board after it as the player may see it."""
    match_id, game = fetched.match["id"], fetched.match["game"]
    views = fetch_views(session, match_id) if session.profile.token else {}
    events = session.public_server.pages(f"matches/{match_id}/log", most=MAX_ENTRIES)
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
    """Replay a finished match as the player saw it, with their own secrets but nobody else's. The proof doesn't
    contain sealed moves that were taken back or voided, so the move a time-out would have made takes their place."""
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
    while 0 <= index < len(turns):
        display(session, turns[index].render(session.style))
        typed = ask(f"{index + 1} of {len(turns)} (Enter: next, b: back, number: go to, q: quit) ")
        index = next_index(index, typed, len(turns))


def next_index(index: int, typed: str, count: int) -> int:
    if typed.isdecimal():
        return min(max(int(typed), 1), count) - 1
    return {"": index + 1, "n": index + 1, "b": max(index - 1, 0), "q": count}.get(typed.lower(), index)
