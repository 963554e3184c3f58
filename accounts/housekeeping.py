"""What has had its time is forgotten."""

from django.contrib.sessions.backends.db import SessionStore
from django.utils import timezone

from accounts import tokens
from accounts.models import Registration
from core import tally


def forget_expired() -> None:
    Registration.objects.filter(expires_at__lte=timezone.now()).delete()
    tokens.forget_expired()
    tally.forget_old()
    SessionStore.clear_expired()
