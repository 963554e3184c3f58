"""Reviews of finished matches. Players request them, and workers compute them."""

from typing import ClassVar

from django.conf import settings
from django.db import models

from core.jobs import Job
from games.models.match import Match


class ReviewState(models.TextChoices):
    QUEUED = "queued"
    THINKING = "thinking"
    DONE = "done"


class Review(Job):
    """A player's decisions in a finished match, compared with those of a search."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="reviews", db_index=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    state = models.CharField(max_length=8, choices=ReviewState.choices, default=ReviewState.QUEUED)
    done = models.PositiveSmallIntegerField(default=0)
    """How many decisions have been reviewed so far."""
    total = models.PositiveSmallIntegerField()
    missing = models.PositiveSmallIntegerField(default=0, db_default=0)
    """How many decisions could not be reviewed."""
    encrypted_decisions = models.TextField(blank=True)
    """The reviewed decisions. They are encrypted, because a sealed move can contain plans that were never revealed."""

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["match", "user"], name="one_review_per_user")]
        indexes: ClassVar = [
            models.Index(fields=["due_at"], name="reviews_to_do", condition=models.Q(state__in=["queued", "thinking"]))
        ]

    def __str__(self) -> str:
        return f"review of {self.match_id}"
