"""Define the kinds of proposals: their parameters and texts, who votes, and what happens when the players agree."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils import timezone

from accounts import blocks
from accounts.models import User
from clock import deadlines
from clock.deadlines import announce_reminders
from clock.models import Proposal, ProposalKind, ProposalStatus
from core.refusals import Conflict, Forbidden, Invalid, NotFound, Refused
from core.times import exact
from games.engine.text import listing
from games.models import Phase, Seat
from games.selectors.loading import LoadedMatch
from games.services.seats import check_may_play

SHORTEST_EXTENSION, LONGEST_EXTENSION = timedelta(minutes=1), timedelta(days=7)
LONGEST_PAUSE = timedelta(days=60)


@dataclass(frozen=True)
class ProposalRequest:
    """The parameters of a proposal, before they are checked."""

    kind: ProposalKind
    seat: int | None = None
    time: timedelta | None = None
    newcomer: str = ""


class Rule(ABC):
    @abstractmethod
    def fill(self, proposal: Proposal, loaded: LoadedMatch, request: ProposalRequest, own: Seat) -> None:
        """Copy the parameters that this kind needs. Raise Refused if one of them is missing or out of range."""

    @abstractmethod
    def check(self, loaded: LoadedMatch, proposal: Proposal) -> None:
        """Raise Refused if there is nothing left to decide."""

    @abstractmethod
    def voters(self, loaded: LoadedMatch, proposal: Proposal) -> list[Seat]:
        """Return the seats that may vote. Stand-ins never vote."""

    def needed(self, voters: int) -> int:
        """Return how many voters must agree: more than half."""
        return voters // 2 + 1 if voters else 0

    @abstractmethod
    def grant(self, loaded: LoadedMatch, proposal: Proposal, now: datetime) -> None: ...


class Extension(Rule):
    """An extension, which gives one seat more time. The other players vote on it."""

    def fill(self, proposal: Proposal, loaded: LoadedMatch, request: ProposalRequest, own: Seat) -> None:
        proposal.seat = own.drawn if request.seat is None else request.seat
        proposal.turn = seat_of(loaded, proposal).asked_turn
        proposal.time = within(request.time, SHORTEST_EXTENSION, LONGEST_EXTENSION)

    def check(self, loaded: LoadedMatch, proposal: Proposal) -> None:
        seat = seat_of(loaded, proposal)
        if seat.counted_from is None or seat.asked_turn != proposal.turn:
            raise Conflict(
                "too_late",
                f"{seat.player_name} has no running clock to extend.",
                "You can extend a deadline only during a player's turn.",
            )

    def voters(self, loaded: LoadedMatch, proposal: Proposal) -> list[Seat]:
        return [seat for seat in present(loaded) if seat.number != proposal.seat]

    def grant(self, loaded: LoadedMatch, proposal: Proposal, now: datetime) -> None:
        deadlines.extend(loaded.match, seat_of(loaded, proposal), proposal.time or timedelta(), now)


class Pause(Rule):
    """A pause, which stops all clocks. Every player must agree. A pause of length 0 ends the current one."""

    def fill(self, proposal: Proposal, loaded: LoadedMatch, request: ProposalRequest, own: Seat) -> None:
        proposal.time = within(request.time, timedelta(), LONGEST_PAUSE)

    def check(self, loaded: LoadedMatch, proposal: Proposal) -> None:
        if not proposal.time and not is_paused(loaded):
            raise Conflict("not_paused", "The match isn't paused.", "To pause it, give a length such as 7d.")

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


class Replacement(Rule):
    """A replacement, which gives a stand-in's seat to a new player, who must accept it."""

    def fill(self, proposal: Proposal, loaded: LoadedMatch, request: ProposalRequest, own: Seat) -> None:
        proposal.seat = request.seat
        newcomer = User.objects.filter(
            username__lower=request.newcomer.lower(), is_active=True, email_confirmed_at__isnull=False
        ).first()
        if newcomer is None:
            raise NotFound("no_such_user", f"There is no user named '{request.newcomer[:30]}'.", "Check the username.")
        if own.user and blocks.has_blocked(newcomer, own.user):
            raise Forbidden("blocked", f"{newcomer.name} doesn't accept invitations from you.", "Choose someone else.")
        proposal.newcomer = newcomer

    def check(self, loaded: LoadedMatch, proposal: Proposal) -> None:
        seat = seat_of(loaded, proposal)
        if not seat.has_stand_in:
            raise Conflict(
                "seat_is_played", f"{seat.player_name} is playing this seat.", "You can replace only a stand-in."
            )
        if loaded.seat_of(proposal.newcomer_id):
            raise Conflict("already_seated", "This player is already in the match.", "Choose someone else.")
        if proposal.newcomer:
            check_may_play(loaded, proposal.newcomer)

    def voters(self, loaded: LoadedMatch, proposal: Proposal) -> list[Seat]:
        return present(loaded)

    def grant(self, loaded: LoadedMatch, proposal: Proposal, now: datetime) -> None:
        """Do nothing yet, because the newcomer still has to accept."""


RULES: dict[str, Rule] = {
    ProposalKind.EXTENSION: Extension(),
    ProposalKind.PAUSE: Pause(),
    ProposalKind.REPLACEMENT: Replacement(),
}


def is_paused(loaded: LoadedMatch) -> bool:
    return loaded.match.paused_until is not None and loaded.match.paused_until > timezone.now()


