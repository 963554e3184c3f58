from collections.abc import Mapping

from django.template import Library
from django.utils.translation import gettext

register = Library()

LABELS = {
    "bank": "Time bank",
    "code": "Code",
    "current": "Current password",
    "display_name": "Display name",
    "email": "Email address",
    "first_day": "First day",
    "invitees": "Invite",
    "invitee": "Username or email address",
    "last_day": "Last day",
    "login": "Username or email address",
    "move_time": "Time per move",
    "name": "Name",
    "password": "Password",
    "patience": "Time-outs in a row",
    "quiet_from": "Quiet from",
    "quiet_until": "Quiet until",
    "remind_at": "Reminders",
    "seats": "Players",
    "time_zone": "Time zone",
    "title": "Title",
    "url": "Address",
    "username": "Username",
}


@register.filter
def label(field: str) -> str:
    """Return the label of a form's field, for messages about it."""
    last = field.rpartition(".")[2] if not field.rpartition(".")[2].isdigit() else field.partition(".")[0]
    return gettext(LABELS.get(last, last.replace("_", " ").capitalize()))


@register.filter
def chosen(typed: Mapping[str, str] | None, field: str) -> str:
    """Return what was typed into a field whose name can't be written in a template."""
    return typed.get(field, "") if typed else ""


@register.filter
def percent(share: float) -> str:
    return f"{100 * share:.0f}%"
