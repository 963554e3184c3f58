import logging
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.utils import timezone

from clock.models import Heartbeat
from games.models.pace import Pace
from tests.games.builders import running_match

MONDAY_NOON = datetime(2025, 6, 2, 12, tzinfo=UTC)


class FrozenTime:
    """A clock that stands still until a test advances it, with the service up (`shift`) or down (`outage`)."""

    def __init__(self, traveller):
        self.traveller = traveller

    def move_to(self, moment: datetime) -> None:
        self.traveller.move_to(moment)
        Heartbeat.objects.update(at=moment)

    def shift(self, time: timedelta) -> None:
        self.move_to(timezone.now() + time)

    def outage(self, time: timedelta) -> None:
        self.traveller.move_to(timezone.now() + time)


@pytest.fixture(autouse=True)
def no_logged_errors(caplog):
    """Fail the test if an error was logged. A sweep continues after an error in one match."""
    yield
    failed = [record.getMessage() for record in caplog.get_records("call") if record.levelno >= logging.ERROR]
    assert not failed


@pytest.fixture
def frozen_time(db):
    with time_machine.travel(MONDAY_NOON, tick=False) as traveller:
        yield FrozenTime(traveller)


@pytest.fixture
def table(hush):
    """Create a private match for four players with sealed rounds, a day per move, and a stand-in after one time-out."""
    return running_match("hush", 4, pace=Pace(timedelta(days=1), patience=1), options={"rounds": 9}, is_private=True)
