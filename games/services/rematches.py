"""Play again: a new match with the same people and settings."""

from contextlib import suppress

from django.db import transaction

from accounts.models import User
from core.refusals import Conflict, Refused
from games.models import Absent, Match, Phase, Salts, Seat
from games.selectors import access
from games.selectors.loading import LoadedMatch, load_match
from games.services import invitations, lobby
from games.services.seats import USUAL_LEVEL

OVER = (Phase.FINISHED, Phase.ABANDONED)


@transaction.atomic
def rematch(match_id: str, user: User) -> LoadedMatch:
    """Create the rematch and invite the others, or return the one that another player has created. The lock on the old
    match keeps two players from creating two."""
    old = access.visible_match(match_id, user, lock=True)
    access.own_seat(old, user)
    if old.match.phase not in OVER:
        raise Conflict("not_over", "The match isn't over yet.", "Finish it first.")
    if known := known_rematch(old.match, user):
        return known
    new = lobby.create(user, plan_of(old))
    Match.objects.filter(pk=new.match.pk).update(rematch_of=old.match)
    for seat in old.seats:
        if seat.user and seat.user_id != user.pk:
            with suppress(Refused):
                invitations.invite(new.match.id, user, seat.user.username)
    return load_match(new.match.id)


def known_rematch(old: Match, user: User) -> LoadedMatch | None:
    """The latest rematch in which this user has a seat or an invitation."""
    under_way = Match.objects.filter(rematch_of=old, phase__in=[Phase.GATHERING, Phase.RUNNING]).order_by("-created_at")
    for match_id in under_way.values_list("pk", flat=True):
        loaded = load_match(match_id)
        if loaded.seat_of(user.pk) or access.invitations_to(user).filter(match=loaded.match).exists():
            return loaded
    return None


def plan_of(old: LoadedMatch) -> lobby.Plan:
    """The same settings. The seats of departed players are open to anyone who may join."""
    match, bots = old.match, [seat for seat in old.seats if seat.is_bot]
    return lobby.Plan(
        game=match.game,
        seat_count=match.seat_count,
        pace=match.pace,
        options=match.options,
        title=match.title,
        is_private=match.is_private,
        salts=Salts(match.salts),
        bots=len(bots),
        level=level_of(bots),
        allows_bots=match.allows_bots,
        absent=Absent(match.absent),
        salt_follows=True,
    )


def level_of(bots: list[Seat]) -> str:
    return bots[0].bot_level if bots else USUAL_LEVEL
