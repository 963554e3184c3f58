"""What happens at the tables when people come and go."""

from contextlib import suppress
from datetime import datetime
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet
from django.dispatch import receiver
from django.utils import timezone

from accounts.models import User
from accounts.signals import calendar_changed, confirmed, departing, welcoming
from clock import proposals, stand_ins, sweep
from core.refusals import Refused
from games.models import Invitation, Match, Phase, Seat
from games.selectors.loading import LoadedMatch, load_matches, match_name
from games.services import invitation_links, invitations, lobby
from notifications import bounces
from notifications.models import BouncingAddress


@receiver(confirmed, dispatch_uid="games.services.departures")
def bring_invitation(user: User, invitation: str, **_: Any) -> None:
    """Whoever registered with the link of an invitation has it from now on, whatever their address is; whoever said yes
    on its page has the seat. One that is over by now must not keep them from getting their account."""
    with suppress(Refused):
        invitations.claim(invitation_links.invitation_of(invitation), user)
    with suppress(Refused):
        invitations.accept(invitation_links.acceptance_of(invitation), user)


@receiver(welcoming, dispatch_uid="games.services.departures")
def tell_of_seats(user: User, **_: Any) -> str:
    taken = set(Seat.objects.filter(user=user).values_list("match", flat=True))
    return " ".join(seat_of(user, table) for table in load_matches(taken))


def seat_of(user: User, table: LoadedMatch) -> str:
    """For whoever has just taken it, on a page."""
    has_begun = table.match.phase == Phase.RUNNING
    then = "It has begun: look into your mail." if has_begun else "A mail tells you when it begins."
    return f"You have a seat in {match_name(table, table.seat_of(user.pk))}. {then}"


@receiver(confirmed, dispatch_uid="games.services.departures.mail")
def trust_address(user: User, **_: Any) -> None:
    """Mail has arrived there, whatever came back before."""
    bounces.mend(user.email)


@receiver(departing, dispatch_uid="games.services.departures.mail")
def forget_address(user: User, **_: Any) -> None:
    BouncingAddress.objects.filter(email=user.email).delete()


@receiver(departing, dispatch_uid="games.services.departures")
def get_up(user: User, **_: Any) -> None:
    """Matches that have not started lose a player, or their owner and with it their reason. In running ones the seat
    stays, and what the others had agreed on but for this player is decided."""
    now = timezone.now()
    for table in locked_tables_of(user):
        if table.match.phase == Phase.RUNNING:
            leave_seat(table, user, now)
        elif table.match.owner_id == user.pk:
            lobby.close(table, Phase.CANCELLED, [seat for seat in table.seats if seat.user_id != user.pk])
        elif seat := table.seat_of(user.pk):
            seat.delete()
    Invitation.objects.filter(email=user.email).delete()


def locked_tables_of(user: User) -> list[LoadedMatch]:
    """All tables that have to do with the user, locked in the order of their ids, and the user after them, as
    everywhere. From then on nobody new can write of this user, so a second look finds what came in between."""
    tables = load_matches(set(under_way_with(user)), lock=True)
    User.objects.select_for_update().filter(pk=user.pk).first()
    late = set(under_way_with(user)) - {table.match.pk for table in tables}
    return tables + load_matches(late, lock=True)


def under_way_with(user: User) -> QuerySet[Match, str]:
    invited = Q(invitations__user=user) | Q(invitations__email=user.email)
    theirs = Q(owner=user) | Q(seats__user=user) | Q(proposals__newcomer=user) | invited
    return Match.objects.filter(theirs, phase__in=[Phase.GATHERING, Phase.RUNNING]).values_list("pk", flat=True)


def leave_seat(table: LoadedMatch, user: User, now: datetime) -> None:
    if seat := table.seat_of(user.pk):
        stand_ins.vacate(table, seat, now)
        table.save_seats()
        proposals.reconsider(table, now)


@receiver(calendar_changed, dispatch_uid="games.services.departures")
def recount(user: User, zone_before: str = "", **_: Any) -> None:
    """After the commit, as matches are locked before users everywhere. Should it be lost, the clock works a deadline
    out anew before it acts on it."""
    transaction.on_commit(partial(sweep.recount_all, user.pk, zone_before or user.time_zone))
