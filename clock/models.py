"""Proposals, vacations, and the clock's heartbeat and downtime."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from accounts.models import User
from games.models import Match


class ProposalKind(models.TextChoices):
    EXTENSION = "extension"
    PAUSE = "pause"
    REPLACEMENT = "replacement"


class ProposalStatus(models.TextChoices):
    OPEN = "open"
    AGREED = "agreed"
    REJECTED = "rejected"
    SUPERSEDED = "superseded"
    ACCEPTED = "accepted"
    DECLINED = "declined"
    OBSOLETE = "obsolete"
    """A pending proposal that has become pointless. This status is computed by `proposal_rules.current_status` and
    never stored."""


class Proposal(models.Model):
    """A proposal for an extension, a pause or a replacement.

    An extension is for `seat`. In a replacement, `newcomer` takes over `seat`. Once the players have agreed, the
    newcomer still has to accept or decline. A proposal is changed only while its match is locked.
    """

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="proposals", db_index=False)
    kind = models.CharField(max_length=12, choices=ProposalKind.choices)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    made_at = models.DateTimeField()
    seat = models.PositiveSmallIntegerField(null=True)
    holder = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    """The user who had the seat when the proposal was made."""
    turn = models.PositiveIntegerField(null=True)
    """The turn that an extension is for."""
    time = models.DurationField(null=True)
    newcomer = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.CASCADE, related_name="seats_offered"
    )
    votes = models.JSONField(default=dict)
    """The votes by seat number. The numbers are stored as text."""
    status = models.CharField(max_length=10, choices=ProposalStatus.choices, default=ProposalStatus.OPEN)

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["match", "id"], name="proposals_in_order"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} in {self.match_id}"


class Vacation(models.Model):
    """A period in which the player's clocks stop, including the first and the last day."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="vacations", db_index=False)
    first_day = models.DateField()
    last_day = models.DateField()

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(last_day__gte=F("first_day")), name="vacation_ends_after_its_start"),
        ]
        indexes: ClassVar = [models.Index(fields=["user", "last_day"], name="vacations_of_user")]

    def __str__(self) -> str:
        return f"{self.first_day} to {self.last_day}"


class Heartbeat(models.Model):
    """The time at which the last sweep started. The table has only one row."""

    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"heartbeat at {self.at}"


class Downtime(models.Model):
    """A period in which the clock was not running. It is credited to seats in the order of their IDs."""

    began_at = models.DateTimeField()
    ended_at = models.DateTimeField()
    credited_through = models.BigIntegerField(default=0)
    is_credited = models.BooleanField(default=False)

    def __str__(self) -> str:
        return f"downtime from {self.began_at} to {self.ended_at}"
