"""Resign from a running match. A stand-in plays the seat to the end, and the player finishes in last place."""

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from clock import deadlines, proposals
from clock.announcements import PlayerResigned
from core.announcements import announce
from games.models import Phase
from games.selectors import access
from games.selectors.loading import LoadedMatch


@transaction.atomic
def resign(match_id: str, user: User) -> LoadedMatch:
    """Resign. Proposals that were only waiting for this player's vote are then decided."""
    loaded, now = access.visible_match(match_id, user, lock=True), timezone.now()
    seat = access.own_seat(loaded, user)
    access.require_phase(loaded, Phase.RUNNING)
    access.require_not_resigned(seat)
    seat.resigned_at, seat.encrypted_orders = now, ""
    seat.stand_in_since = seat.stand_in_since or now
    if seat.awaited_since:
        deadlines.start(loaded.match, seat, now, new_turn=True)
    loaded.save_seats()
    announce(PlayerResigned(loaded, seat, now))
    proposals.reconsider(loaded, now)
    return loaded
