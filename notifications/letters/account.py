"""Letters about accounts. The facts are looked up when the email is written, because the account may have changed
since."""

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
RESET = "reset your password right away ({server}/reset)"
IGNORE = Words("If this wasn't you, ignore this email.")


def account(context: Context) -> Letter:
    found = facts_for(context.notification)
    if isinstance(found, NoMail):
        raise NothingToSay(found.why)
    return ABOUT[found.about](found.facts)


def confirm_registration(facts: Facts) -> Letter:
    return Letter(
        f"{facts['code']} is your Turnpost code",
        f"Hello {facts['name']},",
        [
            Words("Welcome to Turnpost. To finish creating your account, open this link:"),
            Link("Confirm your address", facts["link"]),
            Code("Or enter this code", facts["code"]),
            Words(f"The link and the code expire on {clock_time(facts['expires_at'], ZoneInfo(facts['time_zone']))}."),
            Words(
                f"Times in our emails are in your time zone, {facts['time_zone']}. To change it: "
                f"{settings.PUBLIC_URL}/settings/"
            ),
        ],
        [IGNORE],
    )


def has_account(facts: Facts) -> Letter:
    return Letter(
        "You already have a Turnpost account",
        f"Hello {facts['name']},",
        [
            Words(
                f"Someone, probably you, entered this address for an account at {settings.PUBLIC_URL}. It already "
                f"belongs to the account {facts['username']}. Log in to that account, or reset its password: "
                f"{settings.PUBLIC_URL}/reset"
            )
        ],
        [IGNORE],
    )


def confirm_change(facts: Facts) -> Letter:
    return Letter(
        "Confirm your new address",
        f"Hello {facts['name']},",
        [
            Words(f"To receive emails for {facts['username']} at this address, open this link:"),
            Link("Confirm this address", facts["link"]),
        ],
        [IGNORE],
    )


def reset_password(facts: Facts) -> Letter:
    lasts = timedelta(seconds=settings.PASSWORD_RESET_TIMEOUT)
    return Letter(
        "Reset your Turnpost password",
        f"Hello {facts['name']},",
        [
            Words(f"To choose a new password for {facts['username']}, open this link:"),
            Link("Choose a new password", facts["link"]),
            Code("Or type", f"turnpost password --code {facts['token']}"),
            Words(f"You can use the link or the command once, within {exact(lasts)}."),
        ],
        [Words("If this wasn't you, ignore this email. Your password hasn't changed.")],
    )


def log_in(facts: Facts) -> Letter:
    return Letter(
        "Log in to Turnpost",
        f"Hello {facts['name']},",
        [
            Words(f"To log in as {facts['username']}, open this link in the browser you want to use:"),
            Link("Log in", facts["link"]),
            Words(f"The link works once and expires in {exact(links.LOGIN_TIME)}."),
        ],
        [Words("If this wasn't you, ignore this email. Nobody can log in without the link.")],
    )


@dataclass(frozen=True)
class Change:
    subject: str
    text: str
    if_not_you: str


CHANGES = {
    "password": Change(
        "Your Turnpost password was changed",
        "The password for your account {account} was changed.",
        f"{RESET}, and contact the operator.",
    ),
    "address": Change(
        "Your Turnpost address was changed",
        "Emails for your account {account} now go to another address.",
        "contact the operator right away.",
    ),
    "address_change_requested": Change(
        "Your Turnpost address is about to change",
        "Someone, probably you, asked to change the email address of your account {account}. It changes when the "
        "link that we sent to the new address is opened.",
        f"{RESET}. The link then stops working.",
    ),
    "log_in": Change(
        "New login to your Turnpost account",
        "Someone, probably you, logged in to your account {account}. Device: {where}.",
        f"{RESET}. That logs out every device.",
    ),
    "webhook": Change(
        "New webhook for your Turnpost account",
        "Your account {account} has a new webhook, which sends your notifications to {where}.",
        f"remove it ({{server}}/settings/webhooks), and {RESET}.",
    ),
}


def account_changed(facts: Facts) -> Letter:
    change = CHANGES[facts["what"]]
    account = f"{facts['username']} at {settings.PUBLIC_URL}"
    if_not_you = change.if_not_you.replace("{server}", settings.PUBLIC_URL)
    return Letter(
        change.subject,
        f"Hello {facts['name']},",
        [Words(change.text.replace("{account}", account).replace("{where}", facts["where"]))],
        [Words(f"If this wasn't you, {if_not_you}")],
    )


ABOUT: dict[str, Callable[[Facts], Letter]] = {
    "confirm_registration": confirm_registration,
    "has_account": has_account,
    "confirm_change": confirm_change,
    "reset_password": reset_password,
    "log_in": log_in,
    "account_changed": account_changed,
}


@dataclass(frozen=True)
class MailFacts:
    """The facts in an email about an account. `about` is a key of ABOUT."""

    about: str
    facts: Facts = field(default_factory=dict)


@dataclass(frozen=True)
class NoMail:
    why: str


def facts_for(notification: Notification) -> MailFacts | NoMail:
    match notification.kind:
        case NotificationKind.RESET_PASSWORD:
            return _reset(notification.email)
        case NotificationKind.LOGIN_LINK:
            return _log_in(notification)
        case NotificationKind.ACCOUNT_CHANGED:
            return _changed(notification)
        case _ if "user" in notification.data:
            return _change(notification)
        case _:
            return _confirm(notification)


def _confirm(notification: Notification) -> MailFacts | NoMail:
    registration = Registration.objects.filter(pk=notification.data["registration"]).first()
    if registration is None or not registration.is_open:
        return NoMail("The registration has expired or was already confirmed.")
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
        return NoMail("The account was deleted.")
    if user.email == new:
        return NoMail("The address is already confirmed.")
    if not links.is_password_fingerprint(notification.data.get("mark", ""), user):
        return NoMail("The password has changed since.")
    if owner := _owner_of(new):
        return MailFacts("has_account", {"name": owner.name, "username": owner.username})
    facts = {"name": user.name, "username": user.username, "link": links.address_change_link(user, new)}
    return MailFacts("confirm_change", facts)


def _changed(notification: Notification) -> MailFacts | NoMail:
    user = notification.user or User.objects.filter(pk=notification.data["user"]).first()
    if user is None:
        return NoMail("The account was deleted.")
    facts = {"name": user.name, "username": user.username, "what": notification.data["what"]}
    return MailFacts("account_changed", facts | {"where": notification.data.get("where", "")})


def _reset(email: str) -> MailFacts | NoMail:
    user = _owner_of(email)
    if user is None or not user.is_active:
        return NoMail("No account uses this address.")
    facts = {
        "name": user.name,
        "username": user.username,
        "link": links.reset_link(user),
        "token": links.reset_token(user),
    }
    return MailFacts("reset_password", facts)


def _log_in(notification: Notification) -> MailFacts | NoMail:
    user = _owner_of(notification.email)
    if user is None or not user.is_active:
        return NoMail("No account uses this address.")
    link = links.login_link(user, notification.data.get("next", ""))
    return MailFacts("log_in", {"name": user.name, "username": user.username, "link": link})


def _owner_of(email: str) -> User | None:
    return User.objects.filter(email__lower=email.lower(), is_guest=False).first()
