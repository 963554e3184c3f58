"""The settings that a player can change by mail, written as commands such as `settings mail daily`."""

from collections.abc import Callable
from datetime import time
from typing import Any

from django.core.exceptions import ValidationError

from accounts import profile
from accounts.models import MailFrequency, User
from core.refusals import Invalid

OFF = {"off", "no", "never", "none"}
ON = {"on", "yes"}


def change(user: User, name: str, value: str) -> None:
    """Change a setting. Raise Refused if there is no such setting or the value is invalid."""
    if name not in READERS:
        raise Invalid("unknown_setting", f"There is no setting '{name[:20]}'.", "Your settings are listed below.")
    try:
        profile.change(user, **READERS[name](value.strip().lower() if name != "zone" else value.strip()))
    except (ValueError, ValidationError):
        user.refresh_from_db()
        examples = " or ".join(f"settings {name} {value}" for value in EXAMPLES[name])
        raise Invalid("bad_setting", f"That isn't a valid value for '{name}'.", f"Try: {examples}") from None


def mail(value: str) -> dict[str, Any]:
    return {"mail_frequency": MailFrequency(value.replace(" ", "_"))}


def quiet(value: str) -> dict[str, Any]:
    if value in OFF:
        return {"quiet_from": None, "quiet_until": None}
    start, end = value.replace("..", "-").split("-")
    return {"quiet_from": time.fromisoformat(start.strip()), "quiet_until": time.fromisoformat(end.strip())}


def remind(value: str) -> dict[str, Any]:
    return {"remind_at": [] if value in OFF else [int(each.strip(" %")) for each in value.split(",")]}


def switch(field: str) -> Callable[[str], dict[str, Any]]:
    def read(value: str) -> dict[str, Any]:
        if value not in ON | OFF:
            raise ValueError(value)
        return {field: value in ON}

    return read


def zone(value: str) -> dict[str, Any]:
    return {"time_zone": value}


READERS: dict[str, Callable[[str], dict[str, Any]]] = {
    "mail": mail,
    "quiet": quiet,
    "remind": remind,
    "invitations": switch("invitations_by_mail"),
    "sender": switch("checks_sender"),
    "confirm": switch("confirms_moves"),
    "zone": zone,
}
EXAMPLES: dict[str, tuple[str, ...]] = {
    "mail": tuple(MailFrequency.values),
    "quiet": ("22:00-07:00", "off"),
    "remind": ("50,80", "off"),
    "invitations": ("on", "off"),
    "sender": ("on", "off"),
    "confirm": ("on", "off"),
    "zone": ("Europe/Berlin",),
}


def written(user: User) -> list[tuple[str, str]]:
    """Return the current settings as the commands that would set them."""
    hours = f"{user.quiet_from:%H:%M}-{user.quiet_until:%H:%M}" if user.quiet_from and user.quiet_until else "off"
    return [
        ("mail", user.mail_frequency),
        ("quiet", hours),
        ("remind", ",".join(map(str, user.remind_at)) or "off"),
        ("invitations", "on" if user.invitations_by_mail else "off"),
        ("sender", "on" if user.checks_sender else "off"),
        ("confirm", "on" if user.confirms_moves else "off"),
        ("zone", user.time_zone),
    ]
