"""A player's webhooks: programs of theirs, or chats, that are called when something waits for them."""

from typing import Any

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.authentication import user_in
from accounts.validators import validate_printable
from core.api import NoBody, StrictSerializer, answer, read
from core.openapi import answered, refuses, sent
from core.paging import CursorPages
from core.rate_limits import UserThrottle, WriteThrottle
from games.api.shapes import Shape
from notifications.api.notifications import state_of
from notifications.models import NAME_LENGTH, Webhook, WebhookCall
from notifications.webhooks import service
from notifications.webhooks.targets import LONGEST_URL

ON: dict[str, Any] = {
    "id": 3,
    "name": "our table in the chat",
    "url": "https://hooks.example.org/turns",
    "kinds": ["your_turn", "reminder", "match_over"],
    "state": "on",
    "why": "",
    "failures": 0,
    "failing_since": None,
    "off_since": None,
    "taken_at": "2026-03-02T09:00:01Z",
    "made_at": "2026-03-01T20:00:00Z",
}
OFF = ON | {
    "state": "off",
    "why": "hooks.example.org answered 404.",
    "failures": 10,
    "failing_since": "2026-03-02T09:00:00Z",
    "off_since": "2026-03-03T10:00:00Z",
}
NEW = ON | {"taken_at": None, "secret": "turnpost_hook_2dVvG9w0yZkq1mB7cXo5sE8uN3rJ6tAf4hLpQiUgYbM"}
QUEUED = {
    "id": "5d2f6b1c9a03e874",
    "event": "test",
    "match": None,
    "state": "queued",
    "why": "",
    "status": None,
    "tries": 0,
    "made_at": "2026-03-02T09:00:00Z",
    "sent_at": None,
}


def presented(of: Webhook) -> dict[str, Any]:
    return {
        "id": of.pk,
        "name": of.name,
        "url": of.url,
        "kinds": of.kinds,
        "state": webhook_state(of),
        "why": of.why,
        "failures": of.failures,
        "failing_since": of.failing_since,
        "off_since": of.off_since,
        "taken_at": of.taken_at,
        "made_at": of.made_at,
    }


def webhook_state(of: Webhook) -> str:
    if of.off_since:
        return "off"
    return "failing" if of.failures else "on"


def presented_call(of: WebhookCall) -> dict[str, Any]:
    return {
        "id": of.public_id,
        "event": of.notification.kind if of.notification else "test",
        "match": of.notification.match_id if of.notification else None,
        "state": state_of(of.delivery),
        "why": of.why,
        "status": of.status,
        "tries": of.tries,
        "made_at": of.made_at,
        "sent_at": of.sent_at,
    }


class CallsLatestFirst(CursorPages):
    ordering = ("-made_at", "id")


class WebhookThrottle(WriteThrottle):
    """Each of these makes us look something up, or call somebody."""

    scope = "webhook"


class KindsField(serializers.MultipleChoiceField):
    def __init__(self, **settings: Any) -> None:
        super().__init__(choices=[kind.value for kind in service.KINDS], allow_empty=False, **settings)


def name_field() -> serializers.CharField:
    return serializers.CharField(
        max_length=NAME_LENGTH, required=False, allow_blank=True, validators=[validate_printable]
    )


class NewWebhook(StrictSerializer):
    url = serializers.CharField(max_length=LONGEST_URL, help_text="http or https, to a host in the public network.")
    kinds = KindsField(required=False, help_text=f"If left out: {', '.join(service.USUAL_KINDS)}.")
    name = name_field()


class ChangedWebhook(StrictSerializer):
    kinds = KindsField(required=False)
    name = name_field()


class WebhookShape(Shape):
    id = serializers.IntegerField()
    name = serializers.CharField(allow_blank=True)
    url = serializers.CharField()
    kinds = serializers.ListField(child=serializers.CharField())
    state = serializers.ChoiceField(["on", "failing", "off"])
    why = serializers.CharField(allow_blank=True, help_text="What the last call failed of.")
    failures = serializers.IntegerField(help_text="Calls that failed in a row.")
    failing_since = serializers.DateTimeField(allow_null=True)
    off_since = serializers.DateTimeField(allow_null=True, help_text="Switched off after too many failures.")
    taken_at = serializers.DateTimeField(allow_null=True, help_text="The last call that was taken.")
    made_at = serializers.DateTimeField()


class NewWebhookShape(WebhookShape):
    secret = serializers.CharField(help_text="Signs every call. Shown only this once.")


