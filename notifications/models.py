"""Notifications, bouncing and unsubscribed addresses, webhooks and their calls."""

import secrets
import zlib
from datetime import datetime
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from accounts.validators import validate_printable
from core import vault
from core.jobs import Job
from games.models import Match

RANDOM_BITS = 40


def random_id() -> int:
    """Return a random ID.

    Sequential IDs would reveal activity elsewhere, for example one more email to a rival who replaced a sealed move.
    With 63 bits, collisions are negligible.
    """
    return secrets.randbits(63)


def id_about(match_id: str) -> int:
    """Return a random ID that begins with the tag of its match.

    Emails name only the ID. The tag leads to the match, in case the notification has been archived by the time a reply
    arrives.
    """
    return tag_of(match_id) << RANDOM_BITS | secrets.randbits(RANDOM_BITS)


def tag_of(match_id: str) -> int:
    """Return 23 bits that all notifications about a match share. Few other matches have the same bits."""
    return zlib.crc32(match_id.encode()) >> 9


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
    """A new link to a match, for a player whose old link has expired."""
    ACCOUNT_CHANGED = "account_changed"
    DIGEST = "digest"
    WEBHOOK_OFF = "webhook_off"
    TEST_MAIL = "test_mail"


class Delivery(models.TextChoices):
    QUEUED = "queued"
    SENDING = "sending"
    GATHERED = "gathered"
    SENT = "sent"
    """A mail server has accepted the email."""
    DELIVERED = "delivered"
    """The recipient's mail server has confirmed the email."""
    BOUNCED = "bounced"
    SUPPRESSED = "suppressed"
    DEAD = "dead"


class Notification(Job):
    """A message to one user.

    `email` is set if there is no user yet, as in an invitation to a new address. For a suppressed notification,
    `due_at` is when it was suppressed. A gathered notification waits for its `digest`.
    """

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
    """Distinguishes notifications of the same kind on the same turn, such as reminders."""
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
        """The address that this notification was sent to or, if none is set, the user's current one."""
        return self.email or (self.user.email if self.user else "")


class ArchivedNotifications(models.Model):
    """A user's notifications about a match that ended a while ago, in one row (notifications.archive)."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", db_index=False)
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="+", db_index=False)
    tag = models.PositiveIntegerField()
    """The first bits of the notifications' IDs (tag_of)."""
    first_at = models.DateTimeField()
    last_at = models.DateTimeField()
    """When the first and the last of the notifications were created."""
    content = models.BinaryField()

    class Meta:
        verbose_name_plural = "archived notifications"
        constraints: ClassVar = [models.UniqueConstraint(fields=["match", "user"], name="one_archive_per_user")]
        indexes: ClassVar = [
            models.Index(fields=["user", "-last_at"], name="archives_of_user"),
            models.Index(fields=["tag"], name="archives_by_tag"),
        ]

    def __str__(self) -> str:
        return f"notifications about {self.match_id}"


class UnsubscribedAddress(models.Model):
    """An address without an account that has unsubscribed from all mail."""

    email = models.EmailField(unique=True)
    since = models.DateTimeField()

    def __str__(self) -> str:
        return self.email


class BouncingAddress(models.Model):
    """The bounces of an address, no matter who uses it."""

    email = models.EmailField(unique=True)
    is_stopped = models.BooleanField(default=False)
    """Whether all mail to this address is stopped until the owner fixes the mailbox."""
    why = models.CharField(max_length=200, blank=True)
    since = models.DateTimeField(null=True)
    """The time of the first bounce that counts."""
    bounces = models.PositiveIntegerField(default=0)
    bounced_at = models.DateTimeField(null=True)
    quiet_until = models.DateTimeField(null=True)
    """The time until which mail is delayed after a soft bounce."""
    cleared_at = models.DateTimeField(null=True)
    """When the owner fixed the mailbox. Bounces of earlier emails no longer count."""

    def is_bouncing(self, now: datetime) -> bool:
        """Return whether emails to this address are stopped or delayed."""
        return self.is_stopped or (self.quiet_until is not None and self.quiet_until > now)

    def __str__(self) -> str:
        return self.email


NAME_LENGTH = 60


class WebhookHost(models.Model):
    """A host that webhooks call, and how it has responded lately."""

    key = models.CharField(max_length=32, primary_key=True)
    is_quick = models.BooleanField(null=True)
    """Whether the host's last response came quickly, or None if it hasn't been called yet."""
    failures = models.PositiveIntegerField(default=0)
    """The number of calls in a row to which the host did not respond."""
    resting_until = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"host {self.key}"


class Webhook(models.Model):
    """A user's webhook.

    The URL is encrypted like the secret, because anyone who knows the webhook URL of a chat can post there.
    """

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
    """A webhook call about a notification, or a test call without one."""

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
