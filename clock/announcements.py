"""What the clock tells the apps above it, inside the transaction of what happened."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from clock.models import Proposal
from games.models import Seat
from games.selectors.loading import LoadedMatch


@dataclass(frozen=True)
class RemindersDue:
    """Players whose time is running out, each with the number of this reminder on this turn."""

    due: Sequence[tuple[LoadedMatch, Seat, int]]
    at: datetime


@dataclass(frozen=True)
class DeadlinePassed:
    loaded: LoadedMatch
    late: Sequence[Seat]
    turn: int
    """The turn on which the time ran out."""
    at: datetime


@dataclass(frozen=True)
class ProposalChanged:
    """A proposal was made or decided. Besides the seats, `others` are users to tell."""

    loaded: LoadedMatch
    proposal: Proposal
    seats: Sequence[Seat]
    others: Sequence[int]
    at: datetime


@dataclass(frozen=True)
class AbandoningProposed:
    """Somebody wants to end the match without a result; `asked` have not said so themselves."""

    loaded: LoadedMatch
    asked: Sequence[Seat]
    at: datetime


@dataclass(frozen=True)
class ClockSetBack:
    """The machine's clock was ahead and has been set back: times that lie in the future may never have been meant."""

    at: datetime
