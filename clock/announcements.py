"""Announcements from the clock to higher-level apps, made in the same transaction as the change."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from clock.models import Proposal
from games.models import Match, Seat
from games.selectors.loading import LoadedMatch


@dataclass(frozen=True)
class RemindersDue:
    """The seats to remind, each with the number of its reminder for this turn (1 for the first)."""

    due: Sequence[tuple[LoadedMatch, Seat, int]]
    at: datetime


@dataclass(frozen=True)
class DeadlinesChanged:
    """Sent when players get more or less time for a turn that is already running."""

    changed: Sequence[tuple[Match, Seat]]
    at: datetime


@dataclass(frozen=True)
class DeadlinePassed:
    loaded: LoadedMatch
    late: Sequence[Seat]
    turn: int
    """The turn on which the players ran out of time."""
    at: datetime


@dataclass(frozen=True)
class PlayerResigned:
    loaded: LoadedMatch
    seat: Seat
    at: datetime


@dataclass(frozen=True)
class ProposalChanged:
    """Sent when a proposal is made or decided. `others` are users outside the match who should be notified."""

    loaded: LoadedMatch
    proposal: Proposal
    seats: Sequence[Seat]
    others: Sequence[int]
    at: datetime


@dataclass(frozen=True)
class AbandoningProposed:
    """Sent when a player wants to end the match without a result.

    `asked` contains the seats that haven't agreed yet.
    """

    loaded: LoadedMatch
    asked: Sequence[Seat]
    at: datetime


@dataclass(frozen=True)
class ClockSetBack:
    """Sent when the system clock was ahead and has been set back. Recorded times may then lie in the future."""

    at: datetime
