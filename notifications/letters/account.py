"""Mail about accounts. What it says is looked up by the room of accounts; codes and links are made only here."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings

from core.times import clock_time, span
from notifications.context import Context, NothingToSay
from notifications.letters.account_facts import NoMail, facts_for
from notifications.letters.blocks import Code, Letter, Link, Words

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
            Words(f"Both work once, and for {span(timedelta(seconds=settings.PASSWORD_RESET_TIMEOUT))}."),
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
