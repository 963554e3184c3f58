"""The data that the API returns about proposals and vacations."""

from datetime import date, datetime
from typing import Annotated

from msgspec import Meta

from core.shapes import Shape, one_of
from games.shapes import Player

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


class Vacation(Shape, frozen=True):
    id: int
    first_day: date
    last_day: Annotated[date, Meta(description="The last day off.")]
