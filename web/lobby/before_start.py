"""The page of a match before it starts."""

from typing import Any

from accounts.models import User
from games.models import Phase, SaltMaker
from games.selectors import access, lists, presenters
from games.selectors.loading import LoadedMatch
from web.lobby.options import fields_of
from web.salts import salt_facts, shares_shown, wanted_salt


def facts_of(loaded: LoadedMatch, user: User | None) -> dict[str, Any]:
    match, own = loaded.match, loaded.seat_of(user.pk if user else None)
    is_open = match.phase == Phase.GATHERING and not match.reveal_by
    free = match.seat_count - len(loaded.seats) - lists.open_invitations(loaded).count()
    invited = user is not None and access.invitations_to(user).filter(match=match).exists()
    return {
        "free": free,
        "is_open": is_open,
        "is_owner": user is not None and match.owner_id == user.pk,
        "is_invited": invited,
        "may_join": is_open and own is None and (invited or (free > 0 and not match.is_private)),
        "options": [(field, match.options.get(field.option)) for field in fields_of(loaded.engine)],
        "invitations": [presenters.invitation(one, user) for one in lists.player_extras(loaded, user).invitations],
        "arrangement": presenters.arrangement(match),
        "wanted_salt": wanted_salt(loaded, own),
        "salt_by_server": own is not None and own.salt_by == SaltMaker.SERVER,
        "shares": shares_shown(loaded),
        **salt_facts(match),
    }
