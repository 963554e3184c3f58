from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from core.times import clock_time


@pytest.mark.parametrize(
    ("zone", "told"),
    [
        ("Europe/Berlin", "Tuesday 17 November 2026, 15:05 (Europe/Berlin)"),
        ("Etc/UTC", "Tuesday 17 November 2026, 14:05 (UTC)"),
    ],
)
def test_a_time_is_told_in_the_players_zone_by_its_usual_name(zone, told):
    assert clock_time(datetime(2026, 11, 17, 14, 5, tzinfo=UTC), ZoneInfo(zone)) == told
