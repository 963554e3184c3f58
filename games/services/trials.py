"""Let guests try a match against bots without an account.

The guest and the match are deleted a day after the last visit.
"""

import secrets
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from accounts.models import BrowserSession, MailFrequency, User
from core import rate_limits
from core.housekeeping import hourly
from core.refusals import Conflict
from games.engine.registry import engine
from games.models import Match
from games.models.pace import Pace
from games.selectors.loading import LoadedMatch
from games.services import lobby

MOST_TRIALS = 500
KEPT_FOR = timedelta(days=1)
SEATS = 3
LEVEL = "easy"


def start(game: str, address: str, time_zone: str = "UTC") -> tuple[User, LoadedMatch]:
    """Create a guest, start a match for them against two bots, and return both."""
    slug = engine(game).slug
    rate_limits.count_attempt("trial", address)
    if User.objects.filter(is_guest=True).count() >= MOST_TRIALS:
        raise Conflict("too_many_trials", "Too many people are trying Turnpost right now.", "Try again in an hour.")
    with transaction.atomic():
        guest = new_guest(time_zone)
        plan = lobby.Plan(slug, SEATS, Pace(KEPT_FOR), is_private=True, bots=SEATS - 1, level=LEVEL)
        return guest, lobby.create(guest, plan)


def new_guest(time_zone: str) -> User:
    """Create a guest without a password or a working address, so that nobody can log in and no email is sent."""
    name = f"guest-{secrets.token_hex(6)}"
    guest = User(
        username=name,
        email=f"{name}@guest.invalid",
        display_name="Guest",
        is_guest=True,
        mail_frequency=MailFrequency.NEVER,
        time_zone=time_zone,
        date_joined=timezone.now(),
    )
    guest.set_unusable_password()
    guest.save(force_insert=True)
    return guest


@hourly
def forget_abandoned(now: datetime) -> int:
    """Delete guests who have not visited for a day, with their matches."""
    present = BrowserSession.objects.filter(last_used_at__gt=now - KEPT_FOR).values("user")
    gone = User.objects.filter(is_guest=True, date_joined__lte=now - KEPT_FOR).exclude(pk__in=present)
    for guest in gone:
        forget(guest)
    return len(gone)


@transaction.atomic
def forget(guest: User) -> None:
    """Delete a guest and their match. The match is locked first, because a bot may be about to move in it."""
    matches = Match.objects.filter(owner=guest)
    list(matches.select_for_update().order_by("pk").values_list("pk"))
    matches.delete()
    guest.delete()
