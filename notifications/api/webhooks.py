"""Endpoints for a user's webhooks, which send notifications to a program or a chat."""

from typing import Any

import msgspec
from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.authentication import user_in
from accounts.validators import validate_printable
from core.api import NoBody, StrictSerializer, read_body, respond
from core.field_messages import MultipleChoiceField
from core.openapi import refuses, request_example, response_example
from core.paging import CursorPages
from core.rate_limits import UserThrottle, WriteThrottle
from core.shapes import Page
from notifications import shapes
from notifications.api.notifications import state_of
from notifications.models import NAME_LENGTH, Webhook, WebhookCall
from notifications.webhooks import service
from notifications.webhooks.targets import LONGEST_URL

ON: dict[str, Any] = {
    "id": 3,
    "name": "our group chat",
    "url": "https://hooks.example.org/turns",
    "kinds": ["your_turn", "reminder", "match_over"],
    "state": "on",
    "why": "",
    "failures": 0,
    "failing_since": None,
    "disabled_at": None,
    "last_success_at": "2026-03-02T09:00:01Z",
    "created_at": "2026-03-01T20:00:00Z",
}
OFF = ON | {
    "state": "off",
    "why": "hooks.example.org returned 404.",
    "failures": 10,
    "failing_since": "2026-03-02T09:00:00Z",
    "disabled_at": "2026-03-03T10:00:00Z",
}
NEW = ON | {"last_success_at": None, "secret": "turnpost_hook_2dVvG9w0yZkq1mB7cXo5sE8uN3rJ6tAf4hLpQiUgYbM"}
QUEUED = {
    "id": "5d2f6b1c9a03e874",
    "event": "test",
    "match": None,
    "state": "queued",
    "why": "",
    "status": None,
    "tries": 0,
    "created_at": "2026-03-02T09:00:00Z",
    "sent_at": None,
}
SENT = QUEUED | {"state": "sent", "status": 200, "sent_at": ON["last_success_at"], "tries": 1}


def presented(of: Webhook) -> shapes.Webhook:
    return shapes.Webhook(
        id=of.pk,
        name=of.name,
        url=of.url,
        kinds=of.kinds,
        state=webhook_state(of),
        why=of.why,
        failures=of.failures,
        failing_since=of.failing_since,
        disabled_at=of.disabled_at,
        last_success_at=of.last_success_at,
        created_at=of.created_at,
    )


def presented_with_secret(of: Webhook, secret: str) -> shapes.WebhookWithSecret:
    return shapes.WebhookWithSecret(**msgspec.structs.asdict(presented(of)), secret=secret)


def webhook_state(of: Webhook) -> str:
    if of.disabled_at:
        return "off"
    return "failing" if of.failures else "on"


def presented_call(of: WebhookCall) -> shapes.WebhookCall:
    return shapes.WebhookCall(
        id=of.public_id,
        event=of.notification.kind if of.notification else "test",
        match=of.notification.match_id if of.notification else None,
        state=state_of(of.delivery),
        why=of.why,
        status=of.status,
        tries=of.tries,
        created_at=of.created_at,
        sent_at=of.sent_at,
    )


class CallsLatestFirst(CursorPages):
    ordering = ("-created_at", "id")


class WebhookThrottle(WriteThrottle):
    """A separate rate limit for requests that cause DNS lookups or webhook calls."""

    scope = "webhook"


class KindsField(MultipleChoiceField):
    def __init__(self, **settings: Any) -> None:
        super().__init__(choices=[kind.value for kind in service.KINDS], allow_empty=False, **settings)


def name_field() -> serializers.CharField:
    return serializers.CharField(
        max_length=NAME_LENGTH, required=False, allow_blank=True, validators=[validate_printable]
    )


class NewWebhook(StrictSerializer):
    url = serializers.CharField(max_length=LONGEST_URL, help_text="An http or https URL of a public host.")
    kinds = KindsField(required=False, help_text=f"Default: {', '.join(service.USUAL_KINDS)}.")
    name = name_field()


class ChangedWebhook(StrictSerializer):
    kinds = KindsField(required=False)
    name = name_field()


