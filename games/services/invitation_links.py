"""Links that are mailed to people who need not have an account: a signature over the invitation, for some weeks."""

from django.conf import settings
from django.core import signing

from games.services.invitations import no_such_invitation
from games.services.lobby import GATHERING_TIME

SALT = "games.invitation"
ACCEPTED = "games.invitation.accepted"


def invitation_token(invitation_id: int) -> str:
    return signing.dumps(invitation_id, salt=SALT)


def invitation_link(invitation_id: int) -> str:
    """Where the invited person reads what it is about and what to do next."""
    return f"{settings.PUBLIC_URL}/invitations/{invitation_token(invitation_id)}"


def acceptance_token(invitation_id: int) -> str:
    """What a registration keeps of somebody who has said yes already. It is mailed to nobody."""
    return signing.dumps(invitation_id, salt=ACCEPTED)


def invitation_of(token: str) -> int:
    return _read(token, SALT)


def acceptance_of(token: str) -> int:
    return _read(token, ACCEPTED)


def _read(token: str, salt: str) -> int:
    try:
        return int(signing.loads(token, salt=salt, max_age=GATHERING_TIME))
    except signing.BadSignature:
        raise no_such_invitation() from None
