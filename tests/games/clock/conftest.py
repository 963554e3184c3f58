from datetime import UTC, datetime

import pytest
import time_machine

MONDAY_NOON = datetime(2025, 6, 2, 12, tzinfo=UTC)


@pytest.fixture
def wall():
    """The clock on the wall: it stands still until a test moves it."""
    with time_machine.travel(MONDAY_NOON, tick=False) as traveller:
        yield traveller
