import uuid

from django.db import models
from django.utils import timezone

from accounts.models.user import User


class Registration(models.Model):
    """Somebody who wants an account but has not shown yet that the address is theirs.

    It holds neither the user name nor the address: whoever confirms first gets them. So nobody can take a name
    or an address hostage, and registering tells nothing about which addresses have an account.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    username = models.CharField(max_length=30)
    email = models.EmailField(db_index=True)
    password = models.CharField(max_length=128)
    display_name = models.CharField(max_length=60, blank=True)
    time_zone = models.CharField(max_length=64)
    language = models.CharField(max_length=16)
    invitation = models.CharField(max_length=200, blank=True)
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
