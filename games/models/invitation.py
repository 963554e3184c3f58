from datetime import datetime, timedelta
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower
from django.utils import timezone

from games.models.match import Match

INVITATION_TIME = timedelta(days=14)
"""How long an invitation reserves a seat."""


class Answer(models.TextChoices):
    OPEN = "open"
    ACCEPTED = "accepted"
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"
    EXPIRED = "expired"


class Invitation(models.Model):
    """An invitation to a user or to an email address.

    When somebody opens the link in an emailed invitation, it is assigned to that user. The link is a signature over the
    invitation, so no secret is stored.
    """

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="invitations")
    invited_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.CASCADE, related_name="invitations")
    email = models.EmailField(blank=True)
    answer = models.CharField(max_length=10, choices=Answer.choices, default=Answer.OPEN)
    made_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["match", "user"], name="one_open_invitation_by_name", condition=Q(answer="open", email="")
            ),
            models.UniqueConstraint(
                "match",
                Lower("email"),
                name="one_open_invitation_per_email",
                condition=Q(answer="open") & ~Q(email=""),
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["email"], name="invited_addresses", condition=Q(answer="open") & ~Q(email="")),
        ]

    def __str__(self) -> str:
        return f"invitation to {self.match_id}"

    @property
    def expires_at(self) -> datetime:
        return min(self.made_at + INVITATION_TIME, self.match.expires_at)


def not_expired() -> Q:
    """Select invitations that can still be accepted, even if housekeeping hasn't run yet."""
    now = timezone.now()
    return Q(made_at__gt=now - INVITATION_TIME, match__expires_at__gt=now)
