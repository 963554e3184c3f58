"""Settings for webhooks, which send the user's notifications to a program or a chat."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext

from accounts.models import User
from core.api import validated
from notifications.api.webhooks import NewWebhook, presented, presented_call
from notifications.models import Webhook, WebhookCall
from notifications.webhooks import service
from web.forms import count
from web.settings.pages import number_in, settings_page

TEMPLATE = "web/settings/webhooks.html"
MOST_CALLS = 10


def facts(_: HttpRequest, user: User) -> dict[str, Any]:
    own = list(Webhook.objects.filter(user=user).order_by("id"))
    return {
        "webhooks": [(presented(webhook), calls_of(webhook)) for webhook in own],
        "kinds": [(kind.value, kind.label.capitalize(), kind in service.USUAL_KINDS) for kind in service.KINDS],
    }


def calls_of(webhook: Webhook) -> list[Any]:
    made = WebhookCall.objects.filter(webhook=webhook).select_related("notification").order_by("-created_at", "id")
    return [presented_call(call) for call in made[:MOST_CALLS]]


def create(request: HttpRequest, user: User) -> HttpResponse:
    count("webhook", user)
    form = request.POST
    asked = {"url": form.get("url", ""), "name": form.get("name", ""), "kinds": form.getlist("kinds")}
    wanted = validated(NewWebhook, asked)
    _, secret = service.create(user, wanted["url"], wanted["kinds"], wanted["name"])
    return render(request, TEMPLATE, facts(request, user) | {"secret": secret})


def test(request: HttpRequest, user: User) -> str:
    count("webhook", user)
    service.add_test(user, number_in(request, "webhook"))
    return gettext("A test call is on its way.")


def enable(request: HttpRequest, user: User) -> str:
    count("webhook", user)
    service.enable(user, number_in(request, "webhook"))
    return gettext("The webhook is on.")


def remove(request: HttpRequest, user: User) -> str:
    service.remove(user, number_in(request, "webhook"))
    return gettext("The webhook was removed.")


view = settings_page(TEMPLATE, facts, create=create, test=test, enable=enable, remove=remove)
