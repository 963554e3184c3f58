"""What happens to matches when users join the service or leave it."""

from collections.abc import Callable
from contextlib import suppress

from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts.announcements import AccountDeleted, UserJoined
from accounts.models import User
from core.announcements import announce, listens_to
from core.refusals import Refused
from games.models import Invitation, Match, Phase
from games.selectors.loading import LoadedMatch, load_matches
from games.services import invitations, lobby
from games.services.announcements import PlayerLeft


@listens_to(UserJoined)
def bring_invitation(joined: UserJoined) -> None:
    """A user who registered with the link of an invitation has it from now on, whatever their address is; one who
    accepted it on its page has the seat. An invitation that is over must not keep them from getting their account."""
    with suppress(Refused):
        invitations.claim(invitations.invitation_of(joined.invitation), joined.user)
    with suppress(Refused):
        invitations.accept(invitations.acceptance_of(joined.invitation), joined.user)


@listens_to(AccountDeleted)
def leave_matches(deleted: AccountDeleted) -> None:
    """Matches that have not started lose a player, or are cancelled with their owner. Running ones keep the seat."""
    user, now = deleted.user, timezone.now()
    for loaded in locked_matches_of(user):
        seat = loaded.seat_of(user.pk)
        if loaded.match.phase == Phase.RUNNING:
            if seat:
                announce(PlayerLeft(loaded, seat, now))
        elif loaded.match.owner_id == user.pk:
            lobby.close(loaded, Phase.CANCELLED, [other for other in loaded.seats if other.user_id != user.pk])
        elif seat:
            seat.delete()
    Invitation.objects.filter(email=user.email).delete()


def locked_matches_of(user: User) -> list[LoadedMatch]:
    """All matches that have to do with the user, locked in the order of their ids, and the user after them, as
    everywhere. From then on nobody can write anything new about this user, so a second look finds what came in
    between."""
    matches = load_matches(set(under_way_with(user)), lock=True)
    User.objects.select_for_update().filter(pk=user.pk).first()
    late = set(under_way_with(user)) - {loaded.match.pk for loaded in matches}
    return matches + load_matches(late, lock=True)


Involvement = Callable[[User], Q]
_involvements: list[Involvement] = []


def involves(condition: Involvement) -> Involvement:
    """Other apps add how a user may have to do with a match: `@involves` on a function that returns a condition."""
    _involvements.append(condition)
    return condition


def under_way_with(user: User) -> QuerySet[Match, str]:
    theirs = Q(owner=user) | Q(seats__user=user) | Q(invitations__user=user) | Q(invitations__email=user.email)
    for condition in _involvements:
        theirs |= condition(user)
    return Match.objects.filter(theirs, phase__in=[Phase.GATHERING, Phase.RUNNING]).values_list("pk", flat=True)
