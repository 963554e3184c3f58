"""Users, unconfirmed registrations, tokens, browser sessions, and blocks."""

import secrets
import uuid
from typing import Any, ClassVar

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Lower
from django.utils import timezone
from knox.models import AbstractAuthToken

from accounts.validators import (
    validate_language,
    validate_name,
    validate_printable,
    validate_reminders,
    validate_time_zone,
    validate_username,
)

models.CharField.register_lookup(Lower)


class MailFrequency(models.TextChoices):
    """When to send emails about matches: immediately, once until the next visit, as a digest, or never."""

    INSTANT = "instant"
    UNTIL_VISIT = "until_visit"
    HOURLY = "hourly"
    DAILY = "daily"
    NEVER = "never"


def usual_reminders() -> list[int]:
    return [50, 80]


class UserManager(BaseUserManager["User"]):
    def create_user(self, username: str, email: str, password: str | None = None, **fields: Any) -> "User":
        user = self.model(username=username, email=self.normalize_email(email), **fields)
        user.set_password(password)
        user.full_clean()
        user.save(using=self._db)
        return user

    def create_superuser(self, username: str, email: str, password: str | None = None, **fields: Any) -> "User":
        """Create an operator whose address counts as confirmed, because only operators can run this command."""
        rights = {"is_staff": True, "is_superuser": True, "email_confirmed_at": timezone.now()}
        return self.create_user(username, email, password, **rights | fields)

    def get_by_natural_key(self, login: str | None) -> "User":
        """Find a user by username or email address, ignoring case."""
        field = "email" if "@" in (login or "") else "username"
        return self.get(**{f"{field}__lower": (login or "").lower()})

    @classmethod
    def normalize_email(cls, email: str | None) -> str:
        return (email or "").strip().lower()


class User(AbstractBaseUser, PermissionsMixin):
    username = models.CharField(max_length=30, unique=True, validators=[validate_username])
    email = models.EmailField()
    display_name = models.CharField(max_length=60, blank=True, validators=[validate_name])
    time_zone = models.CharField(max_length=64, default="UTC", validators=[validate_time_zone])
    language = models.CharField(max_length=16, default="en", validators=[validate_language])
    email_confirmed_at = models.DateTimeField(null=True, blank=True)
    mail_frequency = models.CharField(max_length=12, choices=MailFrequency.choices, default=MailFrequency.INSTANT)
    frequency_before = models.CharField(max_length=12, blank=True, default="")
    """The mail frequency from before the user unsubscribed through an email link, kept so that it can be restored."""
    invitations_by_mail = models.BooleanField(default=True)
    quiet_from = models.TimeField(null=True, blank=True)
    quiet_until = models.TimeField(null=True, blank=True)
    """The start and end of quiet hours in the user's time zone. Emails that are due during quiet hours are sent
    afterwards."""
    remind_at = models.JSONField(default=usual_reminders, blank=True, validators=[validate_reminders])
    """When to send reminders, as percentages of the time that the user has for a move. Empty for none."""
    checks_sender = models.BooleanField(default=False)
    """Whether a move by mail must come from the user's own address."""
    confirms_moves = models.BooleanField(default=False)
    """Whether every move by mail is confirmed by mail, even if another email about the match follows soon."""
    last_vacation_day = models.DateField(null=True, blank=True, editable=False)
    """The last day of the user's latest vacation. The clock app keeps it up to date, so that most moves need no query
    for vacations."""
    has_webhooks = models.BooleanField(default=False, editable=False)
    """Whether the user has an active webhook. The notifications app keeps it up to date, so that moves need no query
    for webhooks."""
    calendar_key = models.CharField(max_length=16, blank=True, default="", editable=False)
    """The secret part of the user's calendar feed URL, or an empty string if the feed is off."""

    is_guest = models.BooleanField(default=False, editable=False)
    """Whether this is a guest trying a match without an account. Guests are deleted a day after their last visit."""
    is_bot = models.BooleanField(default=False, editable=False)
    """Whether a program uses this account. This is permanent."""
    is_active = models.BooleanField(default=True)
    is_staff = models.BooleanField(default=False)
    date_joined = models.DateTimeField(default=timezone.now)

    objects: ClassVar[UserManager] = UserManager()

    USERNAME_FIELD = "username"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = ["email"]

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                Lower("username"),
                name="accounts_user_one_per_username",
                violation_error_message="This username is taken.",
            ),
            models.UniqueConstraint(
                Lower("email"),
                name="accounts_user_one_per_email",
                violation_error_message="This email address already has an account.",
            ),
            models.CheckConstraint(
                condition=Q(quiet_from__isnull=True, quiet_until__isnull=True)
                | (Q(quiet_from__isnull=False, quiet_until__isnull=False) & ~Q(quiet_from=F("quiet_until"))),
                name="accounts_user_quiet_hours",
                violation_error_message="Set quiet_from and quiet_until to different times, or leave both empty.",
            ),
        ]

    def __str__(self) -> str:
        return self.username

    @property
    def name(self) -> str:
        name = self.display_name or self.username
        return f"{name} (bot)" if self.is_bot else name

    def clean(self) -> None:
        super().clean()
        self.email = type(self).objects.normalize_email(self.email)


