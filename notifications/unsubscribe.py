"""Unsubscribe from one match, from invitations, from all matches or, without an account, from everything."""

from dataclasses import dataclass

from django.conf import settings
from django.core import signing
from django.db.models import Case, F, Value, When
from django.utils import timezone

from accounts.models import MailFrequency, User
from core.refusals import NotFound, Refused
from games.engine.registry import engine
from games.models import Match, Seat
from games.selectors import access
from notifications.context import Context
from notifications.models import UnsubscribedAddress

_links = signing.Signer(salt="notifications.unsubscribe")


@dataclass(frozen=True)
class Subscription:
    """What an unsubscribe link stops: mail about one match, invitations, all mail to a user, or all mail to an
    address."""

    user_id: int | None
    match_id: str | None
    email: str
    invitations_only: bool = False

    @property
    def about(self) -> str:
        if self.user_id is None:
            return "invitations to this address"
        if self.invitations_only:
            return "invitations by email"
        if self.match_id is None:
            return "emails about your matches"
        match = Match.objects.filter(pk=self.match_id).first()
        return f"emails about this {engine(match.game).title} match" if match else "emails about this match"


def stop(subscription: Subscription) -> None:
    if subscription.user_id is None:
        UnsubscribedAddress.objects.get_or_create(email=subscription.email, defaults={"since": timezone.now()})
    elif subscription.invitations_only:
        set_invitations(subscription.user_id, by_mail=False)
    elif subscription.match_id is None:
        turn_off(subscription.user_id)
    else:
        set_muted(subscription.match_id, subscription.user_id, muted=True)


def resume(subscription: Subscription) -> None:
    if subscription.user_id is None:
        UnsubscribedAddress.objects.filter(email=subscription.email).delete()
    elif subscription.invitations_only:
        set_invitations(subscription.user_id, by_mail=True)
    elif subscription.match_id is None:
        turn_on(subscription.user_id)
    else:
        set_muted(subscription.match_id, subscription.user_id, muted=False)


def set_invitations(user_id: int, *, by_mail: bool) -> None:
    User.objects.filter(pk=user_id).update(invitations_by_mail=by_mail)


def turn_off(user_id: int) -> None:
    """Turn off mail, and remember the previous setting. A second call doesn't overwrite the remembered setting."""
    changed = User.objects.filter(pk=user_id).exclude(mail_frequency=MailFrequency.NEVER)
    changed.update(frequency_before=F("mail_frequency"), mail_frequency=MailFrequency.NEVER)


def turn_on(user_id: int) -> None:
    """Restore the previous setting, unless the user has chosen another one since then."""
    before = Case(When(frequency_before="", then=Value(MailFrequency.INSTANT)), default=F("frequency_before"))
    User.objects.filter(pk=user_id, mail_frequency=MailFrequency.NEVER).update(mail_frequency=before)


def set_muted(match_id: str, user_id: int, *, muted: bool) -> None:
    Seat.objects.filter(match=match_id, user=user_id).update(is_muted=muted)


def mute(match_id: str, user: User, *, muted: bool) -> bool:
    access.own_seat(access.visible_match(match_id, user), user)
    set_muted(match_id, user.pk, muted=muted)
    return muted


def no_such_link() -> Refused:
    return NotFound("no_such_link", "This unsubscribe link is invalid.", "Copy the whole link, or log in instead.")


def unsubscribe_link(context: Context) -> str:
    """Return the unsubscribe link of an email, which mutes the match, stops invitations or, in a digest, stops all
    mail."""
    notification = context.notification
    match_id = None if context.is_invitation else notification.match_id
    email = "" if notification.user_id else notification.email
    token = _links.sign_object([notification.user_id, match_id, email, context.is_invitation])
    return f"{settings.PUBLIC_URL}/mail/unsubscribe/{token}"


def read_subscription(token: str) -> Subscription:
    try:
        return Subscription(*_links.unsign_object(token))
    except (signing.BadSignature, ValueError, TypeError):
        raise no_such_link() from None
