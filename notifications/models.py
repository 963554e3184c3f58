"""Notifications, bouncing and unsubscribed addresses, webhooks and their calls."""

import secrets
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from accounts.validators import validate_printable
from core import vault
from core.jobs import Job
from games.models import Match


def random_id() -> int:
    """Return a random id. Sequential ids would reveal activity elsewhere, for example one more email to a rival who
    replaced a sealed move. With 63 bits, collisions are negligible."""
    return secrets.randbits(63)


class NotificationKind(models.TextChoices):
    YOUR_TURN = "your_turn"
    NEWS = "news"
    REMINDER = "reminder"
    DEADLINE_PASSED = "deadline_passed"
    RESIGNED = "resigned"
    PROPOSAL = "proposal"
    INVITATION = "invitation"
    MATCH_STARTED = "match_started"
    MATCH_OVER = "match_over"
    MESSAGE = "message"
    ANSWER = "answer"
    """The answer to an email from a player."""
    CONFIRM_ADDRESS = "confirm_address"
    RESET_PASSWORD = "reset_password"  # noqa: S105
    LOGIN_LINK = "login_link"
    MATCH_LINK = "match_link"
    """A new link into a match, for a player whose old one has expired."""
    ACCOUNT_CHANGED = "account_changed"
    DIGEST = "digest"
    WEBHOOK_OFF = "webhook_off"
    TEST_MAIL = "test_mail"


class Delivery(models.TextChoices):
    QUEUED = "queued"
    SENDING = "sending"
    GATHERED = "gathered"
    SENT = "sent"
    """Accepted by a mail server."""
    DELIVERED = "delivered"
    """Confirmed by the recipient's mail server."""
    BOUNCED = "bounced"
    SUPPRESSED = "suppressed"
    DEAD = "dead"


class Notification(Job):
    """A message to one user. `email` is set if there is no user yet, as in an invitation to a new address. For a
    suppressed notification, `due_at` is when it was suppressed. A gathered one waits for its `digest`."""

    ONCE = True
    id = models.BigIntegerField(primary_key=True, default=random_id, editable=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.CASCADE, related_name="notifications", db_index=False
    )
    email = models.EmailField(blank=True)
    match = models.ForeignKey(Match, null=True, on_delete=models.CASCADE, related_name="notifications")
    seat = models.PositiveSmallIntegerField(null=True)
    turn = models.PositiveIntegerField(null=True)
    kind = models.CharField(max_length=20, choices=NotificationKind.choices)
    number = models.PositiveSmallIntegerField(default=0)
    """Distinguishes notifications of the same kind on the same turn, for example several reminders."""
    data = models.JSONField(default=dict)
    delivery = models.CharField(max_length=10, choices=Delivery.choices, default=Delivery.QUEUED)
    why = models.CharField(max_length=200, blank=True)
    created_at = models.DateTimeField()
    digest = models.ForeignKey("self", null=True, on_delete=models.CASCADE, related_name="gathered")
    sent_at = models.DateTimeField(null=True)
    is_for_webhooks = models.BooleanField(default=False)
    """Whether webhook calls still have to be created for this notification."""

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["match", "seat", "turn", "kind", "number"],
                name="one_notification_per_turn_and_kind",
                condition=Q(turn__isnull=False),
            ),
            models.UniqueConstraint(
                fields=["user", "created_at"], name="one_digest_at_a_time", condition=Q(kind="digest")
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["due_at"], name="notifications_due", condition=Q(delivery__in=["queued", "sending"])),
            models.Index(fields=["claim"], name="notifications_claimed", condition=Q(delivery="sending")),
            models.Index(fields=["user", "-created_at", "id"], name="notifications_of_user"),
            models.Index(fields=["created_at"], name="notifications_for_webhooks", condition=Q(is_for_webhooks=True)),
        ]

    def __str__(self) -> str:
        return f"{self.kind} notification {self.public_id}"

    @property
    def public_id(self) -> str:
        return f"{self.id:016x}"

    @property
    def address(self) -> str:
        """The address this notification was meant for or, if none is set, the user's current one."""
        return self.email or (self.user.email if self.user else "")


