import secrets
from typing import ClassVar

from django.db import models
from knox.models import AbstractAuthToken

from accounts.models.user import User
from accounts.validators import validate_printable

NAME_LENGTH = 60
UNNAMED = "unnamed"


def new_reference() -> str:
    return secrets.token_hex(6)


class Token(AbstractAuthToken):
    """What a program shows instead of the password. Only its hash is stored; `reference` is its name in addresses."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="auth_token_set", db_index=False)
    reference = models.CharField(max_length=12, unique=True, default=new_reference, editable=False)
    name = models.CharField(max_length=NAME_LENGTH, validators=[validate_printable])
    last_used_at = models.DateTimeField(null=True)

    class Meta:
        indexes: ClassVar = [models.Index(fields=["user", "-created"], name="tokens_of_user")]

    def __str__(self) -> str:
        return self.name
