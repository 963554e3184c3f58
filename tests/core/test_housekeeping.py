"""Every hour, each app deletes expired data. A chore that fails does not stop the others."""

from collections.abc import Callable

import pytest

from core import housekeeping
from core.housekeeping import hourly, tidy_up


@pytest.fixture
def chores(monkeypatch):
    """Keep only the chores that this test registers."""
    chores: list[Callable[..., object]] = []
    monkeypatch.setattr(housekeeping, "_chores", chores)
    return chores


def test_every_chore_gets_the_current_time(chores, time_machine):
    time_machine.move_to("2026-11-16T12:00:00Z", tick=False)
    got = []
    hourly(lambda now: got.append(f"{now:%F %R}"))
    tidy_up()
    assert got == ["2026-11-16 12:00"]


def test_a_chore_that_fails_is_logged_and_does_not_stop_the_others(chores, caplog):
    done: list[object] = []

    @hourly
    def forget_nothing(_):
        raise ZeroDivisionError

    hourly(done.append)
    tidy_up()
    assert len(done) == 1
    assert f"{__name__}.forget_nothing failed" in caplog.text
    assert "ZeroDivisionError" in caplog.text


def test_every_app_with_expiring_data_has_a_chore():
    apps = {chore.__module__.partition(".")[0] for chore in housekeeping._chores}
    assert {"accounts", "core", "games", "inbound", "notifications"} <= apps
