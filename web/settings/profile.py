"""Settings for the name, the time zone and notifications."""

from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext, gettext_lazy

from accounts import profile
from accounts.api.me import ProfileChangeSerializer, presented
from accounts.models import MailFrequency, User
from accounts.validators import usual_time_zones
from core.api import validated
from web.settings.pages import settings_page

FREQUENCIES = {
    MailFrequency.INSTANT: gettext_lazy("Right away"),
    MailFrequency.UNTIL_VISIT: gettext_lazy("Right away, then nothing more about a match until I visit it"),
    MailFrequency.HOURLY: gettext_lazy("As a digest, once an hour"),
    MailFrequency.DAILY: gettext_lazy("As a digest, once a day"),
    MailFrequency.NEVER: gettext_lazy("Never"),
}


def facts(_: HttpRequest, user: User) -> dict[str, Any]:
    zones = usual_time_zones()
    return {
        "profile": presented(user),
        "reminders": ", ".join(map(str, user.remind_at)),
        "frequencies": {frequency.value: text for frequency, text in FREQUENCIES.items()},
        "time_zones": zones if user.time_zone in zones else (user.time_zone, *zones),
    }


def save(request: HttpRequest, user: User) -> str:
    form = request.POST
    asked = {
        "display_name": form.get("display_name", ""),
        "time_zone": form.get("time_zone", ""),
        "mail_frequency": form.get("mail_frequency", ""),
        "invitations_by_mail": "invitations_by_mail" in form,
        "quiet_from": form.get("quiet_from") or None,
        "quiet_until": form.get("quiet_until") or None,
        "remind_at": [part.strip() for part in form.get("remind_at", "").split(",") if part.strip()],
        "checks_sender": "checks_sender" in form,
        "confirms_moves": "confirms_moves" in form,
    }
    profile.change(user, **validated(ProfileChangeSerializer, asked))
    return gettext("Your settings were saved.")


view = settings_page("web/settings/profile.html", facts, save=save)
