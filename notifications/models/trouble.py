"""Addresses that mail does not reach."""

from django.db import models


class BouncingAddress(models.Model):
    """What bounced mail has told us about an address, whoever it belongs to. Another address begins without any."""

    email = models.EmailField(unique=True)
    is_stopped = models.BooleanField(default=False)
    """No more mail goes there until its owner has seen to it."""
    why = models.CharField(max_length=200, blank=True)
    since = models.DateTimeField(null=True)
    """The first bounce of those that count."""
    bounces = models.PositiveIntegerField(default=0)
    bounced_at = models.DateTimeField(null=True)
    quiet_until = models.DateTimeField(null=True)
    """Mail waits until then, after a bounce that may pass."""
    mended_at = models.DateTimeField(null=True)
    """Its owner has seen to it: what was sent before says nothing any more."""

    def __str__(self) -> str:
        return self.email
