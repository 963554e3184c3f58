from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from clock.sweep import run as sweep
from notifications.models import Notification
from tests.games.builders import running_match

pytestmark = pytest.mark.django_db


def test_a_service_that_keeps_up_says_so(capsys):
    sweep()
    call_command("check_lag")
    assert "the oldest due notification has waited 0 seconds" in capsys.readouterr().out


def test_a_clock_that_never_swept_is_no_pulse():
    with pytest.raises(CommandError, match="The clock swept inf seconds ago"):
        call_command("check_lag")


def test_a_notice_that_waits_too_long_is_none_either():
    sweep()
    running_match()
    Notification.objects.update(due_at=timezone.now() - timedelta(minutes=10))
    with pytest.raises(CommandError, match=r"has waited 6\d\d seconds"):
        call_command("check_lag")
    call_command("check_lag", "--max-seconds", "900")
