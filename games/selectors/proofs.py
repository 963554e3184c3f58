"""Evidence for players: receipts during a match, and the whole proof afterwards."""

import msgspec

from core import vault
from core.refusals import Conflict
from games.engine import receipts
from games.engine.fairness import Contribution, End, SaltMaker
from games.engine.proof import Proof, ProvenEvent, ProvenMove
from games.engine.records import canonical
from games.models import Event, Move, Phase, Seat
from games.models.log import MAKERS
from games.selectors import history, match_log
from games.selectors.loading import LoadedMatch, proof_time

ENDED = {Phase.FINISHED, Phase.ABANDONED}


def proof(loaded: LoadedMatch) -> bytes:
    """Return the canonical proof of a match that has ended."""
    match = loaded.match
    if match.phase not in ENDED:
        raise Conflict(
            "not_over",
            "The proof reveals everything, so it is available only after the match has ended.",
            "Until then, you can check the chain of events and the receipts of revealed moves.",
        )
    slots = history.effective_slots(match_log.moves(loaded))
    return canonical(
        Proof(
            terms=loaded.terms,
            secret=vault.decrypt(match.encrypted_secret).hex(),
            seating=tuple(match.seating),
            moves=tuple(proven_move(slot) for slot in slots),
            events=tuple(proven_event(event) for event in match_log.events(loaded)),
            end=msgspec.convert(match.end, End),
            head=match.head,
            outcome=match.outcome,
        )
    )


def proven_move(slot: history.Slot) -> ProvenMove:
    move = slot.move
    known = slot.took_effect
    return ProvenMove(
        turn=move.turn,
        seat=move.seat,
        at=proof_time(slot.made_at),
        by=MAKERS[move.source] if known else None,
        move=msgspec.json.decode(history.content(move)) if known else None,
        sealed=move.is_sealed,
        nonce=history.nonce(move) or None if known else None,
        receipt=move.receipt or None if known else None,
    )


def proven_event(event: Event) -> ProvenEvent:
    audience = None if event.audience is None else tuple(event.audience)
    content = msgspec.json.decode(history.event_content(event))
    return ProvenEvent(event.number, event.turn, content, audience, event.hash)


def contributions(loaded: LoadedMatch) -> list[Contribution]:
    """Return the shares of the seed, in the order in which players joined. They are fixed once the match starts."""
    if loaded.match.players:
        return list(loaded.terms.players)
    return [contribution(seat) for seat in loaded.seats]


def contribution(seat: Seat) -> Contribution:
    return Contribution(
        position=seat.position,
        by=msgspec.convert(seat.salt_by, SaltMaker),
        salt=seat.salt or None,
        commitment=seat.commitment or None,
        pseudonym=seat.pseudonym,
    )


def openings(loaded: LoadedMatch) -> list[receipts.Opening]:
    """Return the receipts of all revealed moves, with the revealed part of each move."""
    slots = history.effective_slots(match_log.moves(loaded))
    return [opening(loaded, slot.move) for slot in slots if slot.took_effect and slot.move.is_sealed]


def opening(loaded: LoadedMatch, move: Move) -> receipts.Opening:
    engine = loaded.engine
    sealed = engine.moves.load(history.content(move))
    shown, whole = canonical(engine.revealed(sealed)), canonical(sealed)
    return receipts.opening(loaded.match.id, move.turn, move.seat, history.nonce(move), shown, whole)
