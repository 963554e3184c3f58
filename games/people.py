"""What happens at the tables when people come and go."""

from contextlib import suppress
from functools import partial
from typing import Any

from django.db import transaction
from django.dispatch import receiver
from django.utils import timezone

from accounts.models import User
from accounts.signals import calendar_changed, confirmed, departing
from games import invitations, links, lobby
from games.clock import sweep
from games.models import Invitation, Match, Phase, Seat
from rest.refusal import Refused


@receiver(confirmed, dispatch_uid="games.people")
def bring_invitation(user: User, invitation: str, **_: Any) -> None:
    """Whoever registered with the link of an invitation has it from now on, whatever their address is. One that is
    over by now must not keep them from getting their account."""
    if invitation:
        with suppress(Refused):
            invitations.claim(links.invitation_of(invitation), user)


@receiver(departing, dispatch_uid="games.people")
def get_up(user: User, **_: Any) -> None:
    """Matches that have not started lose a player, or their owner and with it their reason. In running ones the seat
    stays; the clock is to look at it at once, since nobody will move there any more."""
    gathering = Match.objects.filter(phase=Phase.GATHERING)
    for match in gathering.filter(owner=user):
        lobby.cancel(match.id, user)
    for match in gathering.filter(seats__user=user):
        lobby.leave(match.id, user)
    running = Seat.objects.filter(user=user, match__phase=Phase.RUNNING, awaited_since__isnull=False)
    running.update(wake_at=timezone.now())
    Invitation.objects.filter(email=user.email).delete()


@receiver(calendar_changed, dispatch_uid="games.people")
def recount(user: User, **_: Any) -> None:
    """After the commit, as matches are locked before users everywhere. Should it be lost, the clock works a deadline
    out anew before it acts on it."""
    transaction.on_commit(partial(sweep.recount_all, user.pk))
