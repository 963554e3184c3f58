"""Present matches and their parts field by field, limited to what the caller may see."""

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from accounts.models import User
from core import signatures
from games import shapes
from games.engine import fairness
from games.engine.fairness import Cause
from games.engine.names import Names
from games.engine.registry import AnyEngine, engine
from games.models import Event, Invitation, Match, Message, Move, Note, Phase, Review, ReviewState, Seat
from games.models.invitation import Answer
from games.models.pace import Pace
from games.selectors import history, proofs
from games.selectors.lists import PlayerExtras
from games.selectors.loading import LoadedMatch


def player(user: User | None) -> shapes.Player | None:
    """Present a user. None stands for a departed player."""
    return shapes.Player(username=user.username, name=user.name, bot=user.is_bot) if user else None


def occupant(of: Seat) -> shapes.Player | None:
    return shapes.Player(username="", name=of.player_name, bot=True) if of.is_bot else player(of.user)


def game(rules: AnyEngine) -> shapes.Game:
    schema = msgspec.json.schema(rules.options)["$defs"][rules.options.__name__]
    return shapes.Game(
        slug=rules.slug,
        title=rules.title,
        seats=list(rules.seats),
        options=schema,
        notation=[shapes.Notation(example=example, meaning=meaning) for example, meaning in rules.notation_help],
        rules_url=f"/api/v1/games/{rules.slug}/rules",
    )


def game_with_schemas(rules: AnyEngine) -> shapes.GameWithSchemas:
    kinds = {"move": rules.moves.kind, "event": rules.events.kind, "view": rules.views.kind}
    schemas = {name: msgspec.json.schema(kind) for name, kind in kinds.items()}
    return shapes.GameWithSchemas(**msgspec.structs.asdict(game(rules)), schemas=schemas)


def seat(of: Seat, match: Match) -> shapes.Seat:
    return shapes.Seat(
        seat=of.number,
        player=occupant(of),
        level=of.bot_level or None,
        awaited=of.awaited_since is not None,
        awaited_since=of.awaited_since,
        deadline=of.deadline,
        bank=int(of.bank.total_seconds()),
        stand_in=match.phase == Phase.RUNNING and of.has_stand_in,
        resigned=of.resigned_at is not None,
        points=of.points,
        place=of.place,
    )


def pace(of: Pace) -> shapes.Pace:
    """Format a pace the way the API accepts it."""
    return shapes.Pace(
        move_time=int(of.move_time.total_seconds()),
        bank=int(of.bank.total_seconds()),
        weekends_off=of.weekends_off,
        patience=of.patience,
    )


def summary(
    match: Match, seats: Iterable[Seat], user: User | None, *, reserved: int | None = None
) -> shapes.MatchSummary:
    """Present a match. `reserved` is the number of open invitations, if the caller knows it."""
    seats = list(seats)
    own = next((one for one in seats if user and one.user_id == user.pk), None)
    owner = next((one.user for one in seats if one.user_id and one.user_id == match.owner_id), None)
    return shapes.MatchSummary(
        id=match.id,
        game=match.game,
        title=match.title,
        rules=match.rules,
        options=match.options,
        private=match.is_private,
        bots_allowed=match.allows_bots,
        absent=match.absent,
        think=match.think,
        phase=match.phase,
        owner=player(owner),
        pace=pace(match.pace),
        paused_until=match.paused_until if match.phase == Phase.RUNNING else None,
        created_at=match.created_at,
        started_at=match.started_at,
        ended_at=match.ended_at,
        expires_at=match.expires_at if match.phase == Phase.GATHERING else None,
        seats_wanted=match.seat_count,
        seats_free=match.seat_count - len(seats) - reserved_seats(match, reserved),
        seats=[seat(one, match) for one in seats],
        joined=own is not None,
        you=own.number if own else None,
        turn=match.turn,
        awaiting=[one.drawn for one in seats if one.awaited_since],
    )


def reserved_seats(match: Match, known: int | None) -> int:
    """Count the open invitations in memory, because lists fetch the invitations of all their matches at once."""
    if match.phase != Phase.GATHERING:
        return 0
    return known if known is not None else sum(one.answer == Answer.OPEN for one in match.invitations.all())


