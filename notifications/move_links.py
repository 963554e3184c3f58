"""Links in emails that play one move. A link is a signature, so nothing is stored.

Opening a link only shows the move. The move is played with a button, because virus scanners open links, too.
"""

from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256

from django.conf import settings
from django.core import signing

from accounts.models import User
from games.models import Seat
from notifications import reply_addresses

GOOD_FOR = timedelta(days=14)
_links = signing.TimestampSigner(salt="notifications.move_links")


@dataclass(frozen=True)
class MoveLink:
    user: User
    seat: Seat
    turn: int
    move: str
    key: str
    """The content of a link. A link plays its move only once, even if the turn stays the same because the move is
    sealed."""


def move_link(seat: Seat, email: str, turn: int, move: str) -> str:
    """Return a link that is bound to the seat (and thus to its match), the player, their mailbox, the turn and the
    move."""
    mark = reply_addresses.reader(email).hex()
    token = _links.sign_object([seat.pk, seat.user_id, mark, turn, move])
    return f"{settings.PUBLIC_URL}/matches/{seat.match_id}/play/{token}"


def read_link(match_id: str, token: str) -> MoveLink | None:
    """Return the content of a link.

    Return None unless it was sent, at most two weeks ago, to the player who still has this seat. Links from earlier
    versions begin with the match.
    """
    try:
        seat_id, user_id, mark, turn, move = _links.unsign_object(token, max_age=GOOD_FOR)[-5:]
    except (signing.BadSignature, ValueError, TypeError):
        return None
    seat = Seat.objects.select_related("user").filter(pk=seat_id, match=match_id, user=user_id).first()
    if seat is None or seat.user is None:
        return None
    if not (seat.user.is_active and reply_addresses.is_mark_of(mark, seat.user.email)):
        return None
    return MoveLink(seat.user, seat, turn, move, f"link-{sha256(token.encode()).hexdigest()[:40]}")
