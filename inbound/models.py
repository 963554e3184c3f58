"""Received email. It is stored before it is acknowledged, then handled by a worker. Every message is counted."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q

from core.jobs import Job
from notifications.models import Notification


class MailVerdict(models.TextChoices):
    WAITING = "waiting"
    ACCEPTED = "accepted"
    """At least one command changed something."""
    ASKED = "asked"
    """A genuine reply that only asked for help, the board or the log, and was answered."""
    REFUSED = "refused"
    """A genuine reply whose commands all failed. The answer gave the reason."""
    NO_COMMANDS = "no_commands"
    """A genuine reply without a command. The answer listed the commands."""
    BOUNCE = "bounce"
    DUPLICATE = "duplicate"
    """Another copy of a message, perhaps from another source. It is only counted."""
    REPLAYED = "replayed"
    """The address had already been used for a move."""
    FORGED = "forged"
    EXPIRED = "expired"
    FOREIGN = "foreign"
    """The notification's recipient no longer has the seat or has changed their email address."""
    WRONG_SENDER = "wrong_sender"
    OVERSIZED = "oversized"
    AUTOMATIC = "automatic"
    FLOOD = "flood"
    FAILED = "failed"
    """The message couldn't be handled, even after several tries."""


class InboundMail(Job):
    """One message to one of our addresses. Its content is encrypted, because it may be a sealed move, and is deleted
    once the message is handled."""

    notification = models.ForeignKey(Notification, on_delete=models.CASCADE, related_name="replies", db_index=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    purpose = models.CharField(max_length=6)
    turn = models.PositiveIntegerField()
    """The turn shown in the email that this message answers."""
    reader = models.CharField(max_length=6, blank=True)
    """A short hash of the email address that the notification was sent to, taken from the reply address."""
    fingerprint = models.CharField(max_length=64)
    """A hash of the Message-ID or, if there is none, of the parts that all copies share."""
    message_id = models.CharField(max_length=250, blank=True)
    source = models.CharField(max_length=10)
    envelope_from = models.CharField(max_length=254, null=True)  # noqa: DJ001 - empty: null sender; null: unknown
    size = models.PositiveIntegerField()
    attachments = models.PositiveSmallIntegerField(default=0)
    content = models.TextField(blank=True)
    verdict = models.CharField(max_length=12, choices=MailVerdict.choices, default=MailVerdict.WAITING)
    has_moved = models.BooleanField(default=False)
    """Whether it played a move, which uses up its address."""
    has_arranged = models.BooleanField(default=False)
    """Whether it muted the match or planned a vacation. Its address can't be used for that again."""
    results = models.TextField(blank=True)
    """The encrypted result of each command, for the answer."""
    received_at = models.DateTimeField()
    handled_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name_plural = "inbound mail"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["notification", "purpose", "fingerprint"], name="one_mail_per_message"),
            models.UniqueConstraint(
                fields=["user", "fingerprint"], condition=Q(purpose="reply"), name="one_reply_per_message"
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["due_at"], name="inbound_mail_due", condition=Q(verdict="waiting")),
            models.Index(fields=["user", "received_at"], name="inbound_mail_of_user"),
            models.Index(fields=["received_at"], name="inbound_mail_by_age"),
        ]

    def __str__(self) -> str:
        return f"{self.purpose} {self.pk} to notification {self.notification_id}"


class MailCount(models.Model):
    """Messages per day and verdict, including those that were dropped and not stored."""

    day = models.DateField()
    source = models.CharField(max_length=10)
    verdict = models.CharField(max_length=12, choices=MailVerdict.choices)
    count = models.PositiveIntegerField(default=0)
    attachments = models.PositiveIntegerField(default=0)
    """The number of attachments to these messages. They are never opened."""

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["day", "source", "verdict"], name="one_count_per_day_and_verdict"),
        ]

    def __str__(self) -> str:
        return f"{self.count} {self.verdict} on {self.day}"
