"""Players decide together about time and seats.

Everything is decided under the lock of the match, as moves and time-outs are: the first one counts, and one that comes
too late is refused before anybody is told.
"""

from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from accounts.models import User
from clock import stand_ins
from clock.announcements import AbandoningProposed, ProposalChanged
from clock.models import Proposal, ProposalKind, ProposalStatus
from clock.proposal_rules import RULES, ProposalRequest, present, seat_of, status_by_votes
from core import rate_limits
from core.announcements import announce
from core.refusals import Conflict, Forbidden, NotFound, Refused
from games.models import Phase, Seat
from games.selectors import access
from games.selectors.loading import LoadedMatch
from games.services import invitations, moves

PENDING = Q(status=ProposalStatus.OPEN) | Q(status=ProposalStatus.AGREED, kind=ProposalKind.REPLACEMENT)
TOLD_TO_NEWCOMERS = {ProposalStatus.AGREED, ProposalStatus.ACCEPTED, ProposalStatus.DECLINED}
MOST_SHOWN = 20


def propose(match_id: str, user: User, request: ProposalRequest) -> tuple[LoadedMatch, Proposal]:
    """Ask the others, in place of one's own open proposal of the same kind. What others proposed stands until the
    players agree on something else. Each proposal is a mail to every voter, and the offer of a seat one to somebody who
    did not ask for it, so there are limits."""
    rate_limits.spend("proposal", str(user.pk))
    if request.kind == ProposalKind.REPLACEMENT:
        invitations.spend(user, request.newcomer)
    return ask(match_id, user, request)


@transaction.atomic
def ask(match_id: str, user: User, request: ProposalRequest) -> tuple[LoadedMatch, Proposal]:
    """Where nobody else has a say it is granted."""
    loaded, own, now = running_match(match_id, user)
    proposal = Proposal(match=loaded.match, kind=request.kind, made_by=user, made_at=now, votes={str(own.number): True})
    rule = RULES[request.kind]
    rule.fill(proposal, loaded, request, own)
    rule.check(loaded, proposal)
    if proposal.seat is not None:
        proposal.holder = seat_of(loaded, proposal).user
    earlier = loaded.match.proposals.filter(kind=proposal.kind, seat=proposal.seat)
    earlier.filter(status=ProposalStatus.OPEN, made_by=user).update(status=ProposalStatus.SUPERSEDED)
    proposal.save()
    settle(loaded, proposal, now)
    if proposal.status == ProposalStatus.OPEN:
        tell(loaded, proposal, [seat for seat in rule.voters(loaded, proposal) if seat is not own], now)
    return loaded, proposal


@transaction.atomic
def vote(match_id: str, user: User, number: int, *, agreed: bool) -> tuple[LoadedMatch, Proposal]:
    """A vote may be changed until the matter is settled."""
    loaded, own, now = running_match(match_id, user)
    proposal = find(loaded, number, ProposalStatus.OPEN)
    rule = RULES[proposal.kind]
    if own not in rule.voters(loaded, proposal):
        raise Forbidden("no_vote", "You have no vote in this.", "The others decide it.")
    rule.check(loaded, proposal)
    proposal.votes[str(own.number)] = agreed
    settle(loaded, proposal, now)
    return loaded, proposal


def abandon(match_id: str, user: User, *, agreed: bool) -> LoadedMatch:
    """Notes that a player would end the match here; once all who still play agree, it ends without a result. The others
    are asked by mail, so there are limits."""
    if agreed:
        rate_limits.spend("proposal", str(user.pk))
    return vote_to_abandon(match_id, user, agreed=agreed)


@transaction.atomic
def vote_to_abandon(match_id: str, user: User, *, agreed: bool) -> LoadedMatch:
    loaded, now = access.visible_match(match_id, user, lock=True), timezone.now()
    seat = access.own_seat(loaded, user)
    access.require_phase(loaded, Phase.RUNNING)
    is_asked_already = bool(who_would_abandon(loaded))
    seat.wants_to_abandon = agreed
    loaded.save_seats()
    abandon_if_agreed(loaded, now)
    if loaded.match.phase == Phase.RUNNING and not is_asked_already:
        ask_to_abandon(loaded, now)
    return loaded


def abandon_if_agreed(loaded: LoadedMatch, now: datetime) -> None:
    """Ends the match without a result once all who still play want that."""
    players = present(loaded)
    if players and all(seat.wants_to_abandon for seat in players):
        moves.abandon(loaded, now)
        moves.write(loaded)


def who_would_abandon(loaded: LoadedMatch) -> list[Seat]:
    """Of those who still play."""
    return [seat for seat in present(loaded) if seat.wants_to_abandon]


def ask_to_abandon(loaded: LoadedMatch, now: datetime) -> None:
    """All who have not said so themselves; nobody, if nobody who plays would end the match."""
    if who_would_abandon(loaded):
        others = [seat for seat in present(loaded) if not seat.wants_to_abandon]
        announce(AbandoningProposed(loaded, others, now))


