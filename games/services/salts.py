"""The players' salts, which are their contributions to the randomness of a match (docs/fairness.md)."""

import secrets
from dataclasses import dataclass

from core.refusals import Conflict
from games.engine import fairness
from games.models import Match, SaltMaker, Salts, Seat
from games.selectors.loading import LoadedMatch


@dataclass(frozen=True)
class Share:
    """A salt sent by a player or, if salts are committed, its hash. If both are empty, the server makes a salt."""

    salt: str = ""
    commitment: str = ""
    by: SaltMaker = SaltMaker.PLAYER


NO_SHARE = Share()


def fields_of(match: Match, share: Share) -> dict[str, str]:
    """Return the column values for a seat with this share."""
    if share == NO_SHARE:
        return {"salt": secrets.token_hex(16), "commitment": "", "salt_by": SaltMaker.SERVER}
    if match.salts == Salts.COMMITTED and (share.salt or not share.commitment):
        raise Conflict(
            "salts_are_committed", "Salts stay secret in this match.", "Send a commitment instead of the salt."
        )
    if match.salts == Salts.OPEN and (share.commitment or not share.salt):
        raise Conflict("salts_are_open", "Salts are open in this match.", "Send the salt instead of a commitment.")
    if match.seats.filter(salt=share.salt, commitment=share.commitment).exists():
        raise Conflict("salt_taken", "Another player has already sent this salt.", "Send a different one.")
    return {"salt": share.salt, "commitment": share.commitment, "salt_by": share.by}


def fields_of_a_bot(match: Match) -> dict[str, str]:
    """Make a salt for a bot. The salt is public from the start, and its commitment proves that it was not changed."""
    salt = secrets.token_hex(16)
    commitment = fairness.commitment(match.id, salt) if match.salts == Salts.COMMITTED else ""
    return {"salt": salt, "commitment": commitment, "salt_by": SaltMaker.BOT}


def is_given(seat: Seat, share: Share) -> bool:
    """Return whether this seat already has exactly this share."""
    if share == NO_SHARE or seat.salt_by == SaltMaker.SERVER:
        return False
    return share.salt in ("", seat.salt) and share.commitment in ("", seat.commitment)


def replace(loaded: LoadedMatch, seat: Seat, share: Share) -> None:
    """Replace the server's salt with the player's own, unless somebody else has joined.

    A player who already knows another salt could choose one that suits them.
    """
    if seat.salt_by != SaltMaker.SERVER or share == NO_SHARE:
        raise Conflict("salt_given", "You have already sent a salt.", "It can't be changed.")
    if any(other.position > seat.position and not other.is_bot for other in loaded.seats):
        raise Conflict("salt_too_late", "Another player has already joined.", "You keep the salt the server made.")
    for name, value in fields_of(loaded.match, share).items():
        setattr(seat, name, value)
    seat.save(update_fields=["salt", "commitment", "salt_by"])


def reveal(match: Match, seat: Seat, share: Share) -> None:
    if not share.salt or fairness.commitment(match.id, share.salt) != seat.commitment:
        raise Conflict(
            "wrong_salt", "This isn't the salt you committed to.", "Send the salt whose hash you sent when you joined."
        )
    seat.salt = share.salt
    seat.save(update_fields=["salt"])


def missing(loaded: LoadedMatch) -> bool:
    """Return whether some players have not revealed their salts yet."""
    return any(seat.commitment and not seat.salt for seat in loaded.seats)
