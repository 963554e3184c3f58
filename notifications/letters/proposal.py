"""What the players are to decide together, and what they have decided."""

from collections.abc import Iterator

from clock import proposal_texts
from clock.models import Proposal
from clock.models.proposal import Verdict, Wish
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


def proposal(occasion: Context) -> Letter:
    return to_abandon(occasion) if occasion.notice.data.get("abandon") else about_time_or_seats(occasion)


def to_abandon(occasion: Context) -> Letter:
    """Nobody need refuse it: it ends with the last who agrees."""
    table, wishing = occasion.match_table, who_would_abandon(occasion.match_table)
    if table.match.phase != Phase.RUNNING or not wishing:
        raise NothingToSay("There is nothing left to decide.")
    if occasion.seat in wishing:
        raise NothingToSay("You have agreed to it.")
    missing = ["you" if seat is occasion.seat else player_name(seat) for seat in present(table) if seat not in wishing]
    wish = f"{listing([player_name(seat) for seat in wishing])} would like to end {name_of(occasion)} without a result."
    agree = Offer("Yes, end it", f"turnpost abandon {table.match.id}")
    by_mail = answer_with(occasion, "'agree'")
    how = f"{by_mail} If you would rather play on, you need do nothing."
    return Letter(
        subject(SUBJECTS[Verdict.OPEN], occasion),
        greeting(occasion),
        [
            Words(f"{wish} It ends when all agree who still play: that takes {listing(missing)}."),
            Offers("Your answer", [agree], how.strip()),
            Words(whose_turn(occasion)),
            open_match(occasion),
        ],
        match_footer(occasion),
    )


def about_time_or_seats(occasion: Context) -> Letter:
    proposed, table = as_it_stands(occasion), occasion.match_table
    offered = proposed.verdict == Verdict.AGREED and proposed.newcomer_id == occasion.notice.user_id
    what = "A seat for you" if offered else SUBJECTS[Verdict(proposed.verdict)]
    wish = f"{proposal_texts.wish_of(table, proposed)} This is about {name_of(occasion)}."
    return Letter(
        subject(what, occasion),
        greeting(occasion),
        [
            Words(wish),
            *(answers(occasion, proposed, offered=offered)),
            Words(f"{consequence(occasion, proposed)} {whose_turn(occasion)}".strip()),
            open_match(occasion),
        ],
        match_footer(occasion),
    )


def as_it_stands(occasion: Context) -> Proposal:
    data = occasion.notice.data
    found = Proposal.objects.select_related("made_by", "holder", "newcomer").filter(pk=data["proposal"]).first()
    if found is None or found.verdict != data["verdict"]:
        raise NothingToSay("It has been decided since.")
    if standing(occasion.match_table, found) == Verdict.LAPSED:
        raise NothingToSay("There is nothing left to decide.")
    return found


def answers(occasion: Context, proposed: Proposal, *, offered: bool) -> Iterator[Offers]:
    if offered or proposed.verdict == Verdict.OPEN:
        which = f"{proposed.match_id} --proposal {proposed.pk}"
        both = [Offer("Yes", f"turnpost agree {which}"), Offer("No", f"turnpost refuse {which}")]
        yield Offers("Your answer", both, answer_with(occasion, "'agree' or 'refuse'"))


def consequence(occasion: Context, proposed: Proposal) -> str:
    until = occasion.match_table.match.paused_until
    if proposed.wish == Wish.PAUSE and proposed.verdict == Verdict.AGREED:
        if until and until > occasion.now:
            return f"It was agreed: no time counts until {clock_time(until, occasion.zone)}."
        return "It was agreed: the pause is over, and time counts again."
    return proposal_texts.verdict_of(occasion.match_table, proposed)
