"""Mail about accounts. What it says is looked up when it is written: by then the account may have changed."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings

from accounts import links
from accounts.models import Registration, User
from core.times import clock_time, exact
from notifications.context import Context, NothingToSay
from notifications.letters.blocks import Code, Letter, Link, Words
from notifications.models import Notification, NotificationKind

Facts = Mapping[str, Any]
ASK = "ask for a new password at once (turnpost password --forgotten)"
ANOTHER_ZONE = "To live in another one, type for example: turnpost account --time-zone Europe/Berlin"
IGNORE = Words("If that was not you, ignore this mail: nothing will happen.")


def account(context: Context) -> Letter:
    found = facts_for(context.notification)
    if isinstance(found, NoMail):
        raise NothingToSay(found.why)
    return ABOUT[found.about](found.facts)


def confirm_registration(facts: Facts) -> Letter:
    return Letter(
        f"{facts['code']} is your code for Turnpost",
        f"Hello {facts['name']},",
        [
            Words(f"Welcome to Turnpost, {facts['username']}. To show that this address is yours, open this link:"),
            Link("Confirm the address", facts["link"]),
            Code("Or type this code where you are asked for it", facts["code"]),
            Words(f"Both are good until {clock_time(facts['expires_at'], ZoneInfo(facts['time_zone']))}."),
            Words(f"All times in our mails are those of your time zone, {facts['time_zone']}. {ANOTHER_ZONE}"),
        ],
        [IGNORE],
    )


def has_account(facts: Facts) -> Letter:
    return Letter(
        "You have an account at Turnpost already",
        f"Hello {facts['name']},",
        [
            Words(
                f"Somebody, probably you, wanted to use this address for an account at {settings.PUBLIC_URL}. It has "
                f"one already: {facts['username']}. You can log in with it, or ask for a new password: "
                "turnpost password --forgotten"
            )
        ],
        [IGNORE],
    )


def confirm_change(facts: Facts) -> Letter:
    return Letter(
        "Your new address at Turnpost",
        f"Hello {facts['name']},",
        [
            Words(f"From now on, mail for {facts['username']} is to come to this address. To agree, open this link:"),
            Link("Use this address", facts["link"]),
        ],
        [IGNORE],
    )


def reset_password(facts: Facts) -> Letter:
    return Letter(
        "A new password for Turnpost",
        f"Hello {facts['name']},",
        [
            Words(f"To choose a new password for {facts['username']}, open this link:"),
            Link("Choose a new password", facts["link"]),
            Code("Or use the command line", f"turnpost password --code {facts['token']}"),
            Words(f"Both work once, and for {exact(timedelta(seconds=settings.PASSWORD_RESET_TIMEOUT))}."),
        ],
        [Words("If that was not you, ignore this mail: your password stays as it is.")],
    )


@dataclass(frozen=True)
class Change:
    what: str
    """Goes on from: your account."""
    if_not_you: str
    more: str = ""


CHANGES = {
    "password": Change("has a new password", f"{ASK}, and tell whoever runs this service."),
    "address": Change("has moved to another address", "tell whoever runs this service at once."),
    "address_asked": Change(
        "is to move to another address",
        f"{ASK}: then the link is void.",
        "It moves when somebody follows the link that we have sent there.",
    ),
    "log_in": Change(
        "was logged in to",
        f"{ASK}: that ends every log-in.",
        "Whoever did so calls it: {where}.",
    ),
    "webhook": Change(
        "has a new webhook",
        f"remove it with turnpost webhooks, and {ASK}.",
        "From now on {where} is called when there is something to tell you.",
    ),
}


def account_changed(facts: Facts) -> Letter:
    change = CHANGES[facts["what"]]
    said = f"Your account {facts['username']} at {settings.PUBLIC_URL} {change.what}."
    return Letter(
        f"Your account at Turnpost {change.what}",
        f"Hello {facts['name']},",
        [Words(f"{said} {change.more.replace('{where}', facts['where'])}".strip())],
        [Words(f"If that was not you, {change.if_not_you}")],
    )


ABOUT: dict[str, Callable[[Facts], Letter]] = {
    "confirm_registration": confirm_registration,
    "has_account": has_account,
    "confirm_change": confirm_change,
    "reset_password": reset_password,
    "account_changed": account_changed,
}


@dataclass(frozen=True)
class MailFacts:
    """`about` names the text: confirm_registration, has_account, confirm_change, reset_password, account_changed."""

    about: str
    facts: Facts = field(default_factory=dict)


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
