"""The seats that players and bots take before a match starts, each with a salt."""

import secrets
from datetime import datetime
from typing import Any

from accounts.models import User
from core.refusals import Conflict, Invalid
from games.engine import fairness
from games.engine.text import counted
from games.models import Match, Seat
from games.selectors.loading import LoadedMatch
from games.services import salts
from games.services.salts import Share

BOT_NAMES = ("Ada", "Grace", "Hedy", "Mary", "Radia", "Sophie", "Emmy", "Katherine", "Dorothy", "Annie")
USUAL_LEVEL = "normal"

Kind = type[Conflict] | type[Invalid]


def sit_down(match: Match, user: User, share: Share, at: datetime) -> Seat:
    return take_seat(match, user.username, at, user=user, **salts.fields_of(match, share))


def take_seat(match: Match, name: str, at: datetime, **fields: Any) -> Seat:
    match.joins += 1
    match.save(update_fields=["joins"])
    pseudonym_salt = secrets.token_hex(16)
    return Seat.objects.create(
        match=match,
        joined_at=at,
        position=match.joins,
        pseudonym=fairness.pseudonym(match.id, pseudonym_salt, name),
        pseudonym_salt=pseudonym_salt,
        **fields,
    )


def with_bots(loaded: LoadedMatch, count: int, level: str, at: datetime) -> LoadedMatch:
    """Give seats to bots, and return the match including the bots."""
    match, taken = loaded.match, {seat.bot_name for seat in loaded.seats}
    names = [name for name in BOT_NAMES if name not in taken][:count]
    bots = [
        take_seat(match, name, at, bot_level=level, bot_name=name, **salts.fields_of_a_bot(match)) for name in names
    ]
    return LoadedMatch(match, [*loaded.seats, *bots])


def is_full(loaded: LoadedMatch) -> bool:
    return len(loaded.seats) == loaded.match.seat_count


def check_may_play(loaded: LoadedMatch, user: User) -> None:
    """Refuse a bot account if the match does not allow bots."""
    if not loaded.match.allows_bots and User.objects.filter(pk=user.pk, is_bot=True).exists():
        raise bots_not_allowed(Conflict)


def bots_not_allowed(kind: Kind) -> Conflict | Invalid:
    return kind("bots_not_allowed", "This match doesn't allow bots.", "Create or join a match that allows them.")


def too_many_bots(kind: Kind, bots: int, room: int) -> Conflict | Invalid:
    free = f"{counted(room, 'seat')} {'is' if room == 1 else 'are'} free"
    hint = f"Choose at most {room}." if room else "Create a match with more seats."
    return kind("too_many_bots", f"There is no room for {counted(bots, 'bot')}: {free}.", hint, allowed=room)
