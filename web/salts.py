"""The player's salt, made by their browser (salt.js) and sent with a form. Without JavaScript, the server makes it."""

from typing import Any

import msgspec
from django.http import HttpRequest

from core import signatures
from games.api.bodies import SaltShare
from games.models import Match, SaltMaker, Salts, Seat
from games.selectors import presenters, proofs
from games.selectors.loading import LoadedMatch
from games.services.salts import NO_SHARE, Share
from web.forms import read


def share_in(request: HttpRequest) -> Share:
    typed = read(SaltShare, request, "salt", "commitment")
    return Share(**typed, by=SaltMaker.BROWSER) if typed else NO_SHARE


def salt_facts(match: Match) -> dict[str, Any]:
    """Return what the browser records before it sends a salt (docs/fairness.md)."""
    return {
        "salt": {
            "match": match.id,
            "salts": match.salts,
            "secret_hash": match.secret_hash,
            "secret_signature": presenters.secret_signature(match),
            "key": signatures.public_key(),
        }
    }


def wanted_salt(loaded: LoadedMatch, seat: Seat | None) -> str:
    """Return what the browser should send on its own when the page opens: "replace" for a salt instead of the
    server's, "reveal" for the salt it committed to, or an empty string."""
    if seat is None or loaded.match.started_at or loaded.match.ended_at:
        return ""
    if loaded.match.reveal_by:
        return "reveal" if seat.commitment and not seat.salt else ""
    others_joined = any(other.position > seat.position and not other.is_bot for other in loaded.seats)
    return "replace" if seat.salt_by == SaltMaker.SERVER and not others_joined else ""


def shares_shown(loaded: LoadedMatch) -> str:
    """Return everyone's commitments, which the browser records before it reveals its salt."""
    return msgspec.json.encode(proofs.contributions(loaded)).decode() if loaded.match.salts == Salts.COMMITTED else "[]"