def present(loaded: LoadedMatch) -> list[Seat]:
    return [seat for seat in loaded.seats if seat.is_present]


def seat_of(loaded: LoadedMatch, proposal: Proposal) -> Seat:
    for seat in loaded.seats:
        if seat.number == proposal.seat:
            return seat
    raise Invalid("no_such_seat", "There is no such seat.", f"Seats are numbered 0 to {len(loaded.seats) - 1}.")


def within(time: timedelta | None, shortest: timedelta, longest: timedelta) -> timedelta:
    if time is None or time > longest:
        raise Invalid("bad_time", f"Enter a duration of up to {longest.days} days.", "For example: 36h or 3d.")
    if time < shortest:
        raise Invalid("bad_time", f"Enter a duration of at least {exact(shortest)}.", "For example: 36h or 3d.")
    return time


def current_status(loaded: LoadedMatch, proposal: Proposal) -> ProposalStatus:
    """Return the stored status, or OBSOLETE if there is nothing left to decide.

    An extension can become pending again after its player withdraws a sealed move.
    """
    status = ProposalStatus(proposal.status)
    waits_for_newcomer = status == ProposalStatus.AGREED and proposal.kind == ProposalKind.REPLACEMENT
    is_pending = status == ProposalStatus.OPEN or waits_for_newcomer
    return ProposalStatus.OBSOLETE if is_pending and not can_be_decided(loaded, proposal) else status


def can_be_decided(loaded: LoadedMatch, proposal: Proposal) -> bool:
    if loaded.match.phase != Phase.RUNNING:
        return False
    try:
        RULES[proposal.kind].check(loaded, proposal)
    except Refused:
        return False
    return True


def has_a_vote(loaded: LoadedMatch, proposal: Proposal, seat: Seat) -> bool:
    return seat in RULES[proposal.kind].voters(loaded, proposal)


def status_by_votes(loaded: LoadedMatch, proposal: Proposal) -> ProposalStatus:
    """Return the status that results from the votes. Only players who are present count."""
    rule = RULES[proposal.kind]
    voters = rule.voters(loaded, proposal)
    said = [proposal.votes.get(str(seat.number)) for seat in voters]
    needed = rule.needed(len(voters))
    if said.count(True) >= needed:
        return ProposalStatus.AGREED
    return ProposalStatus.REJECTED if said.count(False) > len(voters) - needed else ProposalStatus.OPEN


def proposal_text(loaded: LoadedMatch, proposal: Proposal, reader: User | None = None) -> str:
    """Describe a proposal, such as "Ann proposed extending your deadline by 2 days"."""
    proposer = name_for(reader, proposal.made_by, you="You", departed="A departed player")
    return f"{proposer} proposed {what(loaded, proposal, reader)}."


def what(loaded: LoadedMatch, proposal: Proposal, reader: User | None) -> str:
    time = exact(proposal.time or timedelta())
    match proposal.kind:
        case ProposalKind.EXTENSION:
            return f"extending {whose(loaded, proposal, reader)} deadline by {time}"
        case ProposalKind.REPLACEMENT:
            return f"giving {whose(loaded, proposal, reader)} seat to {name_for(reader, proposal.newcomer)}"
        case _:
            return f"pausing the match for {time}" if proposal.time else "ending the pause"


def whose(loaded: LoadedMatch, proposal: Proposal, reader: User | None) -> str:
    """Describe the seat by the player who had it when the proposal was made.

    If that player is unknown, a stand-in had it.
    """
    seat = loaded.seats[proposal.seat or 0]
    holder = proposal.holder or seat.user
    if not proposal.holder and proposal.newcomer_id and seat.user_id == proposal.newcomer_id:
        return "a stand-in's"
    if holder and holder == reader:
        return "your"
    return "their own" if holder and holder == proposal.made_by else f"{name_for(reader, holder)}'s"


def status_text(loaded: LoadedMatch, proposal: Proposal, reader: User | None = None) -> str:
    match status := current_status(loaded, proposal):
        case ProposalStatus.OPEN:
            return f"Waiting for {listing(missing_voters(loaded, proposal, reader))} to vote."
        case ProposalStatus.AGREED if proposal.kind == ProposalKind.REPLACEMENT:
            return f"The players agreed. Waiting for {name_for(reader, proposal.newcomer)} to accept the seat."
        case ProposalStatus.ACCEPTED:
            return f"{name_for(reader, proposal.newcomer, you='You')} took the seat."
        case ProposalStatus.DECLINED:
            return f"{name_for(reader, proposal.newcomer, you='You')} declined the seat."
        case _:
            return STATUS_TEXTS[status]


STATUS_TEXTS = {
    ProposalStatus.AGREED: "The players agreed.",
    ProposalStatus.REJECTED: "The players declined it.",
    ProposalStatus.SUPERSEDED: "A newer proposal replaced it.",
    ProposalStatus.OBSOLETE: "It is no longer relevant.",
}


def missing_voters(loaded: LoadedMatch, proposal: Proposal, reader: User | None) -> list[str]:
    voters = RULES[proposal.kind].voters(loaded, proposal)
    return [name_for(reader, seat.user) for seat in voters if str(seat.number) not in proposal.votes]


def name_for(reader: User | None, user: User | None, *, you: str = "you", departed: str = "a departed player") -> str:
    if user is None:
        return departed
    return you if user == reader else user.name
