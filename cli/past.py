"""A match turn by turn: from the log while it runs, from its proof with every board once it is over."""

import json
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from cli.client import MOST_ENTRIES
from cli.look import Look
from cli.proofs import judged
from cli.render.board import picture
from cli.render.style import Style
from cli.session import Session

PROVEN = ("finished", "abandoned")
"""The phases in which a match has a proof."""


@dataclass(frozen=True)
class Moment:
    game: str
    turn: int
    events: tuple[str, ...]
    view: dict[str, Any] | None
    names: tuple[str, ...]

    @property
    def data(self) -> dict[str, Any]:
        return {"turn": self.turn, "events": list(self.events), "view": self.view}

    def shown(self, style: Style) -> str:
        happened = "\n".join(f"  {line}" for text in self.events for line in text.splitlines())
        board = picture(self.game, self.view, self.names, style) if self.view else ""
        return "\n\n".join(filter(None, [style.paint(f"Turn {self.turn}", "bold"), happened, board]))


def moments(session: Session, seen: Look) -> list[Moment]:
    return replayed(session, seen) if seen.match["phase"] in PROVEN else so_far(session, seen)


def so_far(session: Session, seen: Look) -> list[Moment]:
    """What happened on each turn of a running match, with the board it led to as far as the player may know it."""
    match_id, game = seen.match["id"], seen.match["game"]
    views = boards(session, match_id) if session.profile.token else {}
    events = session.visitor.pages(f"matches/{match_id}/log", most=MOST_ENTRIES)
    told = {
        turn: tuple(event["text"] for event in happened if event["text"])
        for turn, happened in groupby(events, key=lambda event: int(event["turn"]))
    }
    return [Moment(game, turn, texts, views.get(turn), tuple(seen.names)) for turn, texts in told.items()]


def boards(session: Session, match_id: str) -> dict[int, dict[str, Any]]:
    """The views by turn."""
    found: dict[int, dict[str, Any]] = {}
    more = True
    while more:
        page = session.server.get(f"matches/{match_id}/boards", since=max(found, default=0))
        found |= {board["turn"]: board["view"] for board in page["boards"]}
        more = page["more"]
    return found


def replayed(session: Session, seen: Look) -> list[Moment]:
    """Every board as the player saw it then: their own secrets are in it, those of others are not. Where they had
    sealed what was taken back or voided, which nobody is told again, it shows the game's harmless move."""
    from games.engine.proof import read
    from games.engine.registry import engine
    from games.engine.replay import Replay

    document = session.visitor.get_bytes(f"matches/{seen.match['id']}/proof")
    judged(document)
    proof = read(document)
    rules, names, seat = engine(proof.terms.game), seen.names, seen.match["you"]
    replay = Replay(rules, proof.terms, bytes.fromhex(proof.secret))

    def moment(events: list[Any]) -> Moment:
        shown = tuple(
            rules.tell(chained.event, names)
            for chained in events
            if chained.audience is None or seat in chained.audience
        )
        view = json.loads(rules.views.dump(rules.view(replay.state, seat)))
        return Moment(rules.slug, replay.turn, shown, view, tuple(names))

    past = [moment(replay.events)]
    for made in proof.moves:
        move = rules.on_timeout(replay.state, made.seat) if made.move is None else rules.read_move(made.move)
        past.append(moment(replay.play(made.seat, move)))
    return past