class Registration(models.Model):
    """A request for an account whose address has not been confirmed.

    It reserves neither the username nor the address: the first person to confirm gets them. This way, nobody can block
    a name or an address, and registering does not reveal which addresses have an account.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    username = models.CharField(max_length=30)
    email = models.EmailField(db_index=True)
    password = models.CharField(max_length=128)
    display_name = models.CharField(max_length=60, blank=True)
    time_zone = models.CharField(max_length=64)
    language = models.CharField(max_length=16)
    invitation = models.CharField(max_length=200, blank=True)
    next_page = models.CharField(max_length=200, blank=True)
    """The page that the person came from, and returns to after registering."""
    wrong_codes = models.PositiveSmallIntegerField(default=0)
    expires_at = models.DateTimeField(db_index=True)
    user = models.ForeignKey(User, null=True, on_delete=models.CASCADE, related_name="+")

    def __str__(self) -> str:
        return f"{self.username} <{self.email}>"

    @property
    def name(self) -> str:
        return self.display_name or self.username

    @property
    def is_open(self) -> bool:
        return self.user_id is None and timezone.now() < self.expires_at


NAME_LENGTH = 60
UNNAMED = "unnamed"


def new_reference() -> str:
    return secrets.token_hex(6)


class Token(AbstractAuthToken):
    """A secret that a program sends instead of the password.

    Only its hash is stored; `reference` identifies it in URLs.
    """

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="auth_token_set", db_index=False)
    reference = models.CharField(max_length=12, unique=True, default=new_reference, editable=False)
    name = models.CharField(max_length=NAME_LENGTH, validators=[validate_printable])
    last_used_at = models.DateTimeField(null=True)

    class Meta:
        indexes: ClassVar = [models.Index(fields=["user", "-created"], name="tokens_of_user")]

    def __str__(self) -> str:
        return self.name


class BrowserSession(models.Model):
    """A browser in which a user is logged in. Only the hash of its key is stored; `reference` identifies it in URLs."""

    digest = models.CharField(max_length=64, primary_key=True)
    reference = models.CharField(max_length=12, unique=True, default=new_reference, editable=False)
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="browser_sessions", db_index=False)
    match = models.CharField(max_length=12, blank=True, default="")
    """The only match the session is valid for; empty if it is valid for the whole account."""
    device = models.CharField(max_length=NAME_LENGTH)
    created_at = models.DateTimeField()
    last_used_at = models.DateTimeField()
    expires_at = models.DateTimeField(db_index=True)

    class Meta:
        indexes: ClassVar = [models.Index(fields=["user", "-created_at"], name="browser_sessions_of_user")]

    def __str__(self) -> str:
        return self.device


class Block(models.Model):
    """A block, which stops one user's invitations and messages from reaching another."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="blocks", db_index=False)
    blocked = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    made_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["user", "blocked"], name="one_block_per_user")]

    def __str__(self) -> str:
        return f"{self.user} blocked {self.blocked}"
