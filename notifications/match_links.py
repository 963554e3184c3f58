"""Links in emails that let the recipient into one match. A link is a signature, so nothing is stored."""

from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.core import signing
from django.utils import timezone

from accounts.models import User
from core import rate_limits
from core.refusals import NotFound, Refused
from games.models import Seat
from notifications import outbox, reply_addresses
from notifications.models import Notification, NotificationKind

GOOD_FOR = timedelta(days=14)
_links = signing.TimestampSigner(salt="notifications.match_links")


@dataclass(frozen=True)
class LinkedSeat:
    """The seat that a link opens, and its player.

    An expired link opens nothing, but the player can be sent a new one.
    """

    user: User
    seat: Seat
    has_expired: bool


def match_page(match_id: str) -> str:
    return f"{settings.PUBLIC_URL}/matches/{match_id}"


def entering_link(seat: Seat, email: str) -> str:
    return f"{match_page(seat.match_id)}/enter/{token(seat, email)}"


def token(seat: Seat, email: str) -> str:
    """Sign the seat (and thus its match), its player, and the mailbox that the link is sent to."""
    return _links.sign_object([seat.pk, seat.user_id, reply_addresses.reader(email).hex()])


def read(match_id: str, token: str) -> LinkedSeat:
    """Return the seat that a link opens.

    Raise NotFound unless the link was sent to the player who still has this seat. Links from earlier versions begin
    with the match.
    """
    try:
        seat_id, user_id, mark = _links.unsign_object(token)[-3:]
    except (signing.BadSignature, ValueError, TypeError):
        raise no_such_link() from None
    seat = Seat.objects.select_related("user").filter(pk=seat_id, match=match_id, user=user_id).first()
    if seat is None or seat.user is None:
        raise no_such_link()
    if not (seat.user.is_active and reply_addresses.is_mark_of(mark, seat.user.email)):
        raise no_such_link()
    return LinkedSeat(seat.user, seat, has_expired=_has_expired(token))


def send_again(linked_seat: LinkedSeat) -> None:
    """Email a new link to the player."""
    rate_limits.count_attempt("mailbox", linked_seat.user.email, "match_link")
    now = timezone.now()
    new = Notification(
        kind=NotificationKind.MATCH_LINK,
        user=linked_seat.user,
        match_id=linked_seat.seat.match_id,
        seat=linked_seat.seat.number,
        created_at=now,
        due_at=now,
    )
    outbox.add([new])


def _has_expired(token: str) -> bool:
    try:
        _links.unsign(token, max_age=GOOD_FOR)
    except signing.SignatureExpired:
        return True
    return False


def no_such_link() -> Refused:
    return NotFound(
        "no_such_link",
        "This link doesn't open a match.",
        "It may be incomplete, or you no longer have this seat. Copy the whole link from the email, or log in.",
    )
