"""Create a new match with the same people and settings."""

from contextlib import suppress

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from core.refusals import Conflict, Refused
from games.models import Absent, Match, Phase, Salts
from games.selectors import access
from games.selectors.loading import LoadedMatch, load_match
from games.services import invitations, lobby
from games.services.seats import with_bots

OVER = (Phase.FINISHED, Phase.ABANDONED)


@transaction.atomic
def rematch(match_id: str, user: User) -> LoadedMatch:
    """Create the rematch and invite the others, or return the rematch that another player has created.

    The lock on the old match keeps two players from each creating a rematch.
    """
    old = access.visible_match(match_id, user, lock=True)
    access.own_seat(old, user)
    if old.match.phase not in OVER:
        raise Conflict("not_over", "The match isn't over yet.", "Finish it first.")
    if known := known_rematch(old.match, user):
        return known
    new = with_the_same_bots(lobby.create(user, plan_of(old)), old)
    Match.objects.filter(pk=new.match.pk).update(rematch_of=old.match)
    for seat in old.seats:
        if seat.user and seat.user_id != user.pk:
            with suppress(Refused):
                invitations.invite(new.match.id, user, seat.user.username)
    return load_match(new.match.id)


def known_rematch(old: Match, user: User) -> LoadedMatch | None:
    """Return the latest rematch in which this user has a seat or an invitation."""
    under_way = Match.objects.filter(rematch_of=old, phase__in=[Phase.GATHERING, Phase.RUNNING]).order_by("-created_at")
    for match_id in under_way.values_list("pk", flat=True):
        loaded = load_match(match_id)
        if loaded.seat_of(user.pk) or access.invitations_to(user).filter(match=loaded.match).exists():
            return loaded
    return None


def plan_of(old: LoadedMatch) -> lobby.Plan:
    """Return the settings of the old match. Anyone who may join can take the seats of departed players."""
    match = old.match
    return lobby.Plan(
        game=match.game,
        seat_count=match.seat_count,
        pace=match.pace,
        options=match.options,
        title=match.title,
        is_private=match.is_private,
        salts=Salts(match.salts),
        allows_bots=match.allows_bots,
        absent=Absent(match.absent),
        think=match.think,
        salt_follows=True,
    )


def with_the_same_bots(new: LoadedMatch, old: LoadedMatch) -> LoadedMatch:
    """Give seats to bots of the same levels. The new match can't start yet, because it waits for the owner's salt."""
    bots = sorted([seat for seat in old.seats if seat.is_bot], key=lambda seat: seat.position)
    for bot in bots:
        new = with_bots(new, 1, bot.bot_level, timezone.now())
    return new
