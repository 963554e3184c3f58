"""Show which notifications were sent to the user, and why others weren't."""

from typing import Any

from django.http import HttpRequest

from accounts import profile
from accounts.models import User
from notifications import bounces
from notifications.api.notifications import presented
from notifications.models import Notification, NotificationKind
from web.settings.pages import settings_page

MOST_SHOWN = 50


def facts(_: HttpRequest, user: User) -> dict[str, Any]:
    newest = Notification.objects.filter(user=user).order_by("-created_at", "id")[:MOST_SHOWN]
    return {
        "mail": profile.section_of(user, "mail"),
        "address": user.email,
        "notifications": [(NotificationKind(one.kind).label, presented(one)) for one in newest],
    }


def send_test(_: HttpRequest, user: User) -> str:
    bounces.send_test(user)
    return "A test email is on its way."


view = settings_page("web/settings/delivery_log.html", facts, send_test=send_test)
