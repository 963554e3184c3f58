from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from clock.sweep import run as sweep
from notifications.models import Notification
from tests.games.builders import running_match

pytestmark = pytest.mark.django_db


def test_a_service_that_keeps_up_passes_the_check(capsys):
    sweep()
    call_command("check_lag")
    assert "Oldest due notification: 0 seconds late" in capsys.readouterr().out


def test_a_clock_that_has_never_run_a_sweep_fails_the_check():
    with pytest.raises(CommandError, match="No sweep has run yet"):
        call_command("check_lag")


def test_a_notification_that_has_waited_too_long_fails_the_check():
    sweep()
    running_match()
    Notification.objects.update(due_at=timezone.now() - timedelta(minutes=10))
    with pytest.raises(CommandError, match=r"6\d\d seconds late"):
        call_command("check_lag")
    call_command("check_lag", "--max-seconds", "900")
