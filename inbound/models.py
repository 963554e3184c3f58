"""Mail that comes to us: kept before it is acknowledged, judged afterwards, and counted in any case."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q

from core.jobs import Job
from notifications.models import Notification


class MailVerdict(models.TextChoices):
    WAITING = "waiting"
    ACCEPTED = "accepted"
    """Something was done."""
    ASKED = "asked"
    """A genuine reply that only asked for help, the board or the log; it was answered."""
    REFUSED = "refused"
    """A genuine reply of which nothing could be done; it was answered with the reason."""
    NO_COMMANDS = "no_commands"
    """A genuine reply without anything to do; it was answered with what there is to do."""
    BOUNCE = "bounce"
    DUPLICATE = "duplicate"
    """The same message again, perhaps by another way; only counted."""
    REPLAYED = "replayed"
    """The address had been used for a move before."""
    FORGED = "forged"
    EXPIRED = "expired"
    FOREIGN = "foreign"
    """Its notification was for somebody who does not sit there any more, or at another address."""
    WRONG_SENDER = "wrong_sender"
    OVERSIZED = "oversized"
    AUTOMATIC = "automatic"
    FLOOD = "flood"
    FAILED = "failed"
    """We could not deal with it, in spite of several tries."""


class InboundMail(Job):
    """One message to one of our addresses. The content is locked, as it may hold a sealed move, and goes as soon as
    the message is dealt with."""

    notification = models.ForeignKey(Notification, on_delete=models.CASCADE, related_name="replies", db_index=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    purpose = models.CharField(max_length=6)
    turn = models.PositiveIntegerField()
    """The turn that the reader of the notification saw."""
    reader = models.CharField(max_length=6, blank=True)
    """The mark of the mailbox that the notification went to, as its address has it."""
    fingerprint = models.CharField(max_length=64)
    """Of its Message-ID, or of what else all copies have in common if it has none."""
    message_id = models.CharField(max_length=250, blank=True)
    source = models.CharField(max_length=10)
    envelope_from = models.CharField(max_length=254, null=True)  # noqa: DJ001 - empty is the null sender, null unknown
    size = models.PositiveIntegerField()
    attachments = models.PositiveSmallIntegerField(default=0)
    content = models.TextField(blank=True)
    verdict = models.CharField(max_length=12, choices=MailVerdict.choices, default=MailVerdict.WAITING)
    has_moved = models.BooleanField(default=False)
    """A move was made with it: its address is used up."""
    has_arranged = models.BooleanField(default=False)
    """Mail was muted with it, or a vacation planned: its address does no more of that."""
    results = models.TextField(blank=True)
    """Locked: what became of each command, for the answer."""
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
    """How many messages of a day met which verdict: also those of which nothing else is kept."""

    day = models.DateField()
    source = models.CharField(max_length=10)
    verdict = models.CharField(max_length=12, choices=MailVerdict.choices)
    count = models.PositiveIntegerField(default=0)
    attachments = models.PositiveIntegerField(default=0)
    """That these messages had; nobody has read them."""

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["day", "source", "verdict"], name="one_count_per_day_and_verdict"),
        ]

    def __str__(self) -> str:
        return f"{self.count} {self.verdict} on {self.day}"
