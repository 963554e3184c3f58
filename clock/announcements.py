"""Announcements from the clock to the apps above it, made in the same transaction as the change."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from clock.models import Proposal
from games.models import Seat
from games.selectors.loading import LoadedMatch


@dataclass(frozen=True)
class RemindersDue:
    """The seats to remind, each with the number of the reminder on this turn."""

    due: Sequence[tuple[LoadedMatch, Seat, int]]
    at: datetime


@dataclass(frozen=True)
class DeadlinePassed:
    loaded: LoadedMatch
    late: Sequence[Seat]
    turn: int
    """The turn on which time ran out."""
    at: datetime


@dataclass(frozen=True)
class PlayerResigned:
    loaded: LoadedMatch
    seat: Seat
    at: datetime


@dataclass(frozen=True)
class ProposalChanged:
    """Sent when a proposal is made or decided. `others` are users outside the match to notify."""

    loaded: LoadedMatch
    proposal: Proposal
    seats: Sequence[Seat]
    others: Sequence[int]
    at: datetime


@dataclass(frozen=True)
class AbandoningProposed:
    """Sent when a player wants to end the match without a result. `asked` are the seats that haven't agreed yet."""

    loaded: LoadedMatch
    asked: Sequence[Seat]
    at: datetime


@dataclass(frozen=True)
class ClockSetBack:
    """Sent when the system clock was ahead and has been set back, so times in the future may be wrong."""

    at: datetime
