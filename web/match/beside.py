"""The content beside the board: messages, notes, proposals and standing orders."""

from typing import Any

from django.utils.translation import gettext

from accounts.models import User
from clock import proposals
from clock.api.proposals import presented
from clock.proposal_rules import has_a_vote
from core.times import clock_time
from games.models import Message, Phase, Seat
from games.selectors import lists, orders
from games.shapes import StandingOrders
from web.match.reading import Reader

MOST_MESSAGES = 30


def beside_the_table(reader: Reader) -> dict[str, Any]:
    """Return messages, notes and proposals for players. A user who has been offered a seat sees only the offer."""
    loaded, user = reader.loaded, reader.user
    if user is None:
        return {}
    if reader.seat is None:
        offered = proposals.seen_by(loaded, user) if proposals.is_offered_a_seat(loaded, user) else []
        return {"offers": [presented(loaded, one, user) for one in offered]}
    messages = lists.readable(loaded.match.messages.select_related("author"), user).order_by("-id")[:MOST_MESSAGES]
    return {
        "chat": [shown_message(reader, message) for message in reversed(list(messages))],
        "proposals": open_proposals(reader, reader.seat, user),
        "abandoning": [seat.player_name for seat in loaded.seats if seat.wants_to_abandon],
        **(private(reader, user) if reader.is_logged_in else {}),
    }


def private(reader: Reader, user: User) -> dict[str, Any]:
    """Return what a player sees only when logged in, and not with the link in an email."""
    note = reader.loaded.match.notes.filter(user=user).first()
    return {
        "note": note.text if note else "",
        "orders": orders_of(reader),
        "next_match": next_match(reader, user),
    }


def open_proposals(reader: Reader, seat: Seat, user: User) -> list[dict[str, Any]]:
    """Return the open proposals, whether the player is asked to vote on each, and how they have voted."""
    loaded = reader.loaded
    found = [(one, presented(loaded, one, user)) for one in proposals.seen_by(loaded, user)]
    return [
        {
            "number": shown.number,
            "text": shown.text,
            "asks": one.made_by != user and has_a_vote(loaded, one, seat),
            "vote": shown.votes.get(str(seat.number)),
        }
        for one, shown in found
        if shown.status == "open"
    ]


def orders_of(reader: Reader) -> StandingOrders | None:
    """Return the player's own standing orders, if the game has a language for them."""
    loaded, seat = reader.loaded, reader.seat
    if seat is None or loaded.match.phase != Phase.RUNNING or loaded.engine.orders is None or seat.has_stand_in:
        return None
    return orders.presented(loaded, seat)


def shown_message(reader: Reader, message: Message) -> dict[str, Any]:
    author = message.author.name if message.author else gettext("A departed player")
    username = message.author.username if message.author else ""
    is_own = reader.user is not None and message.author_id == reader.user.pk
    at = clock_time(message.posted_at, reader.zone)
    return {"author": author, "text": message.text, "at": at, "id": message.pk, "is_own": is_own, "username": username}


def next_match(reader: Reader, user: User) -> str:
    """Return the match that has been waiting longest for the reader."""
    waiting = user.seats.filter(awaited_since__isnull=False).exclude(match=reader.loaded.match)
    return waiting.order_by("awaited_since", "id").values_list("match", flat=True).first() or ""
