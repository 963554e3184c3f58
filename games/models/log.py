"""Moves and events. They are written once and never changed, until an archive replaces them (games.models.archive)."""

from typing import ClassVar

from django.conf import settings
from django.db import models

from games.engine.fairness import MoveMaker
from games.models.match import Match


class Source(models.TextChoices):
    API = "api"
    MAIL = "mail"
    WEB = "web"
    TIME_OUT = "time_out"
    STAND_IN = "stand_in"
    BOT = "bot"
    STANDING_ORDER = "order"


MAKERS: dict[str, MoveMaker] = {
    Source.API: "player",
    Source.MAIL: "player",
    Source.WEB: "player",
    Source.TIME_OUT: "time_out",
    Source.STAND_IN: "stand_in",
    Source.BOT: "bot",
    Source.STANDING_ORDER: "standing_order",
}
"""Who made a move, as recorded in the proof."""


class Move(models.Model):
    """A move by one seat.

    Later moves in the same turn determine whether a sealed move took effect (games.selectors.history). Move numbers are
    never shown, because a gap would reveal that a sealed move was replaced.
    """

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="moves", db_index=False)
    number = models.PositiveIntegerField()
    turn = models.PositiveIntegerField()
    seat = models.PositiveSmallIntegerField()
    source = models.CharField(max_length=10, choices=Source.choices)
    is_sealed = models.BooleanField()
    closes_turn = models.BooleanField()
    content = models.TextField()
    """The move as JSON. It is encrypted if the move is sealed, even after the reveal."""
    nonce = models.TextField(blank=True)
    """The nonce of the receipt. It is encrypted, because somebody who has the receipt and the nonce could find the move
    by trying all moves.
    """
    receipt = models.CharField(max_length=64, blank=True)
    made_at = models.DateTimeField()
    is_decrypted = False
    """Whether `content` and `nonce` are plain text even if the move is sealed, because it comes from an archive."""

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["match", "number"], name="one_move_per_number"),
        ]

    def __str__(self) -> str:
        return f"move {self.number} of {self.match_id}"

    @property
    def is_encrypted(self) -> bool:
        return self.is_sealed and not self.is_decrypted


class StoredResult(models.Model):
    """The result of a request with an idempotency key (games.services.idempotency)."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="+", db_index=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", db_index=False)
    key = models.CharField(max_length=80)
    content = models.TextField()
    """The result, encrypted. It contains the move, which may be sealed, and the board as only this player sees it."""
    made_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "match", "key"], name="one_result_per_key"),
        ]
        indexes: ClassVar = [models.Index(fields=["made_at"], name="oldest_results")]

    def __str__(self) -> str:
        return f"result in {self.match_id}"


class Event(models.Model):
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="events", db_index=False)
    number = models.PositiveIntegerField()
    turn = models.PositiveIntegerField()
    audience = models.JSONField(null=True)
    """The seats that may see the event, or null if everyone may."""
    content = models.TextField()
    """The event as JSON. It is encrypted unless everyone may see it."""
    cause = models.TextField(blank=True)
    """The move's link in the chain, as it is hashed. Only the first event of a move has one."""
    leaf = models.CharField(max_length=64, blank=True)
    """A hash that lets others check the chain without seeing the content."""
    hash = models.CharField(max_length=64)
    happened_at = models.DateTimeField()
    is_decrypted = False
    """Whether `content` is plain text regardless of the audience, because the event comes from an archive."""

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["match", "number"], name="one_event_per_number"),
        ]

    def __str__(self) -> str:
        return f"event {self.number} of {self.match_id}"

    @property
    def is_encrypted(self) -> bool:
        return self.audience is not None and not self.is_decrypted

    def is_for(self, seat: int | None) -> bool:
        """Return whether the event is visible to this seat, or to a spectator if `seat` is None."""
        return self.audience is None or seat in self.audience
