"""Show which notifications were sent to the user, and why others weren't."""

from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext

from accounts import profile
from accounts.models import User
from games.selectors.loading import load_matches, match_name
from notifications import archive, bounces
from notifications.api.notifications import presented
from notifications.models import NotificationKind
from web.settings.pages import settings_page

MOST_SHOWN = 50


def facts(_: HttpRequest, user: User) -> dict[str, Any]:
    newest = archive.page_of(user, archive.LATEST_FIRST, (), MOST_SHOWN)
    matches = load_matches({one.match_id for one in newest if one.match_id})
    seats = [(loaded, loaded.seat_of(user.pk)) for loaded in matches]
    names = {loaded.match.id: match_name(loaded, seat) for loaded, seat in seats if seat}
    return {
        "mail": profile.section_of(user, "mail"),
        "address": user.email,
        "notifications": [
            (NotificationKind(one.kind).label.capitalize(), presented(one), names.get(one.match_id or "", ""))
            for one in newest
        ],
    }


def send_test(_: HttpRequest, user: User) -> str:
    bounces.send_test(user)
    return gettext("A test email is on its way.")


view = settings_page("web/settings/delivery_log.html", facts, send_test=send_test)
