"""What was done and what happened: written once, never changed. Only what was answered is forgotten in time."""

from typing import ClassVar

from django.conf import settings
from django.db import models

from games.models.match import Match


class Move(models.Model):
    """A sealed move waits until the table's question is settled: what became of it follows from the moves after it in
    the same turn (games.selectors.history). Numbers are for our own use: a gap would tell that a sealed move was replaced."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="moves")
    number = models.PositiveIntegerField()
    turn = models.PositiveIntegerField()
    seat = models.PositiveSmallIntegerField()
    source = models.CharField(max_length=10)
    is_sealed = models.BooleanField()
    closes_turn = models.BooleanField()
    content = models.TextField()
    """The move's JSON; locked if it is sealed, and it stays so."""
    nonce = models.TextField(blank=True)
    """Locked: whoever has it and the receipt can try out all moves until one fits."""
    receipt = models.CharField(max_length=64, blank=True)
    made_at = models.DateTimeField()
    key = models.CharField(max_length=80, null=True)  # noqa: DJ001 - moves without a key must not collide
    answer = models.TextField(blank=True)
    """Locked, with the hash of its request (games.services.idempotency): both tell of the move, which may be sealed. Answer and key
    go when the seat gets another player."""

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["match", "number"], name="one_move_per_number"),
            models.UniqueConstraint(fields=["match", "seat", "key"], name="one_move_per_key"),
        ]

    def __str__(self) -> str:
        return f"move {self.number} of {self.match_id}"


class Refusal(models.Model):
    """The answer to a request that was refused, kept for some weeks so that the same key gets the same answer."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="refusals")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    key = models.CharField(max_length=80)
    status = models.PositiveSmallIntegerField()
    answer = models.TextField()
    """Locked, with the hash of its request: it may show the match as only this player sees it."""
    made_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["match", "user", "key"], name="one_refusal_per_key"),
        ]
        indexes: ClassVar = [models.Index(fields=["made_at"], name="oldest_refusals")]

    def __str__(self) -> str:
        return f"refusal in {self.match_id}"


class Event(models.Model):
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="events")
    number = models.PositiveIntegerField()
    turn = models.PositiveIntegerField()
    audience = models.JSONField(null=True)
    """The only seats that may see it; null is everybody."""
    content = models.TextField()
    """The event's JSON; locked if it is not for everybody."""
    leaf = models.CharField(max_length=64, blank=True)
    """What others can check the chain with when they may not see the content."""
    hash = models.CharField(max_length=64)
    happened_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["match", "number"], name="one_event_per_number"),
        ]

    def __str__(self) -> str:
        return f"event {self.number} of {self.match_id}"

    def is_for(self, seat: int | None) -> bool:
        """Whether that seat, or a spectator, may see it."""
        return self.audience is None or seat in self.audience
