from datetime import timedelta

import pytest
import time_machine

from tests.games.builders import player
from tests.notifications.bounces.returned import NOON


@pytest.fixture
def clock():
    with time_machine.travel(NOON, tick=False) as clock:
        yield clock


@pytest.fixture
def ann(clock):
    return player("ann", email_confirmed_at=NOON - timedelta(days=1))
