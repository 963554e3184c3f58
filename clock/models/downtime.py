"""What the clock remembers of itself."""

from django.db import models


class Heartbeat(models.Model):
    """One row: when a sweep last began."""

    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"heartbeat at {self.at}"


class Downtime(models.Model):
    """A time in which the clock did not run. It is given back seat by seat, in the order of their ids."""

    began_at = models.DateTimeField()
    ended_at = models.DateTimeField()
    credited_through = models.BigIntegerField(default=0)
    is_credited = models.BooleanField(default=False)

    def __str__(self) -> str:
        return f"downtime from {self.began_at} to {self.ended_at}"