class CallShape(Shape):
    id = serializers.CharField(help_text="16 hexadecimal digits, drawn at random.")
    event = serializers.CharField(help_text="The kind of the notification, or test.")
    match = serializers.CharField(allow_null=True)
    state = serializers.ChoiceField(["queued", "sent", "suppressed", "failed"])
    why = serializers.CharField(allow_blank=True, help_text="Why it waits, was not made, or failed.")
    status = serializers.IntegerField(allow_null=True, help_text="The HTTP status of the last answer.")
    tries = serializers.IntegerField()
    made_at = serializers.DateTimeField()
    sent_at = serializers.DateTimeField(allow_null=True)


class Webhooks(APIView):
    throttle_classes = (UserThrottle, WebhookThrottle)

    @extend_schema(
        operation_id="me_webhooks_list",
        responses=WebhookShape(many=True),
        examples=[answered("One that works", ON), answered("One that was switched off", OFF)],
    )
    def get(self, request: Request) -> HttpResponse:
        """Your webhooks, and how each is doing."""
        return answer([presented(one) for one in user_in(request).webhooks.order_by("pk")])

    @extend_schema(
        request=NewWebhook,
        responses={201: NewWebhookShape},
        examples=[
            sent("A chat", {"url": ON["url"], "name": ON["name"]}),
            sent("Only turns", {"url": ON["url"], "kinds": ["your_turn"]}),
            answered("With its secret", NEW, 201),
        ],
    )
    @refuses(409)
    def post(self, request: Request) -> HttpResponse:
        """Has a program called, or a Slack or Discord channel, when you get a notification of one of these kinds.
        Calls are signed with the secret, which is shown only this once."""
        wanted = read(NewWebhook, request)
        kinds = wanted.get("kinds", service.USUAL_KINDS)
        webhook, secret = service.create(user_in(request), wanted["url"], kinds, wanted.get("name", ""))
        response = answer({**presented(webhook), "secret": secret}, 201)
        response.headers["Cache-Control"] = "no-store"
        return response


class OneWebhook(APIView):
    @extend_schema(responses=WebhookShape, examples=[answered("One that works", ON)])
    def get(self, request: Request, number: int) -> HttpResponse:
        """One webhook, and how it is doing."""
        return answer(presented(service.find(user_in(request), number)))

    @extend_schema(
        request=ChangedWebhook,
        responses=WebhookShape,
        examples=[sent("Only turns", {"kinds": ["your_turn"]}), answered("Changed", ON | {"kinds": ["your_turn"]})],
    )
    def patch(self, request: Request, number: int) -> HttpResponse:
        """Changes its name, or the kinds of notifications that it is called for."""
        return answer(presented(service.change(user_in(request), number, **read(ChangedWebhook, request))))

    @extend_schema(responses={204: None})
    def delete(self, request: Request, number: int) -> Response:
        """Removes a webhook, with the calls that are still owed to it."""
        service.remove(user_in(request), number)
        return Response(status=204)


class Test(APIView):
    throttle_classes = (UserThrottle, WebhookThrottle)

    @extend_schema(request=NoBody, responses={202: CallShape}, examples=[answered("On its way", QUEUED, 202)])
    def post(self, request: Request, number: int) -> HttpResponse:
        """Makes a test call, once. The webhook's calls tell what became of it."""
        read(NoBody, request)
        return answer(presented_call(service.add_test(user_in(request), number)), 202)


class Enable(APIView):
    throttle_classes = (UserThrottle, WebhookThrottle)

    @extend_schema(request=NoBody, responses=WebhookShape, examples=[answered("On again", ON)])
    def post(self, request: Request, number: int) -> HttpResponse:
        """Switches a webhook on again after it was switched off for its failures."""
        read(NoBody, request)
        return answer(presented(service.enable(user_in(request), number)))


class Calls(APIView):
    pagination_class = CallsLatestFirst

    @extend_schema(
        operation_id="me_webhooks_calls_list",
        responses=CallShape(many=True),
        examples=[answered("A test", QUEUED | {"state": "sent", "status": 200, "sent_at": ON["taken_at"], "tries": 1})],
    )
    def get(self, request: Request, number: int) -> Response:
        """The calls of a webhook, the latest first: queued, sent, suppressed, or failed, and why."""
        webhook, pages = service.find(user_in(request), number), CallsLatestFirst()
        made = WebhookCall.objects.filter(webhook=webhook).select_related("notification")
        return pages.get_paginated_response(
            [presented_call(call) for call in pages.paginate_queryset(made, request, view=self)]
        )
