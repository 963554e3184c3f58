"""The data that the API returns about proposals and vacations."""

from datetime import date, datetime
from typing import Annotated

from msgspec import Meta

from core.shapes import Shape, one_of
from games.shapes import MatchSummary, Player

PROPOSAL_KINDS = ("extension", "pause", "replacement")
PROPOSAL_STATUSES = ("open", "agreed", "rejected", "superseded", "accepted", "declined", "obsolete")


class Proposal(Shape, frozen=True):
    number: int
    kind: Annotated[str, one_of(*PROPOSAL_KINDS)]
    status: Annotated[str, one_of(*PROPOSAL_STATUSES)]
    text: Annotated[str, Meta(description="The proposal and its status in words.")]
    made_by: Player | None
    made_at: datetime
    seat: int | None
    time: Annotated[int | None, Meta(description="The length in seconds.")]
    newcomer: Player | None
    votes: Annotated[dict[str, bool], Meta(description="The votes so far, by seat.")]


class Unread(Shape, frozen=True):
    match: str
    messages: Annotated[int, Meta(description="How many messages others have written since you last looked.")]


class OpenProposals(Shape, frozen=True):
    match: str
    proposals: Annotated[int, Meta(description="How many open proposals you haven't voted on.")]


class SeatOffer(Shape, frozen=True):
    """A seat in a running match that the players have agreed to give you."""

    match: str
    proposal: Annotated[int, Meta(description="The number of the proposal.")]


class Inbox(Shape, frozen=True):
    """What is waiting for you besides your turns."""

    invitations: list[MatchSummary]
    unread: list[Unread]
    proposals: list[OpenProposals]
    offers: list[SeatOffer]


class Vacation(Shape, frozen=True):
    id: int
    first_day: date
    last_day: Annotated[date, Meta(description="The last day off.")]
