"""Letters about proposals that the players vote on, and their results."""

from collections.abc import Iterator

from clock.models import Proposal, ProposalKind, ProposalStatus
from clock.proposal_rules import current_status, present, proposal_text, status_text
from clock.proposals import who_would_abandon
from core.times import clock_time
from games.engine.text import listing
from games.models import Phase
from notifications.context import Context, NothingToSay
from notifications.letters.blocks import Letter, Offer, Offers, Words
from notifications.letters.parts import answer_with, greeting, match_footer, name_of, open_match, subject, whose_turn

SUBJECTS = {
    ProposalStatus.OPEN: "your vote is needed",
    ProposalStatus.AGREED: "proposal passed",
    ProposalStatus.REJECTED: "proposal declined",
    ProposalStatus.ACCEPTED: "new player",
    ProposalStatus.DECLINED: "seat declined",
}
OBSOLETE = "The proposal is no longer relevant."


def proposal(context: Context) -> Letter:
    return to_abandon(context) if context.notification.data.get("abandon") else about_time_or_seats(context)


def to_abandon(context: Context) -> Letter:
    """Ask the player to vote on ending the match.

    The letter offers no way to decline, because the match ends only if everyone agrees.
    """
    loaded, in_favor = context.loaded, who_would_abandon(context.loaded)
    if loaded.match.phase != Phase.RUNNING or not in_favor:
        raise NothingToSay(OBSOLETE)
    if context.seat in in_favor:
        raise NothingToSay("You already agreed.")
    missing = ["you" if seat is context.seat else seat.player_name for seat in present(loaded) if seat not in in_favor]
    who = listing([seat.player_name for seat in in_favor])
    agree = Offer("Yes, end it", f"turnpost abandon {loaded.match.id}")
    by_mail = answer_with(context, "'agree'")
    how = f"{by_mail} To keep playing, you don't need to do anything."
    return Letter(
        subject(SUBJECTS[ProposalStatus.OPEN], context),
        greeting(context),
        [
            Words(
                f"{who} would like to end {name_of(context)} without a result. It ends when everyone agrees. "
                f"Waiting for {listing(missing)} to agree."
            ),
            Offers("Your answer", [agree], how.strip()),
            Words(whose_turn(context)),
            open_match(context),
        ],
        match_footer(context),
    )


def about_time_or_seats(context: Context) -> Letter:
    proposed = current_proposal(context)
    is_offer = proposed.status == ProposalStatus.AGREED and proposed.newcomer_id == context.notification.user_id
    what = "a seat for you" if is_offer else SUBJECTS[ProposalStatus(proposed.status)]
    return Letter(
        subject(what, context),
        greeting(context),
        [
            Words(f"{name_of(context)}: {proposal_text(context.loaded, proposed, context.user)}"),
            *(answers(context, proposed, is_offer=is_offer)),
            Words(f"{result(context, proposed)} {whose_turn(context)}".strip()),
            open_match(context),
        ],
        match_footer(context),
    )


def current_proposal(context: Context) -> Proposal:
    data = context.notification.data
    found = Proposal.objects.select_related("made_by", "holder", "newcomer").filter(pk=data["proposal"]).first()
    if found is None or found.status != data["status"]:
        raise NothingToSay("The proposal has been decided.")
    if current_status(context.loaded, found) == ProposalStatus.OBSOLETE:
        raise NothingToSay(OBSOLETE)
    return found


def answers(context: Context, proposed: Proposal, *, is_offer: bool) -> Iterator[Offers]:
    if is_offer or proposed.status == ProposalStatus.OPEN:
        which = f"{proposed.match_id} --proposal {proposed.pk}"
        both = [Offer("Yes", f"turnpost agree {which}"), Offer("No", f"turnpost refuse {which}")]
        yield Offers("Your answer", both, answer_with(context, "'agree' or 'refuse'"))


def result(context: Context, proposed: Proposal) -> str:
    until = context.loaded.match.paused_until
    if proposed.kind == ProposalKind.PAUSE and proposed.status == ProposalStatus.AGREED:
        if until and until > context.now:
            return f"The players agreed: clocks are stopped until {clock_time(until, context.zone)}."
        return "The players agreed: the pause is over and clocks are running again."
    return status_text(context.loaded, proposed, context.user)
