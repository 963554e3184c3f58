"""The page of a match before it starts."""

from typing import Any

from accounts.models import User
from games.bots import LEVELS
from games.models import Phase, SaltMaker
from games.selectors import access, lists, presenters
from games.selectors.loading import LoadedMatch
from games.services.seats import USUAL_LEVEL
from notifications.letters.invitation import ABSENT
from web.fairness import salt_facts, wanted_salt
from web.lobby.options import fields_of


def facts_of(loaded: LoadedMatch, user: User | None) -> dict[str, Any]:
    match, own = loaded.match, loaded.seat_of(user.pk if user else None)
    is_open = match.phase == Phase.GATHERING and not match.reveal_by
    free = match.seat_count - len(loaded.seats) - lists.open_invitations(loaded).count()
    invitation = access.invitations_to(user).filter(match=match).last() if user else None
    return {
        "free": free,
        "is_open": is_open,
        "is_owner": user is not None and match.owner_id == user.pk,
        "invitation": invitation,
        "may_join": is_open and own is None and (invitation is not None or (free > 0 and not match.is_private)),
        "invitations": [presenters.invitation(one, user) for one in lists.player_extras(loaded, user).invitations],
        "arrangement": presenters.arrangement(match),
        "wanted_salt": wanted_salt(loaded, own),
        "levels": LEVELS,
        "usual_level": USUAL_LEVEL,
        "salt_by_server": own is not None and own.salt_by == SaltMaker.SERVER,
        **terms_of(loaded),
        **salt_facts(loaded, user),
    }


def terms_of(loaded: LoadedMatch) -> dict[str, Any]:
    """Return what players should know before they join."""
    match = loaded.match
    chosen = [(field, match.options.get(field.option)) for field in fields_of(loaded.engine)]
    options = [(field, field.in_words(value)) for field, value in chosen if value is not None]
    return {"match": match, "game": loaded.engine.title, "options": options, "absent": ABSENT[match.absent]}
