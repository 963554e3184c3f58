"""Matches in which bots have to move, for the workers."""

from typing import ClassVar

from django.db import models

from core.jobs import Job
from games.models.match import Match


class Progress(models.TextChoices):
    QUEUED = "queued"
    THINKING = "thinking"


class BotTurn(Job):
    """A bot has to move in this match: in its own seat, or for an absent player. Deleted when no bot has to move.
    Created and deleted while the match is locked."""

    ONCE = True

    match = models.OneToOneField(Match, on_delete=models.CASCADE, related_name="+")
    progress = models.CharField(max_length=8, choices=Progress.choices, default=Progress.QUEUED)
    is_slow = models.BooleanField(default=False)
    """Slow bots come last, so that quick ones never wait for them."""

    class Meta:
        indexes: ClassVar = [models.Index(fields=["is_slow", "due_at"], name="bot_turns_in_order")]

    def __str__(self) -> str:
        return f"bots in {self.match_id}"
