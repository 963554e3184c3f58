"""What players may propose: what each kind needs, who decides, what is done when it is granted, and how it reads."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils import timezone

from accounts.models import User
from clock import deadlines
from clock.deadlines import announce_reminders
from clock.models import Proposal, Verdict, Wish
from core.refusals import Conflict, Invalid, NotFound, Refused
from core.times import exact
from games.models import Phase, Seat
from games.selectors.loading import LoadedMatch, player_name

SHORTEST_EXTENSION, LONGEST_EXTENSION = timedelta(minutes=1), timedelta(days=7)
LONGEST_PAUSE = timedelta(days=60)


@dataclass(frozen=True)
class Wished:
    """As it comes from outside; what a wish does not need is left out."""

    wish: Wish
    seat: int | None = None
    time: timedelta | None = None
    newcomer: str = ""


class Rule(ABC):
    @abstractmethod
    def fill(self, proposal: Proposal, loaded: LoadedMatch, wished: Wished, own: Seat) -> None:
        """Takes what this wish needs. Raises Refused for what is missing or out of bounds."""

    @abstractmethod
    def check(self, loaded: LoadedMatch, proposal: Proposal) -> None:
        """Raises Refused when there is nothing to decide (any more)."""

    @abstractmethod
    def voters(self, loaded: LoadedMatch, proposal: Proposal) -> list[Seat]:
        """Who has a say; seats of stand-ins never have."""

    def needed(self, voters: int) -> int:
        """So many must agree: more than half."""
        return voters // 2 + 1 if voters else 0

    @abstractmethod
    def grant(self, loaded: LoadedMatch, proposal: Proposal, now: datetime) -> None: ...


class Extension(Rule):
    """More time for one seat, granted by the others."""

    def fill(self, proposal: Proposal, loaded: LoadedMatch, wished: Wished, own: Seat) -> None:
        proposal.seat = own.drawn if wished.seat is None else wished.seat
        proposal.turn = seat_of(loaded, proposal).asked_turn
        proposal.time = within(wished.time, SHORTEST_EXTENSION, LONGEST_EXTENSION)

    def check(self, loaded: LoadedMatch, proposal: Proposal) -> None:
        seat = seat_of(loaded, proposal)
        if seat.counted_from is None or seat.asked_turn != proposal.turn:
            raise Conflict(
                "too_late",
                f"{player_name(seat)}'s time does not run, so it cannot be made longer.",
                "Time can be added only while a seat is awaited and its time is not up.",
            )

    def voters(self, loaded: LoadedMatch, proposal: Proposal) -> list[Seat]:
        return [seat for seat in present(loaded) if seat.number != proposal.seat]

    def grant(self, loaded: LoadedMatch, proposal: Proposal, now: datetime) -> None:
        deadlines.extend(loaded.match, seat_of(loaded, proposal), proposal.time or timedelta(), now)


class Pause(Rule):
    """No time counts for a while, for nobody. A pause of no length ends the one that is on. It takes all players."""

    def fill(self, proposal: Proposal, loaded: LoadedMatch, wished: Wished, own: Seat) -> None:
        proposal.time = within(wished.time, timedelta(), LONGEST_PAUSE)

    def check(self, loaded: LoadedMatch, proposal: Proposal) -> None:
        if not proposal.time and not is_paused(loaded):
            raise Conflict("not_paused", "The match is not paused.", "A pause has a length, such as 7d.")

    def voters(self, loaded: LoadedMatch, proposal: Proposal) -> list[Seat]:
        return present(loaded)

    def needed(self, voters: int) -> int:
        return voters

    def grant(self, loaded: LoadedMatch, proposal: Proposal, now: datetime) -> None:
        match = loaded.match
        announce_reminders([loaded], now)
        for seat in loaded.seats:
            deadlines.settle(match, seat, now)
        match.paused_from, match.paused_until = now, now + (proposal.time or timedelta())
        match.save(update_fields=["paused_from", "paused_until"])
        for seat in loaded.seats:
            deadlines.recount(match, seat, now)


class Handover(Rule):
    """A seat that a stand-in plays goes to another player, who must accept it."""

    def fill(self, proposal: Proposal, loaded: LoadedMatch, wished: Wished, own: Seat) -> None:
        proposal.seat = wished.seat
        newcomer = User.objects.filter(
            username__lower=wished.newcomer.lower(), is_active=True, email_confirmed_at__isnull=False
        ).first()
        if newcomer is None:
            raise NotFound(
                "no_such_user", f"There is no player called '{wished.newcomer[:30]}'.", "Ask for their user name."
            )
        proposal.newcomer = newcomer

    def check(self, loaded: LoadedMatch, proposal: Proposal) -> None:
        seat = seat_of(loaded, proposal)
        if not seat.has_stand_in:
            raise Conflict(
                "seat_is_played", f"{player_name(seat)} plays this seat.", "Only a stand-in's seat is handed over."
            )
        if loaded.seat_of(proposal.newcomer_id):
            raise Conflict("already_seated", "This player already sits in the match.", "Choose somebody else.")

    def voters(self, loaded: LoadedMatch, proposal: Proposal) -> list[Seat]:
        return present(loaded)

    def grant(self, loaded: LoadedMatch, proposal: Proposal, now: datetime) -> None:
        """Nothing yet: the newcomer has the last word."""


RULES: dict[str, Rule] = {Wish.EXTENSION: Extension(), Wish.PAUSE: Pause(), Wish.HANDOVER: Handover()}


def is_paused(loaded: LoadedMatch) -> bool:
    return loaded.match.paused_until is not None and loaded.match.paused_until > timezone.now()


def present(loaded: LoadedMatch) -> list[Seat]:
    return [seat for seat in loaded.seats if not seat.has_stand_in]


def seat_of(loaded: LoadedMatch, proposal: Proposal) -> Seat:
    for seat in loaded.seats:
        if seat.number == proposal.seat:
            return seat
    raise Invalid("no_such_seat", "The match has no such seat.", f"Seats are 0 to {len(loaded.seats) - 1}.")


def within(time: timedelta | None, shortest: timedelta, longest: timedelta) -> timedelta:
    if time is None or time > longest:
        raise Invalid("bad_time", f"This takes a time of at most {longest.days} days.", "Write it like 36h or 3d.")
    if time < shortest:
        raise Invalid("bad_time", f"This takes a time of at least {exact(shortest)}.", "Write it like 36h or 3d.")
    return time


def standing(loaded: LoadedMatch, proposal: Proposal) -> Verdict:
    """How it stands at this moment. A sealed move that is taken back may open the matter of its time again."""
    verdict = Verdict(proposal.verdict)
    pending = verdict == Verdict.OPEN or (verdict == Verdict.AGREED and proposal.wish == Wish.HANDOVER)
    return Verdict.LAPSED if pending and not can_be_decided(loaded, proposal) else verdict


def can_be_decided(loaded: LoadedMatch, proposal: Proposal) -> bool:
    if loaded.match.phase != Phase.RUNNING:
        return False
    try:
        RULES[proposal.wish].check(loaded, proposal)
    except Refused:
        return False
    return True


def verdict_on(loaded: LoadedMatch, proposal: Proposal) -> Verdict:
    """As far as votes are in: only those of players who are still there count."""
    rule = RULES[proposal.wish]
    voters = rule.voters(loaded, proposal)
    said = [proposal.votes.get(str(seat.number)) for seat in voters]
    needed = rule.needed(len(voters))
    if said.count(True) >= needed:
        return Verdict.AGREED
    return Verdict.REJECTED if said.count(False) > len(voters) - needed else Verdict.OPEN


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
        Wish.EXTENSION: lambda: f"{exact(proposal.time or timedelta())} more for {seat_name(loaded, proposal)}'s move",
        Wish.PAUSE: lambda: f"a pause of {exact(proposal.time)}" if proposal.time else "to end the pause",
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
