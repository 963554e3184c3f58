"""Announcements from games to other apps, made inside the transaction that caused them.

A listener may change seats and append rows to `loaded.new_rows`. Both are written together with the move.
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
    """Whether the player moved in person. It is False if a standing order, a stand-in or a time-out moved for them."""
    asked: list[Seat]
    """The seats that have to move now but did not have to before this move."""
    done: list[Seat]
    """The seats that had to move before this move and no longer do."""
    advanced: bool
    """Whether the turn number increased, so that every seat to move has something new to decide."""
    is_news: bool
    is_over: bool
    watching: Seat | None
    """The seat whose player sees the response to this move, and therefore needs no notification."""
    at: datetime


@dataclass(frozen=True)
class SeatsToMove:
    """Sent after the start and after each move, so that listeners can move for players."""

    loaded: LoadedMatch
    watching: Seat | None
    at: datetime


@dataclass(frozen=True)
class MatchAbandoned:
    """Sent when a match ends without a result."""

    loaded: LoadedMatch
    at: datetime


@dataclass(frozen=True)
class MatchClosed:
    """Sent when a match is closed before it has started."""

    loaded: LoadedMatch
    affected: list[Seat]
    at: datetime


@dataclass(frozen=True)
class PlayerLeft:
    """Sent when a player in a running match deletes their account."""

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
