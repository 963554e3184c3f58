"""Who may see and do what: every permission decision about matches is made here."""

from django.db.models import Q, QuerySet

from accounts.models import User
from clock.models.proposal import Verdict
from core.refusals import Refused
from games.models import Invitation, Match, Phase, Seat
from games.models.invitation import Answer
from games.selectors.loading import LoadedMatch, load_match

STRANGERS_MAY_SEE = {Phase.GATHERING, Phase.RUNNING, Phase.FINISHED, Phase.ABANDONED}


def visible_table(match_id: str, user: User | None, *, lock: bool = False, key: str | None = None) -> LoadedMatch:
    """The table, or 404 when there is none that this user may know of."""
    try:
        table = load_match(match_id, lock=lock, key=key)
    except Match.DoesNotExist:
        raise no_such_match(match_id) from None
    if not may_see(table, user):
        raise no_such_match(match_id)
    return table


def may_see(table: LoadedMatch, user: User | None) -> bool:
    match = table.match
    if not match.is_private and match.phase in STRANGERS_MAY_SEE:
        return True
    if user is None:
        return False
    if match.owner_id == user.pk or table.seat_of(user.pk) is not None:
        return True
    return is_invited(match, user) or is_offered_a_seat(table, user)


def is_invited(match: Match, user: User) -> bool:
    return invitations_to(user).filter(match=match).exists()


def is_offered_a_seat(table: LoadedMatch, user: User) -> bool:
    """As long as there is something to play."""
    free = [seat.number for seat in table.seats if seat.has_stand_in and table.match.phase == Phase.RUNNING]
    offers = table.match.proposals.filter(newcomer=user, verdict=Verdict.AGREED, seat__in=free)
    return bool(free) and offers.exists()


def invitations_to(user: User) -> QuerySet[Invitation]:
    """Open invitations by name, or to an address that is known to be theirs."""
    to_them = Q(user=user)
    if user.email_confirmed_at:
        to_them |= Q(user=None, email=user.email)
    return Invitation.objects.filter(to_them, answer=Answer.OPEN)


def own_seat(table: LoadedMatch, user: User | None) -> Seat:
    seat = table.seat_of(user.pk if user else None)
    if seat is None:
        raise Refused(
            403,
            "not_your_match",
            "You have no seat in this match.",
            "Only its players may do this; you may watch.",
        )
    return seat


def require_owner(table: LoadedMatch, user: User) -> None:
    if table.match.owner_id != user.pk:
        raise Refused(403, "not_the_owner", "Only the owner of the match may do this.", "Ask the owner.")


def require_host(table: LoadedMatch, invitation: Invitation, user: User) -> None:
    if user.pk not in (invitation.invited_by_id, table.match.owner_id):
        raise Refused(403, "not_the_host", "Only whoever invited or owns the match may do this.", "Ask them.")


def require_phase(table: LoadedMatch, phase: Phase) -> None:
    if table.match.phase != phase:
        raise Refused(
            409,
            f"not_{phase}",
            f"The match is not {phase}; it is {table.match.phase}.",
            "Look at the match to see what can be done now.",
            phase=table.match.phase,
        )


def no_such_match(match_id: str) -> Refused:
    return Refused(404, "no_such_match", f"There is no match '{match_id[:20]}' here for you.", "List your matches.")
