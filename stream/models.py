"""The events of each user's stream, and the order in which they were committed."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q


class StreamEventKind(models.TextChoices):
    YOUR_TURN = "your_turn"
    MOVE_MADE = "move_made"
    MATCH_STARTED = "match_started"
    MATCH_OVER = "match_over"
    MESSAGE = "message"
    PROPOSAL = "proposal"
    INVITATION = "invitation"
    REMINDER = "reminder"
    DEADLINE_CHANGED = "deadline_changed"
    DEADLINE_PASSED = "deadline_passed"
    RESIGNED = "resigned"


class StreamEvent(models.Model):
    """An event that concerns a user.

    It is written in the transaction that causes it, and numbered after the commit (stream.store). This way, an event
    that commits late comes last instead of being skipped. `match` is not a foreign key, so that the stream keeps its
    cursors if a match is deleted.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", db_index=False)
    kind = models.CharField(max_length=20, choices=StreamEventKind.choices)
    match = models.CharField(max_length=12)
    turn = models.PositiveIntegerField(null=True)
    data = models.JSONField(default=dict)
    happened_at = models.DateTimeField()
    position = models.BigIntegerField(null=True, unique=True)
    """The position among the events of all users."""
    number = models.BigIntegerField(null=True)
    """The position among the events of this user, without gaps. Users see only this number, which reveals nothing about
    others."""

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["user", "number"], name="one_stream_event_per_number")]
        indexes: ClassVar = [
            models.Index(fields=["id"], name="stream_events_to_number", condition=Q(position__isnull=True)),
            models.Index(fields=["happened_at"], name="stream_events_by_age"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} in {self.match}"


class LastPosition(models.Model):
    """The latest position, in a single row. It is locked while events are numbered."""

    position = models.BigIntegerField(default=0)

    def __str__(self) -> str:
        return str(self.position)
