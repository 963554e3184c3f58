"""Links that need no login: what they allow is signed into them."""

from django.conf import settings
from django.core import signing

from games.mail.occasion import Occasion

_unsubscribing = signing.Signer(salt="games.mail.unsubscribe")


def unsubscribe_link(occasion: Occasion) -> str:
    """Stops the mail of one match; without a match, all mail to this user or address."""
    notice = occasion.notice
    token = _unsubscribing.sign_object([notice.user_id, notice.match_id, notice.email])
    return f"{settings.PUBLIC_URL}/mail/unsubscribe/{token}"
