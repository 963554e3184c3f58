"""Addresses of programs that a player wants called, and the calls that are owed to them."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from accounts.validators import validate_printable
from core import vault
from core.jobs import Job
from notifications.models.notification import Delivery, Notification, random_id

NAME_LENGTH = 60


class Webhook(models.Model):
    """The address is locked like the secret: whoever knows that of a chat's webhook can write there."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="webhooks", db_index=False
    )
    name = models.CharField(max_length=NAME_LENGTH, blank=True, validators=[validate_printable])
    locked_url = models.TextField()
    locked_secret = models.TextField()
    kinds = models.JSONField(default=list)
    """The kinds of notifications that it is called for."""
    made_at = models.DateTimeField(default=timezone.now)
    failures = models.PositiveIntegerField(default=0)
    """Calls that failed since the last that was taken."""
    failing_since = models.DateTimeField(null=True)
    why = models.CharField(max_length=200, blank=True)
    """What the last call failed of."""
    taken_at = models.DateTimeField(null=True)
    off_since = models.DateTimeField(null=True)

    class Meta:
        indexes: ClassVar = [models.Index(fields=["user", "id"], name="webhooks_of_user")]

    def __str__(self) -> str:
        return f"webhook {self.pk}"

    @property
    def url(self) -> str:
        return vault.unlock(self.locked_url).decode()


class WebhookCall(Job):
    """One notification for one webhook, or a test without a notification."""

    id = models.BigIntegerField(primary_key=True, default=random_id, editable=False)

    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="calls", db_index=False)
    notification = models.ForeignKey(Notification, null=True, on_delete=models.CASCADE, related_name="calls")
    delivery = models.CharField(max_length=10, choices=Delivery.choices, default=Delivery.QUEUED)
    why = models.CharField(max_length=200, blank=True)
    status = models.PositiveSmallIntegerField(null=True)
    """The HTTP status of the last answer."""
    made_at = models.DateTimeField()
    sent_at = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["webhook", "notification"], name="one_call_per_webhook_and_notification")
        ]
        indexes: ClassVar = [
            models.Index(fields=["due_at"], name="calls_due", condition=Q(delivery__in=["queued", "sending"])),
            models.Index(fields=["claim"], name="calls_claimed", condition=Q(delivery="sending")),
            models.Index(fields=["webhook", "-made_at", "id"], name="calls_of_webhook"),
            models.Index(fields=["made_at"], name="calls_by_age"),
        ]

    def __str__(self) -> str:
        return f"call {self.pk}"

    @property
    def public_id(self) -> str:
        return f"{self.id:016x}"

    @property
    def is_test(self) -> bool:
        return self.notification_id is None
