"""Invite people to a match: players by username, or anyone by email with a link that needs no account."""

from datetime import datetime
from typing import Any

from django.conf import settings
from django.core import signing
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts import blocks
from accounts.models import User
from accounts.validators import validate_address_length, validate_domain
from core import rate_limits
from core.announcements import announce
from core.housekeeping import hourly
from core.refusals import Conflict, Forbidden, Invalid, NotFound, Refused
from games.models import Invitation, Phase, SaltMaker
from games.models.invitation import INVITATION_TIME, Answer, not_expired
from games.selectors import access
from games.selectors.loading import LoadedMatch, locked
from games.services import lobby
from games.services.announcements import InvitationMade
from games.services.salts import NO_SHARE, Share
from games.services.seats import check_may_play

LINK_SALT = "games.invitation"
ACCEPTED_SALT = "games.invitation.accepted"


def invite(match_id: str, user: User, invitee: str) -> Invitation:
    """Invite somebody by username or email address, without revealing whether the address has an account.

    Every invitation is an unsolicited email, so there are limits per sender and per recipient.
    """
    spend(user, invitee)
    return ask(match_id, user, invitee)


def spend(user: User, invitee: str) -> None:
    rate_limits.count_attempt("invitation", str(user.pk))
    rate_limits.count_attempt("invited", invitee.strip().lower())


def check(user: User, invitee: str) -> None:
    """Check whether the user could invite somebody to a match that doesn't exist yet. Raise Refused if not."""
    rate_limits.count_attempt("invitation", str(user.pk))
    if "@" in invitee:
        valid_address(invitee)
    elif find_guest(user, invitee) == user:
        raise Conflict("already_seated", "You can't invite yourself.", "Invite somebody else.")


@transaction.atomic
def ask(match_id: str, user: User, invitee: str) -> Invitation:
    loaded = lobby.gathering_match(match_id, user)
    access.own_seat(loaded, user)
    invitation = invite_address(loaded, user, invitee) if "@" in invitee else invite_user(loaded, user, invitee)
    announce(InvitationMade(invitation))
    return invitation


def invite_user(loaded: LoadedMatch, inviter: User, username: str) -> Invitation:
    guest = find_guest(inviter, username)
    if loaded.seat_of(guest.pk):
        raise Conflict("already_seated", f"{guest.name} has already joined this match.", "Invite somebody else.")
    check_may_play(loaded, guest)
    return open_invitation(loaded, inviter, user=guest)


def find_guest(inviter: User, username: str) -> User:
    guest = User.objects.filter(username__lower=username.lower(), is_active=True, is_guest=False).first()
    if guest is None:
        raise NotFound(
            "no_such_user", f"There is no user named '{username[:30]}'.", "Check the name, or invite them by email."
        )
    if blocks.has_blocked(guest, inviter):
        raise Forbidden("blocked", f"{guest.name} doesn't accept invitations from you.", "Invite somebody else.")
    return guest


def invite_address(loaded: LoadedMatch, inviter: User, address: str) -> Invitation:
    return open_invitation(loaded, inviter, email=valid_address(address))


def valid_address(address: str) -> str:
    email = User.objects.normalize_email(address)
    try:
        validate_email(email)
        validate_address_length(email)
        validate_domain(email)
    except ValidationError:
        raise Invalid("bad_address", "This isn't a valid email address.", "Example: ann@example.org") from None
    return email


def open_invitation(loaded: LoadedMatch, inviter: User, *, user: User | None = None, email: str = "") -> Invitation:
    """Return the open invitation, or create one, which reserves a seat.

    Inviting somebody twice renews the invitation and sends the email again. An invitation to an address stays separate
    from one by username, even after its link has been used, so that nobody learns whose address it is.
    """
    now = timezone.now()
    known = {"email": email} if email else {"user": user, "email": ""}
    earlier = loaded.match.invitations.filter(answer=Answer.OPEN, **known).first()
    if earlier:
        earlier.made_at = now
        earlier.save(update_fields=["made_at"])
        return earlier
    if access.free_seats(loaded) < 1:
        raise Conflict(
            "no_free_seat",
            "Every seat is taken or reserved for an invited player.",
            "Withdraw an invitation first.",
        )
    return Invitation.objects.create(match=loaded.match, invited_by=inviter, user=user, email=email, made_at=now)


