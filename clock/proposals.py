"""Make proposals and vote on them.

Like moves and time-outs, votes lock the match first. The first change therefore wins, and later ones are refused before
anyone is notified.
"""

from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts.models import User
from clock import stand_ins
from clock.announcements import AbandoningProposed, ProposalChanged
from clock.models import Proposal, ProposalKind, ProposalStatus
from clock.proposal_rules import (
    RULES,
    ProposalRequest,
    can_be_decided,
    has_a_vote,
    present,
    seat_of,
    status_by_votes,
)
from core import rate_limits
from core.announcements import announce
from core.refusals import Conflict, Forbidden, NotFound, Refused
from games.models import Phase, Seat
from games.selectors import access
from games.selectors.loading import LoadedMatch
from games.services import invitations, moves

PENDING = Q(status=ProposalStatus.OPEN) | Q(status=ProposalStatus.AGREED, kind=ProposalKind.REPLACEMENT)
VISIBLE_TO_NEWCOMERS = {ProposalStatus.AGREED, ProposalStatus.ACCEPTED, ProposalStatus.DECLINED}
MOST_SHOWN = 20


def propose(match_id: str, user: User, request: ProposalRequest) -> tuple[LoadedMatch, Proposal]:
    """Make a proposal.

    It replaces the player's own open proposal of the same kind. Proposals by other players stay open until the players
    agree on something else. Proposals are rate-limited, because each one sends emails, and a replacement even sends one
    to someone outside the match.
    """
    rate_limits.count_attempt("proposal", str(user.pk))
    if request.kind == ProposalKind.REPLACEMENT:
        invitations.spend(user, request.newcomer)
    return ask(match_id, user, request)


@transaction.atomic
def ask(match_id: str, user: User, request: ProposalRequest) -> tuple[LoadedMatch, Proposal]:
    """Store the proposal and ask the other players. If nobody else has a vote, the proposal is accepted immediately."""
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
    """Vote on a proposal. Players can change their votes until the proposal is decided."""
    loaded, own, now = running_match(match_id, user)
    proposal = find(loaded, number, ProposalStatus.OPEN)
    rule = RULES[proposal.kind]
    if not has_a_vote(loaded, proposal, own):
        raise Forbidden("no_vote", "You can't vote on this proposal.", "The other players decide.")
    rule.check(loaded, proposal)
    proposal.votes[str(own.number)] = agreed
    settle(loaded, proposal, now)
    return loaded, proposal


def abandon(match_id: str, user: User, *, agreed: bool) -> LoadedMatch:
    """Agree to end the match without a result, or withdraw that agreement.

    This is rate-limited, because the other players get an email.
    """
    if agreed:
        rate_limits.count_attempt("proposal", str(user.pk))
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
    """End the match without a result once every present player agrees."""
    players = present(loaded)
    if players and all(seat.wants_to_abandon for seat in players):
        moves.abandon(loaded, now, asked_by=players)
        moves.write(loaded)


def who_would_abandon(loaded: LoadedMatch) -> list[Seat]:
    """Return the players who are present and want to end the match."""
    return [seat for seat in present(loaded) if seat.wants_to_abandon]


def ask_to_abandon(loaded: LoadedMatch, now: datetime) -> None:
    """If any player who is present wants to end the match, ask those who haven't agreed."""
    if who_would_abandon(loaded):
        others = [seat for seat in present(loaded) if not seat.wants_to_abandon]
        announce(AbandoningProposed(loaded, others, now))


def reconsider(loaded: LoadedMatch, now: datetime) -> None:
    """Decide the proposals that were only waiting for a player who can no longer vote."""
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
    """Give the seat to the newcomer, who can still replace the stand-in's sealed move."""
    loaded, now = access.visible_match(match_id, user, lock=True), timezone.now()
    access.require_phase(loaded, Phase.RUNNING)
    proposal = offer_to(loaded, user, number)
    RULES[proposal.kind].check(loaded, proposal)
    seat = seat_of(loaded, proposal)
    former = [seat.user_id] if seat.user_id else []
    seat.user, seat.joined_at, seat.wants_to_abandon, seat.is_muted = user, now, False, False
    seat.pseudonym_salt = seat.encrypted_orders = ""
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
    """List proposals, newest first. Players see all of them, and a newcomer sees only the offer of a seat."""
    proposals = loaded.match.proposals.select_related("made_by", "holder", "newcomer").order_by("-pk")
    if loaded.seat_of(user.pk) is None and is_offered_a_seat(loaded, user):
        return list(proposals.filter(newcomer=user, status=ProposalStatus.AGREED))
    access.own_seat(loaded, user)
    return list(proposals[:MOST_SHOWN])


def waiting_for_vote(seats: Iterable[Seat]) -> Counter[str]:
    """Count the open proposals that each of these players still has to vote on, grouped by match."""
    own = {seat.match_id: seat for seat in seats if seat.match.phase == Phase.RUNNING}
    open_ones = Proposal.objects.filter(match__in=list(own), status=ProposalStatus.OPEN).select_related("newcomer")
    return Counter(one.match_id for one in open_ones if still_has_to_vote(own[one.match_id], one))


def still_has_to_vote(seat: Seat, proposal: Proposal) -> bool:
    loaded = LoadedMatch(seat.match, list(seat.match.seats.all()))
    has_vote = has_a_vote(loaded, proposal, seat) and str(seat.number) not in proposal.votes
    return has_vote and can_be_decided(loaded, proposal)


def seats_offered_to(user: User) -> QuerySet[Proposal]:
    """Return the stand-ins' seats that the players have agreed to give to this user."""
    agreed = Proposal.objects.filter(newcomer=user, status=ProposalStatus.AGREED, match__phase=Phase.RUNNING)
    return agreed.select_related("match", "made_by").order_by("pk")


@access.admits
def is_offered_a_seat(loaded: LoadedMatch, user: User) -> bool:
    """Return whether the user has been offered a seat. Offers exist only while the match is running."""
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
        raise Conflict("settled", f"This proposal is already {proposal.status}.", "Make a new one.")
    return proposal


def one_of(loaded: LoadedMatch, number: int) -> Proposal:
    proposal = loaded.match.proposals.select_related("made_by", "newcomer").filter(pk=number).first()
    if proposal is None:
        raise no_such_proposal()
    return proposal


def offer_to(loaded: LoadedMatch, user: User, number: int) -> Proposal:
    """Return the offer made to this user. People outside the match cannot see any other proposal."""
    proposal = one_of(loaded, number)
    if proposal.newcomer_id == user.pk and proposal.status in VISIBLE_TO_NEWCOMERS:
        return find(loaded, number, ProposalStatus.AGREED)
    if loaded.seat_of(user.pk) is None:
        raise no_such_proposal()
    raise Forbidden("not_yours", "This seat is offered to someone else.", "Only they can take it.")


def no_such_proposal() -> Refused:
    return NotFound("no_such_proposal", "There is no such proposal in this match.", "List the proposals.")


def tell(
    loaded: LoadedMatch, proposal: Proposal, seats: Iterable[Seat], now: datetime, others: Iterable[int] = ()
) -> None:
    """Announce a new or decided proposal. The email shows the status at the time it is sent."""
    if proposal.status == ProposalStatus.AGREED and proposal.newcomer_id:
        others = [*others, proposal.newcomer_id]
    announce(ProposalChanged(loaded, proposal, list(seats), list(others), now))
