"""What somebody is to be told: a row in the same transaction as its cause, before anything is sent."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q

from games.models.match import Match


class NotificationKind(models.TextChoices):
    YOUR_TURN = "your_turn"
    NEWS = "news"
    REMINDER = "reminder"
    DEADLINE_PASSED = "deadline_passed"
    PROPOSAL = "proposal"
    INVITATION = "invitation"
    MATCH_STARTED = "match_started"
    MATCH_OVER = "match_over"
    MESSAGE = "message"
    ANSWER = "answer"
    """To a mail of the player's."""
    CONFIRM_ADDRESS = "confirm_address"
    RESET_PASSWORD = "reset_password"  # noqa: S105
    ACCOUNT_CHANGED = "account_changed"
    DIGEST = "digest"
    WEBHOOK_OFF = "webhook_off"
    TEST_MAIL = "test_mail"


class Delivery(models.TextChoices):
    QUEUED = "queued"
    SENDING = "sending"
    GATHERED = "gathered"
    SENT = "sent"
    """A mail server has taken it."""
    DELIVERED = "delivered"
    """The reader's own server has taken it, and said so."""
    BOUNCED = "bounced"
    SUPPRESSED = "suppressed"
    DEAD = "dead"


class Notification(models.Model):
    """`email` is where it goes when there is no user yet (an invitation to a stranger).

    `due_at` is when somebody is to deal with it: the time to send it, or, while somebody sends it, the time from which
    that attempt counts as lost; of one that is suppressed, when its reason was found. `claim` says whose attempt it is.
    A gathered notice waits for its `digest`."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.CASCADE, related_name="notices")
    email = models.EmailField(blank=True)
    match = models.ForeignKey(Match, null=True, on_delete=models.CASCADE, related_name="notices")
    seat = models.PositiveSmallIntegerField(null=True)
    turn = models.PositiveIntegerField(null=True)
    kind = models.CharField(max_length=20, choices=NotificationKind.choices)
    occasion = models.PositiveSmallIntegerField(default=0)
    """Tells notices of one kind on one turn apart: which reminder, whose deadline."""
    data = models.JSONField(default=dict)
    delivery = models.CharField(max_length=10, choices=Delivery.choices, default=Delivery.QUEUED)
    why = models.CharField(max_length=200, blank=True)
    owed_at = models.DateTimeField()
    due_at = models.DateTimeField()
    claim = models.CharField(max_length=32, blank=True)
    digest = models.ForeignKey("self", null=True, on_delete=models.CASCADE, related_name="gathered")
    sent_at = models.DateTimeField(null=True)
    tries = models.PositiveSmallIntegerField(default=0)
    is_for_webhooks = models.BooleanField(default=False)
    """Calls of the player's webhooks are still to be made of it."""

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["match", "seat", "turn", "kind", "occasion"],
                name="one_notice_per_turn_and_kind",
                condition=Q(turn__isnull=False),
            ),
            models.UniqueConstraint(
                fields=["user", "owed_at"], name="one_digest_at_a_time", condition=Q(kind="digest")
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["due_at"], name="notices_due", condition=Q(delivery__in=["queued", "sending"])),
            models.Index(fields=["claim"], name="notices_claimed", condition=Q(delivery="sending")),
            models.Index(fields=["user", "-id"], name="notices_of_user"),
            models.Index(fields=["id"], name="notices_for_webhooks", condition=Q(is_for_webhooks=True)),
        ]

    def __str__(self) -> str:
        return f"{self.kind} notice {self.pk}"

    @property
    def address(self) -> str:
        """Where it goes: to the very address it was owed to, else to the user's of now."""
        return self.email or (self.user.email if self.user else "")


class UnsubscribedAddress(models.Model):
    """The address of somebody without an account who does not want to hear from us."""

    email = models.EmailField(unique=True)
    since = models.DateTimeField()

    def __str__(self) -> str:
        return self.email