def outcome(loaded: LoadedMatch) -> dict[str, Any] | None:
    """Present the outcome with the final places, in which players who resigned come last. The places in the proof
    follow from the points alone."""
    found: dict[str, Any] | None = loaded.match.outcome
    return found and found | {"places": [one.place for one in loaded.seats]}


def match(loaded: LoadedMatch, user: User | None, extras: PlayerExtras) -> shapes.Match:
    return completed(match_facts(loaded, user, extras), loaded, user)


def match_facts(loaded: LoadedMatch, user: User | None, extras: PlayerExtras) -> shapes.Match:
    """Present a match without the picture and the signatures, which are derived from the rest and slow to compute."""
    return shapes.Match(
        **msgspec.structs.asdict(summary(loaded.match, loaded.seats, user)),
        view=current_view(loaded, user),
        picture=None,
        outcome=outcome(loaded),
        invitations=[invitation(one, user) for one in extras.invitations],
        fairness=fairness_facts(loaded, user),
        abandon=[one.drawn for one in loaded.seats if one.wants_to_abandon],
        message_count=extras.message_count,
        note=extras.has_note,
        muted=any(one.is_muted for one in loaded.seats if user and one.user_id == user.pk),
        bouncing=[one.username for one in extras.bouncing],
    )


def completed(facts: shapes.Match, loaded: LoadedMatch, user: User | None) -> shapes.Match:
    """Add the picture and the signatures."""
    return msgspec.structs.replace(
        facts,
        picture=picture_of(loaded, facts.view, user) if facts.view else None,
        fairness=signed(facts.fairness, loaded.match),
    )


def current_view(loaded: LoadedMatch, user: User | None) -> Any:
    """Return what the user sees of the current position, or None before the start."""
    if not loaded.match.encrypted_state:
        return None
    own = loaded.seat_of(user.pk if user else None)
    return as_it_ended(loaded, loaded.engine.view(loaded.state, own.number if own else None))


def picture_of(loaded: LoadedMatch, view: Any, user: User | None) -> str:
    own = loaded.seat_of(user.pk if user else None)
    return loaded.engine.picture(view, loaded.names_for(own.number if own else None))


def as_it_ended(loaded: LoadedMatch, view: Any) -> Any:
    """Return the view. In an abandoned match, no seat has to move."""
    return loaded.engine.stopped(view) if loaded.match.phase == Phase.ABANDONED else view


def fairness_of(loaded: LoadedMatch, user: User | None) -> shapes.Fairness:
    return signed(fairness_facts(loaded, user), loaded.match)


def fairness_facts(loaded: LoadedMatch, user: User | None) -> shapes.Fairness:
    """Present the fairness values without signatures."""
    match, own = loaded.match, loaded.seat_of(user.pk if user else None)
    return shapes.Fairness(
        salts=match.salts,
        proves=arrangement(match),
        secret_hash=match.secret_hash,
        players=proofs.contributions(loaded),
        seating=match.seating,
        head=match.head or None,
        fingerprint=fairness.fingerprint(match.head) if match.head else None,
        events=match.events_made,
        end=msgspec.convert(match.end, fairness.End) if match.end else None,
        reveal_by=match.reveal_by,
        you=shapes.OwnShare(position=own.position, pseudonym_salt=own.pseudonym_salt) if own else None,
        key=signatures.public_key(),
        secret_signature="",
        head_signature=None,
    )


def signed(facts: shapes.Fairness, match: Match) -> shapes.Fairness:
    return msgspec.structs.replace(
        facts,
        secret_signature=secret_signature(match),
        head_signature=head_signature(match) if match.head else None,
    )


def secret_signature(match: Match) -> str:
    return signatures.sign(fairness.secret_statement(match.id, match.secret_hash))


def head_signature(match: Match) -> str:
    ended = match.end is not None
    return signatures.sign(fairness.head_statement(match.id, match.turn, match.events_made, match.head, ended=ended))


def arrangement(match: Match) -> str:
    return fairness.ARRANGEMENTS[msgspec.convert(match.salts, fairness.Salts)]


def invitation(of: Invitation, user: User | None) -> shapes.Invitation:
    """Present an invitation.

    An email address is shown only to the sender, and nobody learns whether it belongs to an account.
    """
    typed_it = user is not None and of.invited_by_id == user.pk
    return shapes.Invitation(
        number=of.pk,
        player=None if of.email else player(of.user),
        email=of.email if of.email and typed_it else None,
        invited_by=player(of.invited_by),
        made_at=of.made_at,
    )


