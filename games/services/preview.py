"""What a move would lead to, as far as its player may know.

The move is played in many positions that the player cannot tell from the real one. What happens in all of them is
told; what differs is only named. The positions follow from what the player sees and from the move alone, so a preview
can tell nothing that the player could not have worked out.
"""

from collections.abc import Sequence
from hashlib import sha256
from typing import Any

import msgspec

from accounts.models import User
from core.refusals import Refused
from games.engine.base import Played
from games.engine.dice import Dice
from games.engine.errors import IllegalMove, MalformedMove
from games.engine.records import Event, canonical, seen_by
from games.models import Phase, Seat
from games.selectors import access
from games.selectors.loading import LoadedMatch
from games.services.idempotency import Answer, refused_answer
from games.services.moves import Submission, read_move, refuse_beside_a_stand_in, refuse_stale

WORLDS = 40


def preview(match_id: str, user: User, submission: Submission) -> Answer:
    """Refuses what playing would refuse; else tells. Stores nothing."""
    table = access.visible_table(match_id, user)
    seat = access.own_seat(table, user)
    try:
        access.require_phase(table, Phase.RUNNING)
        move = read_move(table, submission.move)
        refuse_beside_a_stand_in(table, seat)
        refuse_stale(table, seat, submission.turn)
        if refusal := table.engine.refusal(table.state, seat.drawn, move):
            raise refusal
    except (Refused, IllegalMove, MalformedMove) as refusal:
        return refused_answer(refusal)
    return Answer(200, msgspec.json.encode(told(table, seat, move)))


def told(table: LoadedMatch, seat: Seat, move: Any) -> dict[str, Any]:
    worlds = imagined(table, seat.drawn, move)
    seen = [seen_by(played.events, seat.drawn) for played in worlds]
    certain = [event for event in seen[0] if all(event in events for events in seen)]
    awaiting = {tuple(sorted(table.engine.awaiting(played.state))) for played in worlds}
    sure, possible = open_kinds(seen, certain)
    return {
        "move": {"seat": seat.number, "notation": table.engine.notation(move), "sealed": table.engine.is_sealed(move)},
        "would": [{"event": event, "text": table.engine.tell(event, table.names)} for event in certain],
        "uncertain": bool(sure or possible),
        "awaiting": list(awaiting.pop()) if len(awaiting) == 1 else None,
        "text": " ".join([*sealed_words(table, move, worlds), *open_words(sure, possible)]),
    }


def imagined(table: LoadedMatch, seat: int, move: Any) -> list[Played[Any]]:
    engine, state = table.engine, table.state
    known = sha256(canonical([engine.view(state, seat), move])).digest()
    worlds = []
    for number in range(WORLDS):
        dice = Dice(known, number)
        worlds.append(engine.play(engine.imagine(state, seat, dice), seat, move, dice))
    return worlds


def open_kinds(worlds: Sequence[Sequence[Event]], certain: list[Event]) -> tuple[list[str], list[str]]:
    """The kinds of events, beside the certain ones, that follow in every world, and those that follow in some."""
    kinds = [{kind(event) for event in events if event not in certain} for events in worlds]
    sure = set.intersection(*kinds)
    return sorted(sure), sorted(set.union(*kinds) - sure)


def kind(event: Event) -> str:
    return str(type(event).__struct_config__.tag)


def sealed_words(table: LoadedMatch, move: Any, worlds: Sequence[Played[Any]]) -> list[str]:
    if not table.engine.is_sealed(move):
        return []
    if worlds[0].quiet:
        return ["It would be sealed: nobody else sees it until the last one is in. Until then you may replace it."]
    return ["It would be the last one in, so all that is sealed would be revealed at once."]


def open_words(sure: list[str], possible: list[str]) -> list[str]:
    """`row_taken` becomes "row taken": the kinds of events are words enough for every game."""
    told = []
    if sure:
        told.append(f"What it brings cannot be known before: {listed(sure)}.")
    if possible:
        told.append(f"Perhaps also: {listed(possible)}.")
    return told or ["Nothing else would happen."]


def listed(kinds: list[str]) -> str:
    return ", ".join(kind.replace("_", " ") for kind in kinds)
