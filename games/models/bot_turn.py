"""Matches in which bots have to move, as jobs for the workers."""

from typing import ClassVar

from django.db import models

from core.jobs import Job
from games.models.match import Match


class Progress(models.TextChoices):
    QUEUED = "queued"
    THINKING = "thinking"


class BotTurn(Job):
    """A match in which a bot has to move, in its own seat or for an absent player.

    The row is created and deleted while the match is locked. It is deleted when bots no longer have to move.
    """

    ONCE = True

    match = models.OneToOneField(Match, on_delete=models.CASCADE, related_name="+")
    progress = models.CharField(max_length=8, choices=Progress.choices, default=Progress.QUEUED)
    is_slow = models.BooleanField(default=False)
    """The order of jobs. Slow bots come last, so that quick ones never wait for them."""

    class Meta:
        indexes: ClassVar = [models.Index(fields=["is_slow", "due_at"], name="bot_turns_in_order")]

    def __str__(self) -> str:
        return f"bots in {self.match_id}"