class UnsubscribedAddress(models.Model):
    """An address without an account that has unsubscribed from all mail."""

    email = models.EmailField(unique=True)
    since = models.DateTimeField()

    def __str__(self) -> str:
        return self.email


class BouncingAddress(models.Model):
    """The bounces of an address, regardless of who uses it."""

    email = models.EmailField(unique=True)
    is_stopped = models.BooleanField(default=False)
    """Whether all mail to this address is stopped until the owner fixes it."""
    why = models.CharField(max_length=200, blank=True)
    since = models.DateTimeField(null=True)
    """When the first bounce that counts happened."""
    bounces = models.PositiveIntegerField(default=0)
    bounced_at = models.DateTimeField(null=True)
    quiet_until = models.DateTimeField(null=True)
    """After a soft bounce, mail waits until this time."""
    cleared_at = models.DateTimeField(null=True)
    """When the owner fixed it. Bounces of earlier mail no longer count."""

    def __str__(self) -> str:
        return self.email


NAME_LENGTH = 60


class WebhookHost(models.Model):
    """A host that webhooks call, and how it has responded lately."""

    key = models.CharField(max_length=32, primary_key=True)
    is_quick = models.BooleanField(null=True)
    """Whether its last response came quickly. None if it hasn't been called yet."""
    failures = models.PositiveIntegerField(default=0)
    """The number of calls in a row without any response."""
    resting_until = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"host {self.key}"


class Webhook(models.Model):
    """A user's webhook. The URL is encrypted like the secret, because anyone who knows a chat's webhook URL can post
    there."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="webhooks", db_index=False
    )
    name = models.CharField(max_length=NAME_LENGTH, blank=True, validators=[validate_printable])
    encrypted_url = models.TextField()
    host = models.ForeignKey(WebhookHost, on_delete=models.PROTECT, related_name="webhooks")
    encrypted_secret = models.TextField()
    kinds = models.JSONField(default=list)
    """The notification kinds that this webhook is called for."""
    created_at = models.DateTimeField(default=timezone.now)
    failures = models.PositiveIntegerField(default=0)
    """The number of failed calls since the last success."""
    failing_since = models.DateTimeField(null=True)
    why = models.CharField(max_length=200, blank=True)
    """Why the last call failed."""
    last_success_at = models.DateTimeField(null=True)
    disabled_at = models.DateTimeField(null=True)

    class Meta:
        indexes: ClassVar = [models.Index(fields=["user", "id"], name="webhooks_of_user")]

    def __str__(self) -> str:
        return f"webhook {self.pk}"

    @property
    def url(self) -> str:
        return vault.decrypt(self.encrypted_url).decode()


class WebhookCall(Job):
    """A call of one webhook with one notification, or a test call without a notification."""

    id = models.BigIntegerField(primary_key=True, default=random_id, editable=False)

    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="calls", db_index=False)
    notification = models.ForeignKey(Notification, null=True, on_delete=models.CASCADE, related_name="calls")
    delivery = models.CharField(max_length=10, choices=Delivery.choices, default=Delivery.QUEUED)
    why = models.CharField(max_length=200, blank=True)
    status = models.PositiveSmallIntegerField(null=True)
    """The HTTP status of the last response."""
    created_at = models.DateTimeField()
    sent_at = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["webhook", "notification"], name="one_call_per_webhook_and_notification")
        ]
        indexes: ClassVar = [
            models.Index(fields=["due_at"], name="calls_due", condition=Q(delivery__in=["queued", "sending"])),
            models.Index(fields=["claim"], name="calls_claimed", condition=Q(delivery="sending")),
            models.Index(fields=["webhook", "-created_at", "id"], name="calls_of_webhook"),
            models.Index(fields=["created_at"], name="calls_by_age"),
        ]

    def __str__(self) -> str:
        return f"call {self.pk}"

    @property
    def public_id(self) -> str:
        return f"{self.id:016x}"

    @property
    def is_test(self) -> bool:
        return self.notification_id is None
