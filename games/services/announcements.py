"""What games tell the apps above them, inside the transaction of what happened.

A listener may change seats, and may append rows to `loaded.new_rows`: both are written together with the move.
"""

from dataclasses import dataclass
from datetime import datetime

from games.models import Invitation, Message, Seat
from games.selectors.loading import LoadedMatch


@dataclass(frozen=True)
class MatchStarted:
    loaded: LoadedMatch
    asked: list[Seat]
    at: datetime


@dataclass(frozen=True)
class MoveMade:
    loaded: LoadedMatch
    seat: Seat
    by_player: bool
    """False for a move that was made in the player's absence."""
    asked: list[Seat]
    """Seats that are to move now, and were not asked this before."""
    done: list[Seat]
    """Seats that were to move before, and are not now."""
    advanced: bool
    """Whether the turn went up: everybody is asked anew."""
    is_news: bool
    is_over: bool
    watching: Seat | None
    """The seat whose player sees the answer to this move, and needs no notification."""
    at: datetime


@dataclass(frozen=True)
class SeatsToMove:
    """After a move or the start: time to play for seats that no person plays."""

    loaded: LoadedMatch
    watching: Seat | None
    at: datetime


@dataclass(frozen=True)
class MatchAbandoned:
    """The match ended without a result."""

    loaded: LoadedMatch
    at: datetime


@dataclass(frozen=True)
class MatchClosed:
    """The match ended before it started."""

    loaded: LoadedMatch
    affected: list[Seat]
    at: datetime


@dataclass(frozen=True)
class PlayerLeft:
    """A player in a running match is deleting their account."""

    loaded: LoadedMatch
    seat: Seat
    at: datetime


@dataclass(frozen=True)
class MessagePosted:
    loaded: LoadedMatch
    message: Message


@dataclass(frozen=True)
class InvitationMade:
    invitation: Invitation
