"""Asking people to a match: players by name, anybody by e-mail address, and the link that such a mail holds."""

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from accounts.models import User
from accounts.validators import validate_address_length, validate_domain
from core import tally
from core.refusals import Refused
from games.models import Invitation, Phase
from games.models.invitation import Answer
from games.selectors import access
from games.selectors.loading import LoadedMatch, locked
from games.services import lobby
from notifications import outbox
from notifications.models import Notification
from notifications.models.notification import NotificationKind

MOST_INVITATIONS = 20


def invite(match_id: str, user: User, whom: str) -> Invitation:
    """Any player may invite, by user name or by e-mail address. Whether an address has an account is not told. Each
    invitation is a mail to somebody who did not ask for it, so there are limits for both sides."""
    spend(user, whom)
    return ask(match_id, user, whom)


def spend(user: User, whom: str) -> None:
    tally.spend("invitation", str(user.pk))
    tally.spend("invited", whom.strip().lower())


@transaction.atomic
def ask(match_id: str, user: User, whom: str) -> Invitation:
    table = lobby.gathering_table(match_id, user)
    access.own_seat(table, user)
    if table.match.invitations.filter(answer=Answer.OPEN).count() >= MOST_INVITATIONS:
        raise Refused(409, "too_many_invitations", "This match has too many open invitations.", "Withdraw one first.")
    invitation = invite_address(table, user, whom) if "@" in whom else invite_user(table, user, whom)
    outbox.owe([invitation_notice(invitation)])
    return invitation


def invite_user(table: LoadedMatch, host: User, username: str) -> Invitation:
    guest = User.objects.filter(username__lower=username.lower(), is_active=True).first()
    if guest is None:
        raise Refused(404, "no_such_user", f"There is no player called '{username[:30]}'.", "Invite by e-mail instead.")
    if table.seat_of(guest.pk):
        raise Refused(409, "already_seated", f"{guest.name} already sits in this match.", "Invite somebody else.")
    return open_invitation(table, host, user=guest)


def invite_address(table: LoadedMatch, host: User, address: str) -> Invitation:
    email = User.objects.normalize_email(address)
    try:
        validate_email(email)
        validate_address_length(email)
        validate_domain(email)
    except ValidationError:
        raise Refused(400, "bad_address", "No mail can go to this address.", "Write it like ann@example.org.") from None
    return open_invitation(table, host, email=email)


def open_invitation(table: LoadedMatch, host: User, *, user: User | None = None, email: str = "") -> Invitation:
    """A new invitation, or the one that is open already: asking twice sends the mail once more. One to an address is
    never the same as one by name, also when its link was used: nobody is told whose address it is."""
    known = {"email": email} if email else {"user": user, "email": ""}
    earlier = table.match.invitations.filter(answer=Answer.OPEN, **known).first()
    return earlier or Invitation.objects.create(
        match=table.match, invited_by=host, user=user, email=email, made_at=timezone.now()
    )


def invitation_notice(invitation: Invitation) -> Notification:
    """To the account with that address, if there is one, whoever has used its link; whoever invites is not told."""
    now = timezone.now()
    known = User.objects.filter(email__lower=invitation.email, is_active=True, email_confirmed_at__isnull=False)
    return Notification(
        user=known.first() if invitation.email else invitation.user,
        email=invitation.email,
        match=invitation.match,
        kind=NotificationKind.INVITATION,
        data={"invitation": invitation.pk},
        owed_at=now,
        due_at=now,
    )


def decline(match_id: str, user: User) -> None:
    """Says no to whatever invitations are open."""
    if not access.invitations_to(user).filter(match=match_id).update(answer=Answer.DECLINED):
        raise access.no_such_match(match_id)


@transaction.atomic
def withdraw(match_id: str, user: User, invitation_id: int) -> None:
    """By whoever invited, or by the owner of the match."""
    table = lobby.gathering_table(match_id, user)
    access.own_seat(table, user)
    invitation = table.match.invitations.filter(pk=invitation_id, answer=Answer.OPEN).first()
    if invitation is None:
        raise no_such_invitation()
    access.require_host(table, invitation, user)
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
    return Refused(404, "no_such_invitation", "This invitation is not open any more.", "Ask for a new one.")
