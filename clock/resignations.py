"""Resign from a running match: a stand-in plays the seat to the end, and it counts as last place."""

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
    """A proposal that lacked only this player's vote is decided now."""
    loaded, now = access.visible_match(match_id, user, lock=True), timezone.now()
    seat = access.own_seat(loaded, user)
    access.require_phase(loaded, Phase.RUNNING)
    access.require_not_resigned(seat)
    seat.resigned_at = now
    seat.stand_in_since = seat.stand_in_since or now
    if seat.awaited_since:
        deadlines.start(loaded.match, seat, now, new_turn=True)
    loaded.save_seats()
    announce(PlayerResigned(loaded, seat, now))
    proposals.reconsider(loaded, now)
    return loaded
