"""Received email.

Each message is stored before it is acknowledged, and handled later by a worker. Every message is counted.
"""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q

from core.jobs import Job
from notifications.models import Notification


class MailResult(models.TextChoices):
    WAITING = "waiting"
    ACCEPTED = "accepted"
    """At least one command changed something."""
    ASKED = "asked"
    """A genuine reply that only asked for help, the board or the log, and was answered."""
    REFUSED = "refused"
    """A genuine reply whose commands all failed. The answer said why."""
    NO_COMMANDS = "no_commands"
    """A genuine reply without a command. The answer listed the commands."""
    BOUNCE = "bounce"
    DUPLICATE = "duplicate"
    """Another copy of a message, perhaps from another source. Copies are only counted."""
    FORGED = "forged"
    EXPIRED = "expired"
    FOREIGN = "foreign"
    """The recipient of the notification no longer has the seat, or has changed their email address."""
    WRONG_SENDER = "wrong_sender"
    OVERSIZED = "oversized"
    AUTOMATIC = "automatic"
    FLOOD = "flood"
    FAILED = "failed"
    """The message couldn't be handled, even after several attempts."""


class InboundMail(Job):
    """A message to one of our addresses.

    Its content is encrypted, because it may be a sealed move, and is deleted once the message has been handled.
    """

    notification = models.ForeignKey(Notification, on_delete=models.CASCADE, related_name="replies", db_index=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    purpose = models.CharField(max_length=6)
    turn = models.PositiveIntegerField()
    """The turn shown in the email to which this message replies."""
    reader = models.CharField(max_length=6, blank=True)
    """A short hash of the mailbox that the notification was sent to, taken from the reply address."""
    fingerprint = models.CharField(max_length=64)
    """A hash of the Message-ID. If there is none, the hash covers the parts that all copies of a message share."""
    message_id = models.CharField(max_length=250, blank=True)
    source = models.CharField(max_length=10)
    envelope_from = models.CharField(max_length=254, null=True)  # noqa: DJ001 - empty: null sender; null: unknown
    size = models.PositiveIntegerField()
    attachments = models.PositiveSmallIntegerField(default=0)
    content = models.TextField(blank=True)
    result = models.CharField(max_length=12, choices=MailResult.choices, default=MailResult.WAITING)
    problem = models.CharField(max_length=12, choices=MailResult.choices, blank=True)
    """Why we don't act on the message: it is too large, or its address has expired."""
    has_moved = models.BooleanField(default=False)
    """Whether the message played a move, which uses up its address."""
    has_arranged = models.BooleanField(default=False)
    """Whether the message muted the match or planned a vacation. Its address can't be used for that again."""
    results = models.TextField(blank=True)
    """The results of the commands, encrypted, for the answer."""
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
            models.Index(fields=["due_at"], name="inbound_mail_due", condition=Q(result="waiting")),
            models.Index(fields=["user", "received_at"], name="inbound_mail_of_user"),
            models.Index(fields=["received_at"], name="inbound_mail_by_age"),
        ]

    def __str__(self) -> str:
        return f"{self.purpose} {self.pk} to notification {self.notification_id}"


class MailCount(models.Model):
    """The number of messages per day and result, including those that were dropped instead of stored."""

    day = models.DateField()
    source = models.CharField(max_length=10)
    result = models.CharField(max_length=12, choices=MailResult.choices)
    count = models.PositiveIntegerField(default=0)
    attachments = models.PositiveIntegerField(default=0)
    """The number of attachments to these messages. Attachments are never opened."""

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["day", "source", "result"], name="one_count_per_day_and_result"),
        ]

    def __str__(self) -> str:
        return f"{self.count} {self.result} on {self.day}"
