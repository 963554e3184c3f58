"""Inviting people to a match: players by name, anybody by e-mail address, with a link that needs no account."""

from django.conf import settings
from django.core import signing
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from accounts.models import User
from accounts.validators import validate_address_length, validate_domain
from core import rate_limits
from core.announcements import announce
from core.refusals import Conflict, Invalid, NotFound, Refused
from games.models import Invitation, Phase
from games.models.invitation import Answer
from games.selectors import access
from games.selectors.loading import LoadedMatch, locked
from games.services import lobby
from games.services.announcements import InvitationMade

MOST_INVITATIONS = 20
LINK_SALT = "games.invitation"
ACCEPTED_SALT = "games.invitation.accepted"


def invite(match_id: str, user: User, invitee: str) -> Invitation:
    """Any player may invite, by user name or by e-mail address. Whether an address has an account is not told. Each
    invitation is a mail to somebody who did not ask for it, so there are limits for both sides."""
    spend(user, invitee)
    return ask(match_id, user, invitee)


def spend(user: User, invitee: str) -> None:
    rate_limits.spend("invitation", str(user.pk))
    rate_limits.spend("invited", invitee.strip().lower())


@transaction.atomic
def ask(match_id: str, user: User, invitee: str) -> Invitation:
    loaded = lobby.gathering_match(match_id, user)
    access.own_seat(loaded, user)
    if loaded.match.invitations.filter(answer=Answer.OPEN).count() >= MOST_INVITATIONS:
        raise Conflict("too_many_invitations", "This match has too many open invitations.", "Withdraw one first.")
    invitation = invite_address(loaded, user, invitee) if "@" in invitee else invite_user(loaded, user, invitee)
    announce(InvitationMade(invitation))
    return invitation


def invite_user(loaded: LoadedMatch, host: User, username: str) -> Invitation:
    guest = User.objects.filter(username__lower=username.lower(), is_active=True).first()
    if guest is None:
        raise NotFound("no_such_user", f"There is no player called '{username[:30]}'.", "Invite by e-mail instead.")
    if loaded.seat_of(guest.pk):
        raise Conflict("already_seated", f"{guest.name} already sits in this match.", "Invite somebody else.")
    return open_invitation(loaded, host, user=guest)


def invite_address(loaded: LoadedMatch, host: User, address: str) -> Invitation:
    email = User.objects.normalize_email(address)
    try:
        validate_email(email)
        validate_address_length(email)
        validate_domain(email)
    except ValidationError:
        raise Invalid("bad_address", "No mail can go to this address.", "Write it like ann@example.org.") from None
    return open_invitation(loaded, host, email=email)


def open_invitation(loaded: LoadedMatch, host: User, *, user: User | None = None, email: str = "") -> Invitation:
    """A new invitation, or the one that is open already: asking twice sends the mail once more. One to an address is
    never the same as one by name, also when its link was used: nobody is told whose address it is."""
    known = {"email": email} if email else {"user": user, "email": ""}
    earlier = loaded.match.invitations.filter(answer=Answer.OPEN, **known).first()
    return earlier or Invitation.objects.create(
        match=loaded.match, invited_by=host, user=user, email=email, made_at=timezone.now()
    )


def decline(match_id: str, user: User) -> None:
    """Says no to whatever invitations are open."""
    if not access.invitations_to(user).filter(match=match_id).update(answer=Answer.DECLINED):
        raise access.no_such_match(match_id)


@transaction.atomic
def withdraw(match_id: str, user: User, invitation_id: int) -> None:
    """By whoever invited, or by the owner of the match."""
    loaded = lobby.gathering_match(match_id, user)
    access.own_seat(loaded, user)
    invitation = loaded.match.invitations.filter(pk=invitation_id, answer=Answer.OPEN).first()
    if invitation is None:
        raise no_such_invitation()
    access.require_host(loaded, invitation, user)
    invitation.answer = Answer.WITHDRAWN
    invitation.save(update_fields=["answer"])


@transaction.atomic
def accept(invitation_id: int, user: User, salt: str | None = None) -> LoadedMatch:
    """Joins with the link of an invitation. The match is locked first and the invitation second, as at the start."""
    locked().filter(invitations=invitation_id).first()
    return lobby.join(claim(invitation_id, user).match_id, user, salt)


def claim(invitation_id: int, user: User) -> Invitation:
    """Gives an invitation that was mailed to an address to the user who came with its link."""
    with transaction.atomic():
        invitation = open_invitations().select_for_update(of=("self",)).filter(pk=invitation_id).first()
        if invitation is None or invitation.user not in (None, user):
            raise no_such_invitation()
        if invitation.user is None:
            invitation.user = user
            invitation.save(update_fields=["user"])
    return invitation


def offered(invitation_id: int) -> Invitation:
    """For whoever has the link, as long as the match still gathers."""
    invitation = open_invitations().filter(pk=invitation_id, match__phase=Phase.GATHERING).first()
    if invitation is None:
        raise no_such_invitation()
    return invitation


def open_invitations() -> QuerySet[Invitation]:
    return Invitation.objects.filter(answer=Answer.OPEN).select_related("match", "user", "invited_by")


def no_such_invitation() -> Refused:
    return NotFound("no_such_invitation", "This invitation is not open any more.", "Ask for a new one.")


def invitation_token(invitation_id: int) -> str:
    return signing.dumps(invitation_id, salt=LINK_SALT)


def invitation_link(invitation_id: int) -> str:
    """Where the invited person reads what it is about and what to do next."""
    return f"{settings.PUBLIC_URL}/invitations/{invitation_token(invitation_id)}"


def acceptance_token(invitation_id: int) -> str:
    """What a registration keeps of somebody who has said yes already. It is mailed to nobody."""
    return signing.dumps(invitation_id, salt=ACCEPTED_SALT)


def invitation_of(token: str) -> int:
    return _read(token, LINK_SALT)


def acceptance_of(token: str) -> int:
    return _read(token, ACCEPTED_SALT)


def _read(token: str, salt: str) -> int:
    try:
        return int(signing.loads(token, salt=salt, max_age=lobby.GATHERING_TIME))
    except signing.BadSignature:
        raise no_such_invitation() from None