def choices(loaded: LoadedMatch, own: Seat) -> shapes.Choices:
    if loaded.match.phase != Phase.RUNNING:
        return shapes.Choices(turn=loaded.match.turn, moves=[], forms=[])
    found = loaded.engine.choices(loaded.state, own.drawn)
    moves = [shapes.Choice(notation=loaded.engine.notation(move), move=move) for move in found.moves]
    return shapes.Choices(turn=loaded.match.turn, moves=moves, forms=list(found.forms))


def event(of: Event, loaded: LoadedMatch, own: Seat | None) -> shapes.LoggedEvent:
    """Present an event. Hidden events stay in the list without their content, so that anyone can check the chain."""
    reader = own.number if own else None
    hidden = not of.is_for(reader)
    content = None if hidden else history.event_content(of)
    return shapes.LoggedEvent(
        number=of.number,
        turn=of.turn,
        at=of.happened_at,
        hash=of.hash,
        hidden=hidden,
        event=None if content is None else msgspec.json.decode(content),
        text=None if content is None else event_text(loaded, of, reader),
        cause=msgspec.json.decode(of.cause) if of.cause else None,
        leaf=of.leaf if content is None else of.leaf or fairness.public_leaf(content),
    )


def event_text(loaded: LoadedMatch, of: Event, reader: int | None) -> str:
    """Describe an event, and say if it follows from a move that was made for an absent player."""
    names = loaded.names_for(reader)
    told = loaded.engine.tell(loaded.engine.events.load(history.event_content(of)), names)
    if not of.cause:
        return told
    first, *details = told.split("\n")
    return "\n".join([" ".join([first, *absences(msgspec.json.decode(of.cause, type=Cause), names)]), *details])


def absences(cause: Cause, names: Names) -> Iterator[str]:
    makers = {cause.seat: cause.by} | {reveal.seat: reveal.by for reveal in cause.reveals}
    if late := [seat for seat, by in makers.items() if by == "time_out"]:
        yield f"({names.subjects(late)} ran out of time.)"
    if away := [seat for seat, by in makers.items() if by == "stand_in"]:
        yield f"(A stand-in moved for {names.objects(away)}.)"


def receipts(loaded: LoadedMatch, pending: Move | None) -> shapes.Receipts:
    return shapes.Receipts(opened=proofs.openings(loaded), pending=pending_receipt(pending) if pending else None)


def pending_receipt(move: Move) -> shapes.PendingReceipt:
    return shapes.PendingReceipt(
        turn=move.turn,
        seat=move.seat,
        receipt=move.receipt,
        nonce=history.nonce(move),
        signature=signatures.sign(fairness.receipt_statement(move.match_id, move.turn, move.seat, move.receipt)),
    )


MOST_COSTLY = 3


def review(of: Review, decisions: list[shapes.ReviewedDecision]) -> shapes.Review:
    is_done = of.state == ReviewState.DONE
    costliest = sorted(decisions, key=lambda one: -one.cost)[:MOST_COSTLY]
    rest = [one for one in decisions if one not in costliest]
    return shapes.Review(
        match=of.match_id,
        state=of.state,
        done=of.done,
        total=of.total,
        missing=of.missing,
        decisions=[*costliest, *rest] if is_done else [],
    )


def message(of: Message) -> shapes.Message:
    return shapes.Message(id=of.pk, author=player(of.author), text=of.text, posted_at=of.posted_at)


def note(of: Note | None) -> shapes.Note:
    return shapes.Note(text=of.text if of else "", changed_at=of.changed_at if of else None)


def offer(of: Invitation, seats: list[Seat]) -> shapes.Offer:
    """Present an invitation link to a visitor who is not logged in."""
    return shapes.Offer(
        invited_by=player(of.invited_by),
        game=of.match.game,
        game_title=engine(of.match.game).title,
        title=of.match.title,
        match=of.match_id,
        pace=pace(of.match.pace),
        bots_allowed=of.match.allows_bots,
        absent=of.match.absent,
        salts=of.match.salts,
        proves=arrangement(of.match),
        secret_hash=of.match.secret_hash,
        key=signatures.public_key(),
        secret_signature=secret_signature(of.match),
        seats_wanted=of.match.seat_count,
        players=[occupant(one) for one in seats],
        expires_at=of.expires_at,
    )
