"""Proposals in words, for mail, command line and web alike."""

from collections.abc import Callable
from datetime import timedelta

from clock.models import Proposal, Verdict, Wish
from clock.proposal_rules import standing
from core.times import span
from games.selectors.loading import LoadedMatch, player_name

SETTLED = {
    Verdict.OPEN: "It is not decided yet.",
    Verdict.AGREED: "It was agreed.",
    Verdict.REJECTED: "It was not agreed.",
    Verdict.REPLACED: "Another proposal took its place.",
    Verdict.ACCEPTED: "It was agreed, and accepted.",
    Verdict.DECLINED: "It was agreed, but declined.",
    Verdict.LAPSED: "There is nothing left to decide.",
}


def wish_of(loaded: LoadedMatch, proposal: Proposal) -> str:
    """Ann proposes 2 days more for Dora's move."""
    return f"{proposal.made_by.name if proposal.made_by else 'A departed player'} proposes {what(loaded, proposal)}."


def what(loaded: LoadedMatch, proposal: Proposal) -> str:
    told: dict[str, Callable[[], str]] = {
        Wish.EXTENSION: lambda: f"{span(proposal.time or timedelta())} more for {seat_name(loaded, proposal)}'s move",
        Wish.PAUSE: lambda: f"a pause of {span(proposal.time or timedelta())}" if proposal.time else "to end the pause",
        Wish.HANDOVER: lambda: (
            f"that {proposal.newcomer.name if proposal.newcomer else 'somebody'} takes over the seat of "
            f"{seat_name(loaded, proposal)}"
        ),
    }
    return told[proposal.wish]()


def verdict_of(loaded: LoadedMatch, proposal: Proposal) -> str:
    verdict = standing(loaded, proposal)
    if proposal.wish == Wish.HANDOVER and verdict == Verdict.AGREED:
        return f"It was agreed; {proposal.newcomer.name if proposal.newcomer else 'somebody'} has the last word."
    return SETTLED[verdict]


def seat_name(loaded: LoadedMatch, proposal: Proposal) -> str:
    """Whose it was when this was proposed; where that is not known, and another has it by now, it was a stand-in's."""
    if proposal.holder:
        return proposal.holder.name
    seat = loaded.seats[proposal.seat or 0]
    return "a stand-in" if proposal.newcomer_id and seat.user_id == proposal.newcomer_id else player_name(seat)
