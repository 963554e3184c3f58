"""What a mail about an account has to say, looked up when it is written: by then the world may have changed."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from accounts import links
from accounts.models import Registration, User
from notifications.models import Notification
from notifications.models.notification import NotificationKind


@dataclass(frozen=True)
class MailFacts:
    """`about` names the text: confirm_registration, has_account, confirm_change, reset_password, account_changed."""

    about: str
    facts: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class NoMail:
    why: str


def facts_for(notification: Notification) -> MailFacts | NoMail:
    match notification.kind:
        case NotificationKind.RESET_PASSWORD:
            return _reset(notification.email)
        case NotificationKind.ACCOUNT_CHANGED:
            return _changed(notification)
        case _ if "user" in notification.data:
            return _change(notification)
        case _:
            return _confirm(notification)


def _confirm(notification: Notification) -> MailFacts | NoMail:
    registration = Registration.objects.filter(pk=notification.data["registration"]).first()
    if registration is None or not registration.is_open:
        return NoMail("The registration is over.")
    if owner := _owner_of(registration.email):
        return MailFacts("has_account", {"name": owner.name, "username": owner.username})
    return MailFacts(
        "confirm_registration",
        {
            "name": registration.name,
            "username": registration.username,
            "link": links.confirmation_link(registration),
            "code": links.confirmation_code(registration),
            "expires_at": registration.expires_at,
            "time_zone": registration.time_zone,
        },
    )


def _change(notification: Notification) -> MailFacts | NoMail:
    user, new = User.objects.filter(pk=notification.data["user"]).first(), notification.email
    if user is None:
        return NoMail("The account is gone.")
    if user.email == new:
        return NoMail("The address is confirmed already.")
    if not links.is_password_mark(notification.data.get("mark", ""), user):
        return NoMail("The password has changed since.")
    if owner := _owner_of(new):
        return MailFacts("has_account", {"name": owner.name, "username": owner.username})
    facts = {"name": user.name, "username": user.username, "link": links.address_change_link(user, new)}
    return MailFacts("confirm_change", facts)


def _changed(notification: Notification) -> MailFacts | NoMail:
    """To the account, or to the address it had before."""
    user = notification.user or User.objects.filter(pk=notification.data["user"]).first()
    if user is None:
        return NoMail("The account is gone.")
    facts = {"name": user.name, "username": user.username, "what": notification.data["what"]}
    return MailFacts("account_changed", facts | {"where": notification.data.get("where", "")})


def _reset(email: str) -> MailFacts | NoMail:
    user = _owner_of(email)
    if user is None or not user.is_active:
        return NoMail("There is no account with this address.")
    facts = {
        "name": user.name,
        "username": user.username,
        "link": links.reset_link(user),
        "token": links.reset_token(user),
    }
    return MailFacts("reset_password", facts)


def _owner_of(email: str) -> User | None:
    return User.objects.filter(email__lower=email.lower()).first()
