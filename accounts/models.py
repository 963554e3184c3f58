from typing import Any, ClassVar

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone

from accounts.validators import validate_language, validate_printable, validate_time_zone, validate_username

models.CharField.register_lookup(Lower)


class UserManager(BaseUserManager["User"]):
    def create_user(self, username: str, email: str, password: str | None = None, **fields: Any) -> "User":
        user = self.model(username=username, email=self.normalize_email(email), **fields)
        user.set_password(password)
        user.full_clean()
        user.save(using=self._db)
        return user

    def create_superuser(self, username: str, email: str, password: str | None = None, **fields: Any) -> "User":
        return self.create_user(username, email, password, is_staff=True, is_superuser=True, **fields)

    def get_by_natural_key(self, login: str | None) -> "User":
        """The user with this user name or e-mail address, in upper or lower case: what people log in with."""
        field = "email" if "@" in (login or "") else "username"
        return self.get(**{f"{field}__lower": (login or "").lower()})

    @classmethod
    def normalize_email(cls, email: str | None) -> str:
        return (email or "").strip().lower()


class User(AbstractBaseUser, PermissionsMixin):
    username = models.CharField(max_length=30, unique=True, validators=[validate_username])
    email = models.EmailField()
    display_name = models.CharField(max_length=60, blank=True, validators=[validate_printable])
    time_zone = models.CharField(max_length=64, default="UTC", validators=[validate_time_zone])
    language = models.CharField(max_length=16, default="en", validators=[validate_language])
    email_confirmed_at = models.DateTimeField(null=True, blank=True)
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
                violation_error_message="This user name is taken.",
            ),
            models.UniqueConstraint(
                Lower("email"),
                name="accounts_user_one_per_email",
                violation_error_message="This e-mail address already has an account.",
            ),
        ]

    def __str__(self) -> str:
        return self.username

    @property
    def name(self) -> str:
        return self.display_name or self.username

    def clean(self) -> None:
        super().clean()
        self.email = type(self).objects.normalize_email(self.email)
