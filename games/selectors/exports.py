"""Export the match data stored about a user."""

from collections.abc import Iterator
from typing import Any

import msgspec
from django.db.models import Case, F, Q, Value, When

from accounts.export import exports
from accounts.models import User
from core import vault
from games.models import Invitation, Message, Note, Report, Review, Seat
from games.selectors import history, match_log
from games.selectors.loading import LoadedMatch

Rows = list[dict[str, Any]]


@exports("matches")
def matches(user: User) -> Rows:
    return [
        {
            "match": seat.match_id,
            "game": seat.match.game,
            "title": seat.match.title,
            "owner": seat.match.owner_id == user.pk,
            "seat": seat.number,
            "joined_at": seat.joined_at,
            "visited_at": seat.visited_at,
            "salt": seat.salt,
            "position": seat.position,
            "pseudonym_salt": seat.pseudonym_salt,
            "muted": seat.is_muted,
            "points": seat.points,
            "place": seat.place,
            "moves": list(_moves(seat)),
        }
        for seat in _seats(user)
    ]


@exports("messages")
def messages(user: User) -> Rows:
    return _rows(Message.objects.filter(author=user).order_by("id").values("match", "posted_at", "text"))


@exports("reports")
def reports(user: User) -> Rows:
    return _rows(Report.objects.filter(reported_by=user).order_by("id").values("match", "made_at", "text", "reason"))


@exports("notes")
def notes(user: User) -> Rows:
    return [
        {"match": note.match_id, "changed_at": note.changed_at, "text": note.text}
        for note in Note.objects.filter(user=user).order_by("id")
    ]


@exports("reviews")
def reviews(user: User) -> Rows:
    return [
        {"match": review.match_id, "decisions": msgspec.json.decode(vault.decrypt(review.encrypted_decisions))}
        for review in Review.objects.filter(user=user).exclude(encrypted_decisions="").order_by("id")
    ]


@exports("invitations")
def invitations(user: User) -> Rows:
    """Export invitations to and from the user. An address never reveals another user's username."""
    known = Invitation.objects.filter(Q(user=user) | Q(email=user.email) | Q(invited_by=user)).order_by("id")
    by_name = Case(When(Q(email="") | Q(user=user), then=F("user__username")))
    address = Case(When(Q(email=user.email) | Q(invited_by=user), then=F("email")), default=Value(""))
    return _rows(known.values("match", "made_at", "answer", "invited_by__username", invited=by_name, address=address))


def _seats(user: User) -> Iterator[Seat]:
    return Seat.objects.filter(user=user).select_related("match").order_by("id").iterator()


def _moves(seat: Seat) -> Iterator[dict[str, Any]]:
    """Export the user's own moves, including sealed ones.

    Moves made in the seat before the user took it are left out.
    """
    if seat.number is None:
        return
    for move in match_log.moves(LoadedMatch(seat.match, [])):
        if move.seat != seat.number or move.made_at < seat.joined_at:
            continue
        yield {
            "turn": move.turn,
            "made_at": move.made_at,
            "source": move.source,
            "sealed": move.is_sealed,
            "move": msgspec.json.decode(history.content(move)),
        }


def _rows(values: Any) -> Rows:
    return [dict(row) for row in values]
