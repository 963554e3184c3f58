from typing import ClassVar

from django.db import models
from django.db.models import F, Q

from accounts.models.user import User


class Vacation(models.Model):
    """Days on which no clock runs for this player: the first and the last are both part of it."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="vacations")
    first_day = models.DateField()
    last_day = models.DateField()

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(last_day__gte=F("first_day")), name="vacation_ends_after_its_start"),
        ]
        indexes: ClassVar = [models.Index(fields=["user", "last_day"], name="vacations_of_user")]

    def __str__(self) -> str:
        return f"{self.first_day} to {self.last_day}"
