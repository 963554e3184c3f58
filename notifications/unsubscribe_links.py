"""Links that need no login: what they allow is signed into them."""

from django.conf import settings
from django.core import signing

from notifications.context import Context
from notifications.unsubscribe import Subscription, no_such_link

_unsubscribing = signing.Signer(salt="games.mail.unsubscribe")


def unsubscribe_link(occasion: Context) -> str:
    """A player's mail about a match stands for that match, an invitation for all invitations, and a digest for all."""
    notice = occasion.notice
    match_id = None if occasion.is_invitation else notice.match_id
    email = "" if notice.user_id else notice.email
    token = _unsubscribing.sign_object([notice.user_id, match_id, email, occasion.is_invitation])
    return f"{settings.PUBLIC_URL}/mail/unsubscribe/{token}"


def read_subscription(token: str) -> Subscription:
    try:
        return Subscription(*_unsubscribing.unsign_object(token))
    except (signing.BadSignature, ValueError, TypeError):
        raise no_such_link() from None