class Webhooks(APIView):
    throttle_classes = (UserThrottle, WebhookThrottle)

    @extend_schema(
        responses=list[shapes.Webhook],
        examples=[response_example("Working", ON), response_example("Turned off", OFF)],
    )
    def get(self, request: Request) -> HttpResponse:
        """List your webhooks."""
        return respond([presented(one) for one in user_in(request).webhooks.order_by("pk")])

    @extend_schema(
        request=NewWebhook,
        responses={201: shapes.WebhookWithSecret},
        examples=[
            request_example("A chat", {"url": ON["url"], "name": ON["name"]}),
            request_example("Only turns", {"url": ON["url"], "kinds": ["your_turn"]}),
            response_example("With its secret", NEW, 201),
        ],
    )
    @refuses(409)
    def post(self, request: Request) -> HttpResponse:
        """Create a webhook.

        It is called for notifications of the given kinds. The URL can belong to your own program, or to a Slack or
        Discord channel. Calls are signed with a secret, which is shown only once.
        """
        wanted = read_body(NewWebhook, request)
        kinds = wanted.get("kinds", service.USUAL_KINDS)
        webhook, secret = service.create(user_in(request), wanted["url"], kinds, wanted.get("name", ""))
        response = respond(presented_with_secret(webhook, secret), 201)
        response.headers["Cache-Control"] = "no-store"
        return response


class OneWebhook(APIView):
    @extend_schema(responses=shapes.Webhook, examples=[response_example("Working", ON)])
    def get(self, request: Request, number: int) -> HttpResponse:
        """Get a webhook."""
        return respond(presented(service.find(user_in(request), number)))

    @extend_schema(
        request=ChangedWebhook,
        responses=shapes.Webhook,
        examples=[
            request_example("Only turns", {"kinds": ["your_turn"]}),
            response_example("Changed", ON | {"kinds": ["your_turn"]}),
        ],
    )
    def patch(self, request: Request, number: int) -> HttpResponse:
        """Change a webhook.

        You can change its name and the kinds of notifications it is called for.
        """
        return respond(presented(service.change(user_in(request), number, **read_body(ChangedWebhook, request))))

    @extend_schema(responses={204: None})
    def delete(self, request: Request, number: int) -> Response:
        """Remove a webhook.

        Calls that are still queued are dropped.
        """
        service.remove(user_in(request), number)
        return Response(status=204)


class Test(APIView):
    throttle_classes = (UserThrottle, WebhookThrottle)

    @extend_schema(
        request=NoBody, responses={202: shapes.WebhookCall}, examples=[response_example("Queued", QUEUED, 202)]
    )
    def post(self, request: Request, number: int) -> HttpResponse:
        """Make a test call.

        Test calls aren't retried. The result appears in the list of calls.
        """
        read_body(NoBody, request)
        return respond(presented_call(service.add_test(user_in(request), number)), 202)


class Enable(APIView):
    throttle_classes = (UserThrottle, WebhookThrottle)

    @extend_schema(request=NoBody, responses=shapes.Webhook, examples=[response_example("On", ON)])
    def post(self, request: Request, number: int) -> HttpResponse:
        """Turn a webhook back on.

        Webhooks are turned off after too many failed calls.
        """
        read_body(NoBody, request)
        return respond(presented(service.enable(user_in(request), number)))


class Calls(APIView):
    pagination_class = CallsLatestFirst

    @extend_schema(
        responses=Page[shapes.WebhookCall],
        examples=[
            response_example(
                "A test", QUEUED | {"state": "sent", "status": 200, "sent_at": ON["last_success_at"], "tries": 1}
            )
        ],
    )
    def get(self, request: Request, number: int) -> HttpResponse:
        """List a webhook's calls.

        The newest calls come first. Each one is queued, sent, suppressed or failed, with the reason if there is one.
        """
        webhook = service.find(user_in(request), number)
        calls = WebhookCall.objects.filter(webhook=webhook).select_related("notification")
        return respond(CallsLatestFirst().page(calls, request, presented_call))
