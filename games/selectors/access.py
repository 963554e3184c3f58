"""Decide who may see and do what in a match."""

from collections.abc import Callable

from django.db.models import Q, QuerySet

from accounts.authentication import UncheckedToken
from accounts.models import Block, User
from core.refusals import Conflict, Forbidden, NotFound, Refused
from games.models import Invitation, Match, Phase, Seat
from games.models.invitation import Answer, not_expired
from games.selectors.loading import LoadedMatch, load_match, load_with_token

STRANGERS_MAY_SEE = {Phase.GATHERING, Phase.RUNNING, Phase.FINISHED, Phase.ABANDONED}


def visible_match(match_id: str, user: User | None, *, lock: bool = False) -> LoadedMatch:
    """Load a match. Raise NotFound if it does not exist or the user is not allowed to see it."""
    try:
        loaded = load_match(match_id, lock=lock)
    except Match.DoesNotExist:
        raise no_such_match(match_id) from None
    if not may_see(loaded, user):
        raise no_such_match(match_id)
    return loaded


def match_with_token(match_id: str, token: UncheckedToken) -> tuple[LoadedMatch, User]:
    """Load and lock a match for the owner of a token, or raise NotFound like visible_match."""
    try:
        loaded, user = load_with_token(match_id, token)
    except Match.DoesNotExist:
        raise no_such_match(match_id) from None
    if not may_see(loaded, user):
        raise no_such_match(match_id)
    return loaded, user


def may_see(loaded: LoadedMatch, user: User | None) -> bool:
    match = loaded.match
    if not match.is_private and match.phase in STRANGERS_MAY_SEE:
        return True
    if user is None:
        return False
    if match.owner_id == user.pk or loaded.seat_of(user.pk) is not None:
        return True
    return invitations_to(user).filter(match=match).exists() or any(admits(loaded, user) for admits in _admitting)


Admission = Callable[[LoadedMatch, User], bool]
_admitting: list[Admission] = []


def admits(rule: Admission) -> Admission:
    """Register a rule that lets more users see a private match."""
    _admitting.append(rule)
    return rule


def invitations_to(user: User) -> QuerySet[Invitation]:
    """Return the open invitations to this user, except those from users they have blocked."""
    to_them = Q(user=user)
    if user.email_confirmed_at:
        to_them |= Q(user=None, email=user.email)
    return Invitation.objects.filter(to_them, not_expired(), answer=Answer.OPEN).exclude(
        invited_by__in=blocked_users(user)
    )


def blocked_users(user: User) -> QuerySet[Block, int]:
    return Block.objects.filter(user=user).values_list("blocked", flat=True)


def free_seats(loaded: LoadedMatch, user: User | None = None) -> int:
    """Count the seats that this user could take. Each open invitation to somebody else reserves one."""
    reserved = Invitation.objects.filter(match=loaded.match, answer=Answer.OPEN)
    if user:
        reserved = reserved.exclude(pk__in=invitations_to(user).values("pk"))
    return loaded.match.seat_count - len(loaded.seats) - reserved.count()


def own_seat(loaded: LoadedMatch, user: User | None) -> Seat:
    seat = loaded.seat_of(user.pk if user else None)
    if seat is None:
        raise Forbidden(
            "not_your_match",
            "You have no seat in this match.",
            "Only players can do this, but you can watch.",
        )
    return seat


def require_not_resigned(seat: Seat) -> None:
    if seat.resigned_at:
        raise Conflict("resigned", "You resigned from this match.", "A stand-in plays your seat to the end.")


def require_owner(loaded: LoadedMatch, user: User) -> None:
    if loaded.match.owner_id != user.pk:
        raise Forbidden("not_the_owner", "Only the owner of the match can do this.", "Ask the owner.")


def require_inviter(loaded: LoadedMatch, invitation: Invitation, user: User) -> None:
    if user.pk not in (invitation.invited_by_id, loaded.match.owner_id):
        raise Forbidden(
            "not_the_host",
            "Only the sender or the match owner can withdraw an invitation.",
            "Ask the sender or the owner.",
        )


def require_phase(loaded: LoadedMatch, phase: Phase) -> None:
    if loaded.match.phase != phase:
        raise wrong_phase(loaded, phase)


def wrong_phase(loaded: LoadedMatch, wanted: Phase) -> Conflict:
    return Conflict(
        f"not_{wanted}",
        PHASES[Phase(loaded.match.phase)],
        "Check the match to see what you can do now.",
        phase=loaded.match.phase,
    )


PHASES = {
    Phase.GATHERING: "The match has not started yet.",
    Phase.RUNNING: "The match has already started.",
    Phase.FINISHED: "The match is over.",
    Phase.ABANDONED: "The match ended without a result.",
    Phase.CANCELLED: "The match was canceled.",
    Phase.EXPIRED: "The match expired: it didn't start within 30 days.",
}


def no_such_match(match_id: str) -> Refused:
    return NotFound(
        "no_such_match",
        f"There is no match '{match_id[:20]}', or you can't see it.",
        "Check the ID in your list of matches.",
    )
