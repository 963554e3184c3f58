"""What players decide together about time and seats."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q

from games.models.match import Match


class Wish(models.TextChoices):
    EXTENSION = "extension"
    PAUSE = "pause"
    HANDOVER = "handover"


class Verdict(models.TextChoices):
    OPEN = "open"
    AGREED = "agreed"
    REJECTED = "rejected"
    REPLACED = "replaced"
    ACCEPTED = "accepted"
    DECLINED = "declined"
    LAPSED = "lapsed"
    """Never stored, only shown: what waits for somebody's word, but not any more for any use (clock.proposal_rules)."""


class Proposal(models.Model):
    """More time for the seat it is about, a pause for all, or a seat for `newcomer`. An agreed handover waits until the
    newcomer has accepted or declined it. All changes are made under the lock of the match."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="proposals")
    wish = models.CharField(max_length=10, choices=Wish.choices)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    made_at = models.DateTimeField()
    seat = models.PositiveSmallIntegerField(null=True)
    holder = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    """Who had the seat then: another may sit there by the time this is read."""
    turn = models.PositiveIntegerField(null=True)
    """The turn on which the seat was asked, for more time."""
    time = models.DurationField(null=True)
    newcomer = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.CASCADE, related_name="seats_offered"
    )
    votes = models.JSONField(default=dict)
    """Numbers of seats, as text, with what they say."""
    verdict = models.CharField(max_length=10, choices=Verdict.choices, default=Verdict.OPEN)

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["match", "id"], name="proposals_in_order"),
            models.Index(fields=["newcomer"], name="seats_on_offer", condition=Q(verdict="agreed")),
        ]

    def __str__(self) -> str:
        return f"{self.wish} in {self.match_id}"
