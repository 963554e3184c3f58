"""Matches and what belongs to them as JSON values, as one caller may see them. Built up field by field."""

from collections.abc import Iterable
from typing import Any

import msgspec

from accounts.models import User
from games.engine import fairness
from games.engine.registry import AnyEngine, engine
from games.models import Event, Invitation, Match, Message, Move, Note, Phase, Seat, pace
from games.selectors import history, proofs
from games.selectors.lists import Aside
from games.selectors.loading import LoadedMatch

Shown = dict[str, Any]


def player(user: User | None) -> Shown | None:
    """None is a departed player."""
    return {"username": user.username, "name": user.name} if user else None


def game(rules: AnyEngine) -> Shown:
    schema = msgspec.json.schema(rules.options)["$defs"][rules.options.__name__]
    return {
        "slug": rules.slug,
        "title": rules.title,
        "seats": list(rules.seats),
        "options": schema,
        "notation": [{"example": example, "meaning": meaning} for example, meaning in rules.notation_help],
        "rules_url": f"/api/v1/games/{rules.slug}/rules",
    }


def schemas(rules: AnyEngine) -> Shown:
    """The JSON form of what the game sends and takes, for whoever writes a client."""
    kinds = {"move": rules.moves.kind, "event": rules.events.kind, "view": rules.views.kind}
    return {name: msgspec.json.schema(kind) for name, kind in kinds.items()}


def seat(of: Seat, match: Match) -> Shown:
    return {
        "seat": of.number,
        "player": player(of.user),
        "awaited": of.awaited_since is not None,
        "awaited_since": of.awaited_since,
        "deadline": of.deadline,
        "bank": int(of.bank.total_seconds()),
        "stand_in": match.phase == Phase.RUNNING and of.has_stand_in,
        "points": of.points,
        "place": of.place,
    }


def summary(match: Match, seats: Iterable[Seat], user: User | None) -> Shown:
    """A match in a list."""
    seats = list(seats)
    own = next((one for one in seats if user and one.user_id == user.pk), None)
    owner = next((one.user for one in seats if one.user_id and one.user_id == match.owner_id), None)
    return {
        "id": match.id,
        "game": match.game,
        "title": match.title,
        "options": match.options,
        "private": match.is_private,
        "phase": match.phase,
        "owner": player(owner),
        "pace": pace.written(match.pace),
        "paused_until": match.paused_until if match.phase == Phase.RUNNING else None,
        "created_at": match.created_at,
        "started_at": match.started_at,
        "ended_at": match.ended_at,
        "expires_at": match.expires_at if match.phase == Phase.GATHERING else None,
        "seats_wanted": match.seat_count,
        "seats": [seat(one, match) for one in seats],
        "joined": own is not None,
        "you": own.number if own else None,
        "turn": match.turn,
        "awaiting": [one.number for one in seats if one.awaited_since],
    }


def match(loaded: LoadedMatch, user: User | None, beside: Aside) -> Shown:
    """All there is to see of a match at a glance."""
    return {
        **summary(loaded.match, loaded.seats, user),
        **board(loaded, user),
        "outcome": loaded.match.outcome,
        "invitations": [invitation(one, user) for one in beside.invitations],
        "fairness": fairness_of(loaded.match),
        "abandon": [one.number for one in loaded.seats if one.wants_to_abandon],
        "message_count": beside.message_count,
        "note": beside.has_note,
        "muted": any(one.is_muted for one in loaded.seats if user and one.user_id == user.pk),
    }


def board(loaded: LoadedMatch, user: User | None) -> Shown:
    if not loaded.match.locked_state:
        return {"view": None, "picture": None}
    own = loaded.seat_of(user.pk if user else None)
    view = as_it_ended(loaded, loaded.engine.view(loaded.state, own.number if own else None))
    return {"view": view, "picture": loaded.engine.picture(view, loaded.names)}


def as_it_ended(loaded: LoadedMatch, view: Any) -> Any:
    """A view of the last position; of a match that was ended before its end, nobody is asked in it."""
    return loaded.engine.stopped(view) if loaded.match.phase == Phase.ABANDONED else view


def fairness_of(match: Match) -> Shown:
    return {
        "secret_hash": match.secret_hash,
        "salts": match.salts,
        "seating": match.seating,
        "head": match.head or None,
        "events": match.events_made,
    }


def invitation(of: Invitation, user: User | None) -> Shown:
    """An address is shown to whoever typed it, and never whether it belongs to an account."""
    typed_it = user is not None and of.invited_by_id == user.pk
    return {
        "number": of.pk,
        "player": None if of.email else player(of.user),
        "email": of.email if of.email and typed_it else None,
        "invited_by": player(of.invited_by),
        "made_at": of.made_at,
    }


def choices(loaded: LoadedMatch, own: Seat) -> Shown:
    offered: Shown = {"turn": loaded.match.turn, "moves": [], "forms": []}
    if loaded.match.phase == Phase.RUNNING:
        found = loaded.engine.choices(loaded.state, own.drawn)
        offered["moves"] = [{"notation": loaded.engine.notation(move), "move": move} for move in found.moves]
        offered["forms"] = list(found.forms)
    return offered


def event(of: Event, loaded: LoadedMatch, own: Seat | None) -> Shown:
    """What is not for the caller has its place in the chain all the same, so that anyone can check the chain."""
    place = {"number": of.number, "turn": of.turn, "at": of.happened_at, "hash": of.hash}
    if not of.is_for(own.number if own else None):
        return {**place, "hidden": True, "event": None, "text": None, "leaf": of.leaf}
    content = history.event_content(of)
    text = loaded.engine.tell(loaded.engine.events.load(content), loaded.names)
    leaf = of.leaf or fairness.public_leaf(content)
    return {**place, "hidden": False, "event": msgspec.json.decode(content), "text": text, "leaf": leaf}


def receipts(loaded: LoadedMatch, pending: Move | None) -> Shown:
    return {"opened": proofs.openings(loaded), "pending": pending_receipt(pending) if pending else None}


def pending_receipt(move: Move) -> Shown:
    return {"turn": move.turn, "seat": move.seat, "receipt": move.receipt, "nonce": history.nonce(move)}


def message(of: Message) -> Shown:
    return {"id": of.pk, "author": player(of.author), "text": of.text, "said_at": of.said_at}


def note(of: Note | None) -> Shown:
    return {"text": of.text if of else "", "changed_at": of.changed_at if of else None}


def offer(of: Invitation, seats: list[Seat]) -> Shown:
    """What somebody with the link to an invitation may know before they log in."""
    return {
        "invited_by": player(of.invited_by),
        "game": of.match.game,
        "game_title": engine(of.match.game).title,
        "title": of.match.title,
        "match": of.match_id,
        "pace": pace.written(of.match.pace),
        "seats_wanted": of.match.seat_count,
        "players": [player(one.user) for one in seats],
        "expires_at": of.match.expires_at,
    }
