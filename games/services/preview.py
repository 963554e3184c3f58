"""Preview a move without revealing anything that is hidden from its player.

The move is played in many positions that the player cannot distinguish from the real one. Events that happen in all of
them are certain. For other events, only their kind is mentioned. The positions depend only on the player's view and the
move, so a preview reveals nothing that the player could not have worked out.
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
from games.engine.text import listing
from games.models import Seat
from games.selectors import access
from games.selectors.loading import LoadedMatch
from games.services.moves import RawMove, readable_move, refused_move
from games.shapes import MovePreview, MoveRefused, PreviewedEvent, PreviewedMove

WORLDS = 40


def preview_move(*, match_id: str, user: User, move: RawMove, turn: int) -> MovePreview | MoveRefused:
    """Preview a move without storing anything. Moves are refused just as in a real match."""
    loaded = access.visible_match(match_id, user)
    seat = access.own_seat(loaded, user)
    try:
        wanted = readable_move(loaded, seat, move, turn)
        if refusal := loaded.engine.refusal(loaded.state, seat.drawn, wanted):
            raise refusal
    except (Refused, IllegalMove, MalformedMove) as refusal:
        return refused_move(refusal)
    return build_preview(loaded, seat, wanted)


def build_preview(loaded: LoadedMatch, seat: Seat, move: Any) -> MovePreview:
    engine = loaded.engine
    names = msgspec.structs.replace(loaded.names_for(seat.drawn), is_preview=True)
    worlds = play_in_possible_worlds(loaded, seat.drawn, move)
    seen = [seen_by(played.events, seat.drawn) for played in worlds]
    certain = [event for event in seen[0] if all(event in events for events in seen)]
    awaiting = {tuple(sorted(engine.awaiting(played.state))) for played in worlds}
    sure, possible = open_kinds(seen, certain)
    sealed = isinstance(move, engine.sealed_moves)
    return MovePreview(
        move=PreviewedMove(seat=seat.drawn, notation=engine.notation(move), sealed=sealed),
        would=[PreviewedEvent(event=event, text=engine.tell(event, names)) for event in certain],
        uncertain=bool(sure or possible),
        awaiting=list(awaiting.pop()) if len(awaiting) == 1 else None,
        text=" ".join([*sealing_sentences(sealed, worlds), *uncertainty_sentences(sure, possible)]),
    )


def play_in_possible_worlds(loaded: LoadedMatch, seat: int, move: Any) -> list[Played[Any]]:
    engine, state = loaded.engine, loaded.state
    known = sha256(canonical([engine.view(state, seat), move])).digest()
    worlds = []
    for number in range(WORLDS):
        dice = Dice(known, number)
        worlds.append(engine.play(engine.imagine(state, seat, dice), seat, move, dice))
    return worlds


def open_kinds(worlds: Sequence[Sequence[Event]], certain: list[Event]) -> tuple[list[str], list[str]]:
    """Return what uncertain events reveal.

    Events that happen in every world come first, followed by those that happen in some.
    """
    kinds = [{event.reveals for event in events if event not in certain} for events in worlds]
    sure = set.intersection(*kinds)
    return sorted(sure), sorted(set.union(*kinds) - sure)


def sealing_sentences(sealed: bool, worlds: Sequence[Played[Any]]) -> list[str]:
    if not sealed:
        return []
    if worlds[0].quiet:
        return ["The move would be sealed until everyone has moved. Until then, you can replace it."]
    return ["Everyone else has moved, so all sealed moves would be revealed."]


def uncertainty_sentences(sure: list[str], possible: list[str]) -> list[str]:
    sentences = []
    if sure:
        sentences.append(f"The move would reveal {listing(sure)}.")
    if possible:
        sentences.append(f"It might {'also ' if sure else ''}reveal {listing(possible)}.")
    return sentences
