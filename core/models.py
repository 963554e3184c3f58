from django.db import models


class RateCount(models.Model):
    """A count of attempts in the current window. Callers are stored only as hashes."""

    key = models.CharField(primary_key=True, max_length=64)
    count = models.PositiveIntegerField()
    until = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"{self.count} until {self.until:%Y-%m-%d %H:%M:%S}"
