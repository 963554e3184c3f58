"""Settings for vacations, during which the player's clocks stop."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import gettext

from accounts.models import User
from clock import vacations
from clock.api.vacations import PlanSerializer
from clock.models import Vacation
from web.forms import read
from web.settings.pages import number_in, settings_page

MOST_SHOWN = 20


def facts(_: HttpRequest, user: User) -> dict[str, Any]:
    today = vacations.today(user)
    return {
        "vacations": Vacation.objects.filter(user=user).order_by("-first_day", "id")[:MOST_SHOWN],
        "today": today,
        "days_left": vacations.days_left(user, today.year),
        "days_a_year": settings.VACATION_DAYS,
    }


def plan(request: HttpRequest, user: User) -> str:
    vacations.plan(user, **read(PlanSerializer, request, "first_day", "last_day"))
    return gettext("Your vacation is planned. Your clocks stop on these days.")


def end(request: HttpRequest, user: User) -> str:
    ended = vacations.end(user, number_in(request, "vacation"))
    return gettext("Your vacation ends today.") if ended.pk else gettext("Your vacation was canceled.")


view = settings_page("web/settings/vacations.html", facts, plan=plan, end=end)
