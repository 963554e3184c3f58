"""A match and its seats. The position is stored in full and encrypted, so a move never needs the history."""

import secrets
from datetime import timedelta
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from games.models.pace import Pace

ID_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"
ID_LENGTH = 9
DEPARTED = "departed player"


def new_match_id() -> str:
    """Return a new ID, which is random because it is also the shard key.

    IDs are short enough to type, and contain no letters that look alike.
    """
    return "".join(secrets.choice(ID_LETTERS) for _ in range(ID_LENGTH))


class Phase(models.TextChoices):
    GATHERING = "gathering"
    RUNNING = "running"
    FINISHED = "finished"
    ABANDONED = "abandoned"
    CANCELLED = "cancelled"
    EXPIRED = "expired"


class Salts(models.TextChoices):
    """When the players' salts become known (docs/fairness.md)."""

    OPEN = "open"
    COMMITTED = "committed"


class SaltMaker(models.TextChoices):
    PLAYER = "player"
    BROWSER = "browser"
    SERVER = "server"
    BOT = "bot"


class Absent(models.TextChoices):
    """Who moves for a player who is late or away."""

    BOT = "bot"
    MINIMAL = "minimal"


class Match(models.Model):
    id = models.CharField(primary_key=True, max_length=12, default=new_match_id, editable=False)
    game = models.SlugField(max_length=40)
    rules = models.PositiveSmallIntegerField()
    """The version of the game's rules, which never changes during a match."""
    options = models.JSONField()
    seat_count = models.PositiveSmallIntegerField()
    title = models.CharField(max_length=80, blank=True)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="owned")
    is_private = models.BooleanField(default=False)
    allows_bots = models.BooleanField(default=False)
    """Whether bots and bot accounts may take seats."""
    absent = models.CharField(max_length=7, choices=Absent.choices, default=Absent.BOT)
    think = models.PositiveSmallIntegerField(null=True)
    """How long a hard bot may think about a move, in seconds. None means the server's default."""

    move_time = models.DurationField()
    bank = models.DurationField(default=timedelta)
    weekends_off = models.BooleanField(default=False)
    patience = models.PositiveSmallIntegerField(default=3)
    paused_from = models.DateTimeField(null=True)
    paused_until = models.DateTimeField(null=True)

    phase = models.CharField(max_length=10, choices=Phase.choices, default=Phase.GATHERING)
    rematch_of = models.ForeignKey("self", null=True, on_delete=models.SET_NULL, related_name="rematches")
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)

    encrypted_secret = models.TextField()
    secret_hash = models.CharField(max_length=64)
    salts = models.CharField(max_length=9, choices=Salts.choices, default=Salts.OPEN)
    joins = models.PositiveSmallIntegerField(default=0)
    """The number of players who have ever joined, including those who have left."""
    reveal_by = models.DateTimeField(null=True)
    """The time at which the match starts even if some salts have not been revealed."""
    players = models.JSONField(default=list)
    """Each player's share of the seed (games.engine.fairness.Contribution), once the match has started."""
    seating = models.JSONField(default=list)

    turn = models.PositiveIntegerField(default=0)
    encrypted_state = models.TextField(blank=True)
    moves_made = models.PositiveIntegerField(default=0)
    events_made = models.PositiveIntegerField(default=0)
    head = models.CharField(max_length=64, blank=True)
    sealed = models.JSONField(default=list)
    """The receipts of the pending sealed moves (games.engine.fairness.Reveal)."""
    end = models.JSONField(null=True)
    """The last link of the chain (games.engine.fairness.End)."""
    outcome = models.JSONField(null=True)
    is_archived = models.BooleanField(default=False, db_default=False)
    """Whether an ArchivedLog has replaced the rows of moves and events."""

    class Meta:
        verbose_name_plural = "matches"
        indexes: ClassVar = [
            models.Index(
                F("created_at").desc(),
                "id",
                name="open_matches",
                condition=Q(phase="gathering", is_private=False),
            ),
            models.Index(fields=["expires_at"], name="expiring_matches", condition=Q(phase="gathering")),
            models.Index(fields=["reveal_by"], name="revealing_matches", condition=Q(reveal_by__isnull=False)),
            models.Index(
                F("ended_at").desc(),
                "id",
                name="finished_public_matches",
                condition=Q(phase="finished", is_private=False),
            ),
            models.Index(
                fields=["ended_at", "id"],
                name="matches_to_archive",
                condition=Q(is_archived=False, phase__in=["finished", "abandoned"]),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.id} ({self.game})"

    @property
    def pace(self) -> Pace:
        return Pace(self.move_time, self.bank, self.weekends_off, self.patience)


class Seat(models.Model):
    """The seat of a player or a bot.

    Its number is drawn at random when the match starts, and is None before that. When a player deletes their account,
    the seat remains without a user.
    """

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="seats", db_index=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="seats", db_index=False
    )
    bot_level = models.CharField(max_length=10, blank=True)
    """The level of the bot in this seat, or an empty string if there is none."""
    bot_name = models.CharField(max_length=20, blank=True)
    number = models.PositiveSmallIntegerField(null=True)
    joined_at = models.DateTimeField()
    position = models.PositiveSmallIntegerField()
    """The player's number, assigned on joining. A number is never reused in a match."""
    salt = models.CharField(max_length=64, blank=True)
    """The salt. It is empty until a committed salt is revealed."""
    commitment = models.CharField(max_length=64, blank=True)
    salt_by = models.CharField(max_length=7, choices=SaltMaker.choices)
    pseudonym = models.CharField(max_length=64)
    pseudonym_salt = models.CharField(max_length=32, blank=True)
    """Links the player to the pseudonym in the proof. It is erased when the account is deleted."""
    awaited_since = models.DateTimeField(null=True)
    asked_turn = models.PositiveIntegerField(null=True)
    acted_through = models.PositiveIntegerField(default=0)
    """The number of the latest event when the player last acted in the match."""
    seen_through = models.PositiveIntegerField(default=0)
    """The number of the latest event when the player last looked at the match."""
    visited_at = models.DateTimeField(null=True)
    mailed_at = models.DateTimeField(null=True)
    is_muted = models.BooleanField(default=False)
    encrypted_orders = models.TextField(blank=True)
    """The player's standing orders (games.selectors.orders), or empty."""

    deadline = models.DateTimeField(null=True)
    """The deadline, which is set only while it is this seat's turn. It depends on the time left and on the player's
    calendar (clock.deadlines)."""
    deadline_changes = models.PositiveIntegerField(default=0)
    """How many times the deadline has changed. This is the sequence number of its calendar entry."""
    wake_at = models.DateTimeField(null=True)
    """The time at which the clock must check this seat next, for a reminder or a time-out."""
    time_given = models.DurationField(null=True)
    time_left = models.DurationField(null=True)
    """The time left as of `counted_from`. It is kept after the seat has sealed a move, in case the move is
    withdrawn."""
    counted_from = models.DateTimeField(null=True)
    bank = models.DurationField(default=timedelta)
    reminders = models.PositiveSmallIntegerField(default=0)
    timeouts = models.PositiveSmallIntegerField(default=0)
    """The number of time-outs in a row. Any move by the player resets it."""
    stand_in_since = models.DateTimeField(null=True)
    resigned_at = models.DateTimeField(null=True)
    """When the player resigned. A stand-in plays the seat to the end, and the player comes last."""

    wants_to_abandon = models.BooleanField(default=False)
    points = models.IntegerField(null=True)
    place = models.PositiveSmallIntegerField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["match", "number"], name="one_seat_per_number"),
            models.UniqueConstraint(fields=["match", "user"], name="one_seat_per_user"),
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["user", "awaited_since", "id"],
                name="waiting_for_user",
                condition=Q(awaited_since__isnull=False),
            ),
            models.Index(fields=["user", "-id"], name="seats_of_user"),
            models.Index(fields=["wake_at", "id"], name="seats_to_wake", condition=Q(wake_at__isnull=False)),
        ]

    def __str__(self) -> str:
        return f"seat {self.number} of {self.match_id}"

    @property
    def last_seen(self) -> int:
        """Return the number of the latest event the player has seen."""
        return max(self.seen_through, self.acted_through)

    @property
    def drawn(self) -> int:
        """Return the seat number. Raise ValueError before the match starts."""
        if self.number is None:
            raise ValueError("The seats of this match have not been drawn yet.")
        return self.number

    @property
    def is_bot(self) -> bool:
        return bool(self.bot_level)

    @property
    def has_stand_in(self) -> bool:
        """Return whether a stand-in plays this seat. This includes the seats of players who deleted their accounts."""
        return not self.is_bot and (self.user_id is None or self.stand_in_since is not None)

    @property
    def is_present(self) -> bool:
        """Return whether a user plays this seat, as opposed to a bot or a stand-in."""
        return self.user_id is not None and self.stand_in_since is None

    @property
    def player_name(self) -> str:
        if self.is_bot:
            return f"{self.bot_name} (bot)"
        return self.user.name if self.user else DEPARTED
