"""What the players are to decide together, and what they have decided."""

from collections.abc import Iterator

from games.clock import words
from games.clock.wishes import standing
from games.mail.letter import Letter, Offer, Offers, Words
from games.mail.letters.parts import greeting, match_footer, name_of, open_match, subject, whose_turn
from games.mail.occasion import NothingToSay, Occasion
from games.mail.times import clock_time
from games.models import Proposal
from games.models.agreement import Verdict, Wish

SUBJECTS = {
    Verdict.OPEN: "Do you agree?",
    Verdict.AGREED: "Agreed",
    Verdict.REJECTED: "Not agreed",
    Verdict.ACCEPTED: "A new player",
    Verdict.DECLINED: "Declined",
}


def proposal(occasion: Occasion) -> Letter:
    proposed, table = as_it_stands(occasion), occasion.match_table
    offered = proposed.verdict == Verdict.AGREED and proposed.newcomer_id == occasion.notice.user_id
    what = "A seat for you" if offered else SUBJECTS[Verdict(proposed.verdict)]
    wish = f"{words.wish_of(table, proposed)} This is about {name_of(occasion)}."
    return Letter(
        subject(what, occasion),
        greeting(occasion),
        [
            Words(wish),
            *(answers(proposed, offered=offered)),
            Words(f"{consequence(occasion, proposed)} {whose_turn(occasion)}".strip()),
            open_match(occasion),
        ],
        match_footer(occasion),
    )


def as_it_stands(occasion: Occasion) -> Proposal:
    data = occasion.notice.data
    found = Proposal.objects.select_related("made_by", "newcomer").filter(pk=data["proposal"]).first()
    if found is None or found.verdict != data["verdict"]:
        raise NothingToSay("It has been decided since.")
    if standing(occasion.match_table, found) == Verdict.LAPSED:
        raise NothingToSay("There is nothing left to decide.")
    return found


def answers(proposed: Proposal, *, offered: bool) -> Iterator[Offers]:
    if offered or proposed.verdict == Verdict.OPEN:
        which = f"{proposed.match_id} --proposal {proposed.pk}"
        yield Offers("Your answer", [Offer("Yes", f"turnpost agree {which}"), Offer("No", f"turnpost refuse {which}")])


def consequence(occasion: Occasion, proposed: Proposal) -> str:
    match = occasion.match_table.match
    if proposed.wish == Wish.PAUSE and proposed.verdict == Verdict.AGREED and match.paused_until:
        return f"It was agreed: no time counts until {clock_time(match.paused_until, occasion.zone)}."
    return words.verdict_of(occasion.match_table, proposed)
