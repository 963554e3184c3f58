"""Everything that a browser needs to create the player's salt and to check the match later (fairness.js).

Without JavaScript, the server makes the salt.
"""

from collections.abc import Mapping
from typing import Any

import msgspec
from django.http import HttpRequest
from django.utils.translation import gettext as _

from accounts.models import User
from core import signatures
from games.api.bodies import SaltShare
from games.models import Match, SaltMaker, Seat
from games.selectors import presenters, proofs
from games.selectors.loading import LoadedMatch
from games.services.salts import NO_SHARE, Share
from notifications.move_links import MoveLink
from web.forms import read


def share_in(request: HttpRequest) -> Share:
    typed = read(SaltShare, request, "salt", "commitment")
    return Share(**typed, by=SaltMaker.BROWSER) if typed else NO_SHARE


def salt_facts(loaded: LoadedMatch, user: User | None) -> dict[str, Any]:
    """Return what the browser records before it sends or reveals a salt (docs/fairness.md)."""
    match, own = loaded.match, loaded.seat_of(user.pk if user else None)
    return {
        "salt": {
            "match": match.id,
            "user": user.username if user else "",
            "salts": match.salts,
            "secret_hash": match.secret_hash,
            "secret_signature": presenters.secret_signature(match),
            "key": signatures.public_key(),
            "position": own.position if own else "",
            "players": msgspec.json.encode(proofs.contributions(loaded)).decode(),
        }
    }


def wanted_salt(loaded: LoadedMatch, seat: Seat | None) -> str:
    """Return what the browser should send on its own when the page opens: "replace" for a salt that replaces the
    server's, "reveal" for the salt that it committed to, or an empty string for nothing."""
    if seat is None or loaded.match.started_at or loaded.match.ended_at:
        return ""
    if loaded.match.reveal_by:
        return "reveal" if seat.commitment and not seat.salt else ""
    others_joined = any(other.position > seat.position and not other.is_bot for other in loaded.seats)
    return "replace" if seat.salt_by == SaltMaker.SERVER and not others_joined else ""


def shown_to(user: User, loaded: LoadedMatch, sealed: Mapping[str, Any] | None = None) -> str:
    """Return what a player's browser records whenever it shows the match. `sealed` is the player's sealed move."""
    own, match = loaded.seat_of(user.pk), loaded.match
    shown = {
        "match": match.id,
        "user": user.username,
        "seat": own.number if own else None,
        "game": match.game,
        "rules": match.rules,
        "options": match.options,
        "phase": match.phase,
        "turn": match.turn,
        "fairness": presenters.fairness_of(loaded, user),
        "sealed": sealed and {"move": sealed["notation"], **msgspec.structs.asdict(sealed["receipt"])},
    }
    return msgspec.json.encode(shown).decode()


def fingerprint_of(match: Match) -> str:
    """Say what the fingerprint of a match covers."""
    if match.end:
        return _("Fingerprint at the end")
    return _("Fingerprint after event %(number)s") % {"number": match.events_made}


def sent_by(link: MoveLink) -> str:
    """Return what the browser records when the player plays the move behind a link in an email."""
    seat = link.seat
    sent = {
        "match": seat.match_id,
        "user": link.user.username,
        "seat": seat.number,
        "turn": link.turn,
        "move": link.move,
    }
    return msgspec.json.encode(sent).decode()
