import pytest
import time_machine
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.utils import timezone

from accounts.models import Registration, Token
from core.housekeeping import tidy_up
from core.models import RateCount
from tests.accounts.builders import PASSWORD, applicant, player

pytestmark = pytest.mark.django_db


def test_only_expired_rows_are_deleted(api):
    with time_machine.travel("2026-11-16T12:00:00Z", tick=False) as clock:
        player("ben")
        for days in (1, 5):
            api().post("/api/v1/tokens", {"login": "ben", "password": PASSWORD, "days": days})
        api().post("/api/v1/registrations", applicant())
        SessionStore().create()
        clock.shift(3 * 86400)
        api().post("/api/v1/registrations", applicant(email="late@example.org"))
        running = RateCount.objects.filter(until__gt=timezone.now()).count()
        assert running < RateCount.objects.count()
        tidy_up()
        assert Token.objects.count() == 1
        assert Registration.objects.get().email == "late@example.org"
        assert (RateCount.objects.count(), Session.objects.count()) == (running, 0)
