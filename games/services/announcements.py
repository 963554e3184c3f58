"""Announcements from games to other apps, made inside the transaction that caused them.

A listener may change seats and append rows to `loaded.new_rows`; both are written together with the move.
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
    """False if somebody or something else moved for the absent player."""
    asked: list[Seat]
    """Seats that must move now and did not have to answer this before."""
    done: list[Seat]
    """Seats that had to move before and no longer do."""
    advanced: bool
    """Whether the turn increased, so every seat to move has something new to decide."""
    is_news: bool
    is_over: bool
    watching: Seat | None
    """The seat whose player sees the response to this move and needs no notification."""
    at: datetime


@dataclass(frozen=True)
class SeatsToMove:
    """Sent after a move or the start, so listeners can move for seats without a player."""

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
