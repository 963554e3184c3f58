"""The data that the API returns about notifications and webhooks."""

from datetime import datetime
from typing import Annotated

from msgspec import Meta

from core.shapes import Shape, one_of

KINDS = (
    "your_turn",
    "news",
    "reminder",
    "deadline_passed",
    "resigned",
    "proposal",
    "invitation",
    "match_started",
    "match_over",
    "message",
    "answer",
    "confirm_address",
    "reset_password",
    "login_link",
    "match_link",
    "account_changed",
    "digest",
    "webhook_off",
    "test_mail",
)
STATES = ("queued", "sent", "delivered", "bounced", "suppressed", "failed")
CALL_STATES = ("queued", "sent", "suppressed", "failed")
WEBHOOK_STATES = ("on", "failing", "off")
Id = Annotated[str, Meta(description="16 random hexadecimal digits.")]


class Notification(Shape, frozen=True):
    id: Id
    kind: Annotated[str, one_of(*KINDS)]
    match: str | None
    turn: int | None
    state: Annotated[str, one_of(*STATES)]
    why: Annotated[str, Meta(description="Why it is delayed, was not sent, or failed.")]
    created_at: datetime
    due_at: Annotated[datetime | None, Meta(description="When the next attempt is due; null unless it is queued.")]
    sent_at: datetime | None
    tries: int


class Mute(Shape, frozen=True):
    muted: bool


class Webhook(Shape, frozen=True):
    id: int
    name: str
    url: str
    kinds: Annotated[list[str], Meta(description="The kinds of notifications that the webhook is called for.")]
    state: Annotated[str, one_of(*WEBHOOK_STATES)]
    why: Annotated[str, Meta(description="Why the last call failed.")]
    failures: Annotated[int, Meta(description="Failed calls in a row.")]
    failing_since: datetime | None
    disabled_at: Annotated[datetime | None, Meta(description="When it was turned off after too many failures.")]
    last_success_at: Annotated[datetime | None, Meta(description="When the last successful call was made.")]
    created_at: datetime


class WebhookWithSecret(Webhook, frozen=True):
    secret: Annotated[str, Meta(description="The key that signs every call. It is shown only once.")]


class WebhookCall(Shape, frozen=True):
    id: Id
    event: Annotated[str, Meta(description="The kind of notification, or test.")]
    match: str | None
    state: Annotated[str, one_of(*CALL_STATES)]
    why: Annotated[str, Meta(description="Why it is delayed, was skipped, or failed.")]
    status: Annotated[int | None, Meta(description="The HTTP status of the last response.")]
    tries: int
    created_at: datetime
    sent_at: datetime | None


class CalendarFeed(Shape, frozen=True):
    url: Annotated[str | None, Meta(description="null if your feed is off.")]
