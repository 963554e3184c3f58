from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from core.times import clock_time, exact, rounded


@pytest.mark.parametrize(
    ("length", "text"),
    [
        (timedelta(seconds=-5), "less than a minute"),
        (timedelta(), "less than a minute"),
        (timedelta(seconds=59), "less than a minute"),
        (timedelta(seconds=60), "1 minute"),
        (timedelta(seconds=89), "1 minute"),
        (timedelta(seconds=90), "2 minutes"),
        (timedelta(minutes=59, seconds=20), "59 minutes"),
        (timedelta(minutes=59, seconds=40), "1 hour"),
        (timedelta(minutes=60), "1 hour"),
        (timedelta(minutes=61), "61 minutes"),
        (timedelta(minutes=90), "90 minutes"),
        (timedelta(minutes=119, seconds=40), "2 hours"),
        (timedelta(minutes=149), "2 hours"),
        (timedelta(minutes=150), "3 hours"),
        (timedelta(hours=23, minutes=20), "23 hours"),
        (timedelta(hours=23, minutes=40), "1 day"),
        (timedelta(hours=24), "1 day"),
        (timedelta(hours=25), "25 hours"),
        (timedelta(hours=36), "36 hours"),
        (timedelta(hours=47, minutes=40), "2 days"),
        (timedelta(days=2, hours=11), "2 days"),
        (timedelta(days=2, hours=12), "3 days"),
        (timedelta(days=10) - timedelta(hours=1), "10 days"),
        (timedelta(days=10) + timedelta(hours=1), "10 days"),
    ],
)
def test_time_left_is_rounded_to_the_nearest_sensible_unit(length, text):
    assert rounded(length) == text


@pytest.mark.parametrize(
    ("length", "text"),
    [
        (timedelta(), "no time"),
        (timedelta(seconds=90), "1 minute 30 seconds"),
        (timedelta(minutes=90), "1 hour 30 minutes"),
        (timedelta(hours=24), "1 day"),
        (timedelta(hours=36), "1 day 12 hours"),
        (timedelta(hours=60), "2 days 12 hours"),
        (timedelta(days=14), "14 days"),
    ],
)
def test_a_duration_that_a_player_chose_is_never_rounded(length, text):
    assert exact(length) == text


@pytest.mark.parametrize(
    ("zone", "text"),
    [
        ("Europe/Berlin", "Tuesday 17 November 2026, 15:05 (Europe/Berlin)"),
        ("Etc/UTC", "Tuesday 17 November 2026, 14:05 (UTC)"),
    ],
)
def test_clock_times_are_in_the_players_time_zone(zone, text):
    assert clock_time(datetime(2026, 11, 17, 14, 5, tzinfo=UTC), ZoneInfo(zone)) == text
