"""Settings for the calendar feed."""

from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext

from accounts.models import User
from notifications import calendar
from web.settings.pages import settings_page


def facts(_: HttpRequest, user: User) -> dict[str, Any]:
    return {"feed": calendar.feed_link(user)}


def renew(_: HttpRequest, user: User) -> str:
    calendar.renew(user)
    return gettext("Your calendar has a new address.")


def turn_off(_: HttpRequest, user: User) -> str:
    calendar.turn_off(user)
    return gettext("Your calendar is off. Its address no longer works.")


view = settings_page("web/settings/calendar.html", facts, renew=renew, off=turn_off)