def decline(match_id: str, user: User) -> None:
    """Decline all open invitations to this match."""
    if not access.invitations_to(user).filter(match=match_id).update(answer=Answer.DECLINED):
        raise access.no_such_match(match_id)


def decline_by_link(invitation_id: int, user: User | None = None) -> None:
    """Decline an emailed invitation. The caller has checked that the recipient wants this.

    An invitation that belongs to a user can be declined only by that user.
    """
    theirs = Q(user=None) | Q(user=user)
    if not open_invitations().filter(theirs, pk=invitation_id).update(answer=Answer.DECLINED):
        raise no_such_invitation()


@transaction.atomic
def withdraw(match_id: str, user: User, invitation_id: int) -> None:
    """Withdraw an invitation. Only its sender and the owner of the match can do this."""
    loaded = lobby.gathering_match(match_id, user)
    access.own_seat(loaded, user)
    invitation = loaded.match.invitations.filter(pk=invitation_id, answer=Answer.OPEN).first()
    if invitation is None:
        raise no_such_invitation()
    access.require_inviter(loaded, invitation, user)
    invitation.answer = Answer.WITHDRAWN
    invitation.save(update_fields=["answer"])


@hourly
def expire(now: datetime) -> int:
    """Expire unanswered invitations, which frees their seats, and return how many expired."""
    late = Invitation.objects.filter(answer=Answer.OPEN, made_at__lte=now - INVITATION_TIME)
    return late.update(answer=Answer.EXPIRED)


@transaction.atomic
def accept(invitation_id: int, user: User, share: Share = NO_SHARE) -> LoadedMatch:
    """Join through an invitation link.

    This locks the match before the invitation, in the same order as `lobby.begin`.
    """
    locked().filter(invitations=invitation_id).first()
    return lobby.join(claim(invitation_id, user).match_id, user, share)


def claim(invitation_id: int, user: User) -> Invitation:
    """Assign an emailed invitation to the user who opened its link."""
    with transaction.atomic():
        invitation = open_invitations().select_for_update(of=("self",)).filter(pk=invitation_id).first()
        if invitation is None or invitation.user not in (None, user):
            raise no_such_invitation()
        if invitation.user is None:
            invitation.user = user
            invitation.save(update_fields=["user"])
    return invitation


def offered(invitation_id: int) -> Invitation:
    """Return the invitation that a link belongs to, unless the match has started."""
    invitation = open_invitations().filter(pk=invitation_id, match__phase=Phase.GATHERING).first()
    if invitation is None:
        raise no_such_invitation()
    return invitation


def joined_by(invitation_id: int, user: User) -> str:
    """Return the ID of the match that the user has joined with this invitation, or an empty string."""
    accepted = Invitation.objects.filter(pk=invitation_id, user=user, answer=Answer.ACCEPTED, match__seats__user=user)
    return accepted.values_list("match", flat=True).first() or ""


def open_invitations() -> QuerySet[Invitation]:
    found = Invitation.objects.filter(not_expired(), answer=Answer.OPEN)
    return found.select_related("match", "user", "invited_by")


def no_such_invitation() -> Refused:
    return NotFound("no_such_invitation", "This invitation is no longer open.", "Ask for a new invitation.")


def invitation_token(invitation_id: int) -> str:
    return signing.dumps(invitation_id, salt=LINK_SALT)


def invitation_link(invitation_id: int) -> str:
    """Return the address of the page that explains the invitation."""
    return f"{settings.PUBLIC_URL}/invitations/{invitation_token(invitation_id)}"


def acceptance_token(invitation_id: int, share: Share = NO_SHARE) -> str:
    """Return a token for registering and accepting the invitation at once. It contains the player's salt.

    The token is never sent by email.
    """
    return signing.dumps([invitation_id, share.salt, share.commitment, share.by], salt=ACCEPTED_SALT)


def invitation_of(token: str) -> int:
    return int(_read(token, LINK_SALT))


def acceptance_of(token: str) -> tuple[int, Share]:
    invitation_id, salt, commitment, by = _read(token, ACCEPTED_SALT)
    return invitation_id, Share(salt, commitment, SaltMaker(by))


def _read(token: str, salt: str) -> Any:
    try:
        return signing.loads(token, salt=salt, max_age=lobby.GATHERING_TIME)
    except signing.BadSignature:
        raise no_such_invitation() from None
