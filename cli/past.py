"""A match turn by turn: from the log while it runs, from its proof with every board once it is over."""

import json
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from cli.look import Look
from cli.render.board import picture
from cli.render.style import Style
from cli.session import Session

OVER = ("finished", "abandoned")


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
    if seen.match["phase"] in OVER:
        return replayed(session, seen)
    events = session.visitor.pages(f"matches/{seen.match['id']}/log", most=5000)
    return [
        Moment(
            seen.match["game"],
            turn,
            tuple(event["text"] or "Something hidden happened." for event in happened),
            None,
            (),
        )
        for turn, happened in groupby(events, key=lambda event: int(event["turn"]))
    ]


def replayed(session: Session, seen: Look) -> list[Moment]:
    """Every board as the player saw it then: their own secrets are in it, those of others are not."""
    from games.engine.proof import read
    from games.engine.registry import engine
    from games.engine.replay import Replay

    proof = read(session.visitor.get_bytes(f"matches/{seen.match['id']}/proof"))
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
