"""Players decide together about time and seats.

Everything is decided under the lock of the match, as moves and time-outs are: whoever comes first counts, and what came
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
from clock.models import Proposal
from clock.models.proposal import Verdict, Wish
from clock.proposal_rules import RULES, Wished, present, seat_of, verdict_on
from core import tally
from core.refusals import Refused
from games.models import Phase, Seat
from games.selectors import access
from games.selectors.loading import LoadedMatch
from games.services import idempotency, invitations, notices, record
from notifications import outbox
from notifications.models import Notification
from notifications.models.notification import NotificationKind

PENDING = Q(verdict=Verdict.OPEN) | Q(verdict=Verdict.AGREED, wish=Wish.HANDOVER)
TOLD_TO_NEWCOMERS = {Verdict.AGREED, Verdict.ACCEPTED, Verdict.DECLINED}
MOST_SHOWN = 20


def propose(match_id: str, user: User, wished: Wished) -> tuple[LoadedMatch, Proposal]:
    """Asks the others, in place of an earlier wish of the same kind. Each proposal is a mail to them, and the offer of
    a seat one to somebody who did not ask for it, so there are limits."""
    tally.spend("proposal", str(user.pk))
    if wished.wish == Wish.HANDOVER:
        invitations.spend(user, wished.newcomer)
    return ask(match_id, user, wished)


@transaction.atomic
def ask(match_id: str, user: User, wished: Wished) -> tuple[LoadedMatch, Proposal]:
    """Where nobody else has a say it is granted."""
    table, own, now = running_table(match_id, user)
    proposal = Proposal(match=table.match, wish=wished.wish, made_by=user, made_at=now, votes={str(own.number): True})
    rule = RULES[wished.wish]
    rule.fill(proposal, table, wished, own)
    rule.check(table, proposal)
    if proposal.seat is not None:
        proposal.holder = seat_of(table, proposal).user
    earlier = table.match.proposals.filter(PENDING, wish=proposal.wish, seat=proposal.seat)
    earlier.update(verdict=Verdict.REPLACED)
    proposal.save()
    settle(table, proposal, now)
    if proposal.verdict == Verdict.OPEN:
        tell(table, proposal, [seat for seat in rule.voters(table, proposal) if seat is not own], now)
    return table, proposal


@transaction.atomic
def vote(match_id: str, user: User, number: int, *, agreed: bool) -> tuple[LoadedMatch, Proposal]:
    """A vote may be changed until the matter is settled."""
    table, own, now = running_table(match_id, user)
    proposal = find(table, number, Verdict.OPEN)
    rule = RULES[proposal.wish]
    if own not in rule.voters(table, proposal):
        raise Refused(403, "no_vote", "You have no vote in this.", "The others decide it.")
    rule.check(table, proposal)
    proposal.votes[str(own.number)] = agreed
    settle(table, proposal, now)
    return table, proposal


def abandon_if_agreed(table: LoadedMatch, now: datetime) -> None:
    """Ends the match without a result once all who still play want that."""
    players = present(table)
    if players and all(seat.wants_to_abandon for seat in players):
        record.abandon(table, now)


def who_would_abandon(table: LoadedMatch) -> list[Seat]:
    """Of those who still play."""
    return [seat for seat in present(table) if seat.wants_to_abandon]


def ask_to_abandon(table: LoadedMatch, now: datetime) -> None:
    """All who have not said so themselves; nobody, if nobody who plays would end the match."""
    if who_would_abandon(table):
        others = [seat for seat in present(table) if not seat.wants_to_abandon]
        outbox.owe(notices.to_seats(table, others, NotificationKind.PROPOSAL, now, turn=None, data={"abandon": True}))


def reconsider(table: LoadedMatch, now: datetime) -> None:
    """Somebody has no say any more: what only they kept from being decided is decided now."""
    abandon_if_agreed(table, now)
    if table.match.phase == Phase.RUNNING:
        for proposal in table.match.proposals.filter(verdict=Verdict.OPEN).order_by("pk"):
            with suppress(Refused):
                RULES[proposal.wish].check(table, proposal)
                settle(table, proposal, now)


def settle(table: LoadedMatch, proposal: Proposal, now: datetime) -> None:
    proposal.verdict = verdict_on(table, proposal)
    if proposal.verdict == Verdict.AGREED:
        RULES[proposal.wish].grant(table, proposal, now)
        table.save_seats()
    proposal.save()
    if proposal.verdict != Verdict.OPEN:
        tell(table, proposal, table.seats, now)


@transaction.atomic
def accept(match_id: str, user: User, number: int) -> LoadedMatch:
    """The newcomer sits down. What the stand-in has sealed can still be replaced."""
    table, now = access.visible_table(match_id, user, lock=True), timezone.now()
    access.require_phase(table, Phase.RUNNING)
    proposal = offer_to(table, user, number)
    RULES[proposal.wish].check(table, proposal)
    seat = seat_of(table, proposal)
    former = [seat.user_id] if seat.user_id else []
    idempotency.forget_those_to(seat)
    seat.user, seat.joined_at, seat.wants_to_abandon, seat.is_muted = user, now, False, False
    stand_ins.relieve(table, seat, now)
    seat.save()
    proposal.verdict = Verdict.ACCEPTED
    proposal.save(update_fields=["verdict"])
    tell(table, proposal, [other for other in table.seats if other is not seat], now, others=former)
    return table


@transaction.atomic
def decline(match_id: str, user: User, number: int) -> None:
    table, now = access.visible_table(match_id, user, lock=True), timezone.now()
    proposal = offer_to(table, user, number)
    proposal.verdict = Verdict.DECLINED
    proposal.save(update_fields=["verdict"])
    tell(table, proposal, table.seats, now)


def seen_by(table: LoadedMatch, user: User) -> list[Proposal]:
    """The latest first: all for players, and for a newcomer what is offered to them."""
    proposals = table.match.proposals.select_related("made_by", "holder", "newcomer").order_by("-pk")
    if table.seat_of(user.pk) is None and access.is_offered_a_seat(table, user):
        return list(proposals.filter(newcomer=user, verdict=Verdict.AGREED))
    access.own_seat(table, user)
    return list(proposals[:MOST_SHOWN])


def running_table(match_id: str, user: User) -> tuple[LoadedMatch, Seat, datetime]:
    table = access.visible_table(match_id, user, lock=True)
    own = access.own_seat(table, user)
    access.require_phase(table, Phase.RUNNING)
    return table, own, timezone.now()


def find(table: LoadedMatch, number: int, verdict: Verdict) -> Proposal:
    proposal = one_of(table, number)
    if proposal.verdict != verdict:
        raise Refused(409, "settled", f"This is settled: {proposal.verdict}.", "Propose it anew.")
    return proposal


def one_of(table: LoadedMatch, number: int) -> Proposal:
    proposal = table.match.proposals.select_related("made_by", "newcomer").filter(pk=number).first()
    if proposal is None:
        raise no_such_proposal()
    return proposal


def offer_to(table: LoadedMatch, user: User, number: int) -> Proposal:
    """What the players decide among themselves is not there for anybody else; a newcomer knows what they were told."""
    proposal = one_of(table, number)
    if proposal.newcomer_id == user.pk and proposal.verdict in TOLD_TO_NEWCOMERS:
        return find(table, number, Verdict.AGREED)
    if table.seat_of(user.pk) is None:
        raise no_such_proposal()
    raise Refused(403, "not_yours", "This seat is offered to somebody else.", "Only they can take it.")


def no_such_proposal() -> Refused:
    return Refused(404, "no_such_proposal", "There is no such proposal in this match.", "List the open ones.")


def tell(
    table: LoadedMatch, proposal: Proposal, seats: Iterable[Seat], now: datetime, others: Iterable[int] = ()
) -> None:
    """The same kind of notice whether it is asked or settled: it tells how things stand when it is sent."""
    data = {"proposal": proposal.pk, "verdict": proposal.verdict}
    owed = notices.to_seats(table, seats, NotificationKind.PROPOSAL, now, turn=None, data=data)
    if proposal.verdict == Verdict.AGREED and proposal.newcomer_id:
        others = [*others, proposal.newcomer_id]
    owed += [
        Notification(
            user_id=other, match=table.match, kind=NotificationKind.PROPOSAL, data=data, owed_at=now, due_at=now
        )
        for other in others
    ]
    outbox.owe(owed)
