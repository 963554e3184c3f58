"""Update matches when users register, declare themselves bots or delete their accounts."""

from collections.abc import Callable
from contextlib import suppress

from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts.announcements import AccountDeleted, BotDeclared, UserJoined
from accounts.models import User
from core.announcements import announce, listens_to
from core.refusals import Conflict, Refused
from games.models import Invitation, Match, Phase, Seat
from games.selectors.loading import LoadedMatch, load_matches
from games.services import invitations, lobby
from games.services.announcements import PlayerLeft


@listens_to(UserJoined)
def bring_invitation(joined: UserJoined) -> None:
    """Give new users the invitation whose link they used to register, even if it was sent to another address.

    If they accepted it on its page, they also get the seat. An expired invitation must not block the registration.
    """
    with suppress(Refused):
        invitations.claim(invitations.invitation_of(joined.invitation), joined.user)
    with suppress(Refused):
        invitation_id, share = invitations.acceptance_of(joined.invitation)
        invitations.accept(invitation_id, joined.user, share)


@listens_to(BotDeclared)
def check_matches_allow_bots(declared: BotDeclared) -> None:
    """Refuse the change while the user is in a match that does not allow bots."""
    user = declared.user
    if any(loaded.seat_of(user.pk) and not loaded.match.allows_bots for loaded in locked_matches_of(user)):
        raise Conflict(
            "plays_with_people",
            "You are in a match that doesn't allow bots.",
            "Finish or leave your matches first, or create another account for your bot.",
        )


@listens_to(AccountDeleted)
def leave_matches(deleted: AccountDeleted) -> None:
    """Remove the user from matches that have not started, cancel those they own, and announce their departure from
    running matches.

    A match that is waiting for salts keeps the seat. Proofs keep a pseudonym that can no longer be traced to the user.
    """
    user, now = deleted.user, timezone.now()
    theirs = list(Seat.objects.filter(user=user).values_list("pk", flat=True))
    for loaded in locked_matches_of(user):
        seat = loaded.seat_of(user.pk)
        if loaded.match.phase == Phase.RUNNING:
            if seat:
                announce(PlayerLeft(loaded, seat, now))
        elif loaded.match.reveal_by and seat and loaded.match.owner_id != user.pk:
            seat.user = None
            seat.save(update_fields=["user"])
        elif loaded.match.owner_id == user.pk:
            lobby.close(loaded, Phase.CANCELLED, [other for other in loaded.seats if other.user_id != user.pk])
        elif seat:
            seat.delete()
    Invitation.objects.filter(email=user.email).delete()
    Seat.objects.filter(pk__in=theirs).update(pseudonym_salt="")


def locked_matches_of(user: User) -> list[LoadedMatch]:
    """Lock every match that involves the user, in the order of their IDs, and then the user.

    After that, nothing can be added for this user, so a second query finds everything.
    """
    matches = load_matches(set(under_way_with(user)), lock=True)
    User.objects.select_for_update().filter(pk=user.pk).first()
    late = set(under_way_with(user)) - {loaded.match.pk for loaded in matches}
    return matches + load_matches(late, lock=True)


Involvement = Callable[[User], Q]
_involvements: list[Involvement] = []


def involves(condition: Involvement) -> Involvement:
    """Register another condition under which a match involves a user."""
    _involvements.append(condition)
    return condition


def under_way_with(user: User) -> QuerySet[Match, str]:
    theirs = Q(owner=user) | Q(seats__user=user) | Q(invitations__user=user) | Q(invitations__email=user.email)
    for condition in _involvements:
        theirs |= condition(user)
    return Match.objects.filter(theirs, phase__in=[Phase.GATHERING, Phase.RUNNING]).values_list("pk", flat=True)
