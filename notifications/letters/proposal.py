"""What the players are to decide together, and what they have decided."""

from collections.abc import Iterator

from clock import proposal_rules
from clock.models import Proposal, Verdict, Wish
from clock.proposal_rules import present, standing
from clock.proposals import who_would_abandon
from core.times import clock_time
from games.engine.text import listing
from games.models import Phase
from games.selectors.loading import player_name
from notifications.context import Context, NothingToSay
from notifications.letters.blocks import Letter, Offer, Offers, Words
from notifications.letters.parts import answer_with, greeting, match_footer, name_of, open_match, subject, whose_turn

SUBJECTS = {
    Verdict.OPEN: "Do you agree?",
    Verdict.AGREED: "Agreed",
    Verdict.REJECTED: "Not agreed",
    Verdict.ACCEPTED: "A new player",
    Verdict.DECLINED: "Declined",
}


def proposal(context: Context) -> Letter:
    return to_abandon(context) if context.notification.data.get("abandon") else about_time_or_seats(context)


def to_abandon(context: Context) -> Letter:
    """Nobody need refuse it: it ends with the last who agrees."""
    loaded, wishing = context.loaded, who_would_abandon(context.loaded)
    if loaded.match.phase != Phase.RUNNING or not wishing:
        raise NothingToSay("There is nothing left to decide.")
    if context.seat in wishing:
        raise NothingToSay("You have agreed to it.")
    missing = ["you" if seat is context.seat else player_name(seat) for seat in present(loaded) if seat not in wishing]
    wish = f"{listing([player_name(seat) for seat in wishing])} would like to end {name_of(context)} without a result."
    agree = Offer("Yes, end it", f"turnpost abandon {loaded.match.id}")
    by_mail = answer_with(context, "'agree'")
    how = f"{by_mail} If you would rather play on, you need do nothing."
    return Letter(
        subject(SUBJECTS[Verdict.OPEN], context),
        greeting(context),
        [
            Words(f"{wish} It ends when all agree who still play: that takes {listing(missing)}."),
            Offers("Your answer", [agree], how.strip()),
            Words(whose_turn(context)),
            open_match(context),
        ],
        match_footer(context),
    )


def about_time_or_seats(context: Context) -> Letter:
    proposed, loaded = as_it_stands(context), context.loaded
    offered = proposed.verdict == Verdict.AGREED and proposed.newcomer_id == context.notification.user_id
    what = "A seat for you" if offered else SUBJECTS[Verdict(proposed.verdict)]
    wish = f"{proposal_rules.wish_of(loaded, proposed)} This is about {name_of(context)}."
    return Letter(
        subject(what, context),
        greeting(context),
        [
            Words(wish),
            *(answers(context, proposed, offered=offered)),
            Words(f"{consequence(context, proposed)} {whose_turn(context)}".strip()),
            open_match(context),
        ],
        match_footer(context),
    )


def as_it_stands(context: Context) -> Proposal:
    data = context.notification.data
    found = Proposal.objects.select_related("made_by", "holder", "newcomer").filter(pk=data["proposal"]).first()
    if found is None or found.verdict != data["verdict"]:
        raise NothingToSay("It has been decided since.")
    if standing(context.loaded, found) == Verdict.LAPSED:
        raise NothingToSay("There is nothing left to decide.")
    return found


def answers(context: Context, proposed: Proposal, *, offered: bool) -> Iterator[Offers]:
    if offered or proposed.verdict == Verdict.OPEN:
        which = f"{proposed.match_id} --proposal {proposed.pk}"
        both = [Offer("Yes", f"turnpost agree {which}"), Offer("No", f"turnpost refuse {which}")]
        yield Offers("Your answer", both, answer_with(context, "'agree' or 'refuse'"))


def consequence(context: Context, proposed: Proposal) -> str:
    until = context.loaded.match.paused_until
    if proposed.wish == Wish.PAUSE and proposed.verdict == Verdict.AGREED:
        if until and until > context.now:
            return f"It was agreed: no time counts until {clock_time(until, context.zone)}."
        return "It was agreed: the pause is over, and time counts again."
    return proposal_rules.verdict_of(context.loaded, proposed)