def reconsider(loaded: LoadedMatch, now: datetime) -> None:
    """Somebody has no say any more: what only they kept from being decided is decided now."""
    abandon_if_agreed(loaded, now)
    if loaded.match.phase == Phase.RUNNING:
        for proposal in loaded.match.proposals.filter(status=ProposalStatus.OPEN).order_by("pk"):
            with suppress(Refused):
                RULES[proposal.kind].check(loaded, proposal)
                settle(loaded, proposal, now)


def settle(loaded: LoadedMatch, proposal: Proposal, now: datetime) -> None:
    proposal.status = status_by_votes(loaded, proposal)
    if proposal.status == ProposalStatus.AGREED:
        rivals = loaded.match.proposals.filter(PENDING, kind=proposal.kind, seat=proposal.seat).exclude(pk=proposal.pk)
        rivals.update(status=ProposalStatus.SUPERSEDED)
        RULES[proposal.kind].grant(loaded, proposal, now)
        loaded.save_seats()
    proposal.save()
    if proposal.status != ProposalStatus.OPEN:
        tell(loaded, proposal, loaded.seats, now)


@transaction.atomic
def accept(match_id: str, user: User, number: int) -> LoadedMatch:
    """The newcomer sits down. What the stand-in has sealed can still be replaced."""
    loaded, now = access.visible_match(match_id, user, lock=True), timezone.now()
    access.require_phase(loaded, Phase.RUNNING)
    proposal = offer_to(loaded, user, number)
    RULES[proposal.kind].check(loaded, proposal)
    seat = seat_of(loaded, proposal)
    former = [seat.user_id] if seat.user_id else []
    seat.user, seat.joined_at, seat.wants_to_abandon, seat.is_muted = user, now, False, False
    stand_ins.relieve(loaded, seat, now)
    seat.save()
    proposal.status = ProposalStatus.ACCEPTED
    proposal.save(update_fields=["status"])
    tell(loaded, proposal, [other for other in loaded.seats if other is not seat], now, others=former)
    return loaded


@transaction.atomic
def decline(match_id: str, user: User, number: int) -> None:
    loaded, now = access.visible_match(match_id, user, lock=True), timezone.now()
    proposal = offer_to(loaded, user, number)
    proposal.status = ProposalStatus.DECLINED
    proposal.save(update_fields=["status"])
    tell(loaded, proposal, loaded.seats, now)


def seen_by(loaded: LoadedMatch, user: User) -> list[Proposal]:
    """The latest first: all for players, and for a newcomer what is offered to them."""
    proposals = loaded.match.proposals.select_related("made_by", "holder", "newcomer").order_by("-pk")
    if loaded.seat_of(user.pk) is None and is_offered_a_seat(loaded, user):
        return list(proposals.filter(newcomer=user, status=ProposalStatus.AGREED))
    access.own_seat(loaded, user)
    return list(proposals[:MOST_SHOWN])


@access.admits
def is_offered_a_seat(loaded: LoadedMatch, user: User) -> bool:
    """As long as there is something to play."""
    free = [seat.number for seat in loaded.seats if seat.has_stand_in and loaded.match.phase == Phase.RUNNING]
    offers = loaded.match.proposals.filter(newcomer=user, status=ProposalStatus.AGREED, seat__in=free)
    return bool(free) and offers.exists()


def running_match(match_id: str, user: User) -> tuple[LoadedMatch, Seat, datetime]:
    loaded = access.visible_match(match_id, user, lock=True)
    own = access.own_seat(loaded, user)
    access.require_phase(loaded, Phase.RUNNING)
    return loaded, own, timezone.now()


def find(loaded: LoadedMatch, number: int, status: ProposalStatus) -> Proposal:
    proposal = one_of(loaded, number)
    if proposal.status != status:
        raise Conflict("settled", f"This is settled: {proposal.status}.", "Propose it anew.")
    return proposal


def one_of(loaded: LoadedMatch, number: int) -> Proposal:
    proposal = loaded.match.proposals.select_related("made_by", "newcomer").filter(pk=number).first()
    if proposal is None:
        raise no_such_proposal()
    return proposal


def offer_to(loaded: LoadedMatch, user: User, number: int) -> Proposal:
    """What the players decide among themselves is not there for anybody else; a newcomer knows what they were told."""
    proposal = one_of(loaded, number)
    if proposal.newcomer_id == user.pk and proposal.status in TOLD_TO_NEWCOMERS:
        return find(loaded, number, ProposalStatus.AGREED)
    if loaded.seat_of(user.pk) is None:
        raise no_such_proposal()
    raise Forbidden("not_yours", "This seat is offered to somebody else.", "Only they can take it.")


def no_such_proposal() -> Refused:
    return NotFound("no_such_proposal", "There is no such proposal in this match.", "List the open ones.")


def tell(
    loaded: LoadedMatch, proposal: Proposal, seats: Iterable[Seat], now: datetime, others: Iterable[int] = ()
) -> None:
    """The same announcement whether it is asked or settled: the mail tells how things stand when it is sent."""
    if proposal.status == ProposalStatus.AGREED and proposal.newcomer_id:
        others = [*others, proposal.newcomer_id]
    announce(ProposalChanged(loaded, proposal, list(seats), list(others), now))
