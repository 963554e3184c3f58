"""Evidence that players can check: opened receipts during a match, the whole proof after it."""

import msgspec

from core import vault
from core.refusals import Conflict
from games.engine import receipts
from games.engine.proof import Proof, ProvenEvent, ProvenMove
from games.engine.records import canonical
from games.models import Event, Move, Phase
from games.selectors import history
from games.selectors.loading import LoadedMatch

ENDED = {Phase.FINISHED, Phase.ABANDONED}


def proof(loaded: LoadedMatch) -> bytes:
    """The canonical proof of an ended match."""
    match = loaded.match
    if match.phase not in ENDED:
        raise Conflict(
            "not_over",
            "The proof reveals everything, so it is available only after the match has ended.",
            "Until then you can check the chain of events and the receipts of revealed moves.",
        )
    slots = history.effective_slots(match.moves.order_by("number"))
    return canonical(
        Proof(
            terms=loaded.terms,
            secret=vault.decrypt(match.encrypted_secret).hex(),
            seating=tuple(match.seating),
            moves=tuple(proven_move(slot) for slot in slots),
            events=tuple(proven_event(event) for event in match.events.order_by("number")),
            outcome=match.outcome,
        )
    )


def proven_move(slot: history.Slot) -> ProvenMove:
    move = slot.move
    if not slot.took_effect:
        return ProvenMove(move.turn, move.seat, None, sealed=True)
    content = msgspec.json.decode(history.content(move))
    return ProvenMove(
        move.turn, move.seat, content, move.is_sealed, nonce=history.nonce(move) or None, receipt=move.receipt or None
    )


def proven_event(event: Event) -> ProvenEvent:
    audience = None if event.audience is None else tuple(event.audience)
    content = msgspec.json.decode(history.event_content(event))
    return ProvenEvent(event.number, event.turn, content, audience, event.hash)


def openings(loaded: LoadedMatch) -> list[receipts.Opening]:
    """The receipts of all revealed sealed moves, opened as far as the moves were revealed."""
    slots = history.effective_slots(loaded.match.moves.order_by("number"))
    return [opening(loaded, slot.move) for slot in slots if slot.took_effect and slot.move.is_sealed]


def opening(loaded: LoadedMatch, move: Move) -> receipts.Opening:
    engine = loaded.engine
    sealed = engine.moves.load(history.content(move))
    shown, whole = canonical(engine.revealed(sealed)), canonical(sealed)
    return receipts.opening(loaded.match.id, move.turn, move.seat, history.nonce(move), shown, whole)
