"""Clocks stop during a vacation."""

from datetime import UTC, date, datetime, timedelta

import pytest

from accounts import profile
from clock import vacations
from clock.models import Vacation
from clock.sweep import sweep
from games.models import Move
from games.models.pace import Pace
from games.selectors.loading import load_match
from notifications.models import Notification, NotificationKind
from tests.games.builders import awaited, player, running_match, sitting

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen_time")]

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
MONDAY_NOON = datetime(2025, 6, 2, 12, tzinfo=UTC)
TUESDAY = date(2025, 6, 3)


def deadline(table):
    return awaited(load_match(table.match.id)).deadline


def all_on_vacation(days=7):
    for name in ("ann", "ben", "cleo"):
        on_vacation(player(name), TUESDAY, TUESDAY + (days - 1) * DAY)


def on_vacation(user, first_day, last_day):
    """Plan a vacation without limiting the number of days or how far ahead it can be."""
    Vacation.objects.create(user=user, first_day=first_day, last_day=last_day)
    vacations.note_change(user)


def test_a_deadline_moves_to_after_the_vacation():
    all_on_vacation(days=7)
    assert deadline(running_match(pace=Pace(DAY))) == MONDAY_NOON + 8 * DAY


def test_the_vacation_of_the_last_player_to_join_counts_too():
    on_vacation(player("ben"), TUESDAY, TUESDAY)
    deadlines = {
        sitting(seat).username: seat.deadline for seat in running_match("coloretto", 2).seats if seat.awaited_since
    }
    assert deadlines in ({"ben": MONDAY_NOON + 4 * DAY}, {"ann": MONDAY_NOON + 3 * DAY})


def test_several_vacations_all_count(hush):
    for first in (3, 5, 7):
        on_vacation(player("ann"), date(2025, 6, first), date(2025, 6, first))
    table = running_match("hush", pace=Pace(3 * DAY))
    own = next(seat for seat in table.seats if sitting(seat).username == "ann")
    assert own.deadline == MONDAY_NOON + 6 * DAY


def test_vacation_days_follow_the_players_time_zone(hush):
    on_vacation(player("ann", time_zone="Pacific/Auckland"), date(2025, 6, 3), date(2025, 6, 3))
    table = running_match("hush", pace=Pace(DAY), zone="Pacific/Auckland")
    own = next(seat for seat in table.seats if sitting(seat).username == "ann")
    midnight_after_it_in_auckland = datetime(2025, 6, 3, 12, tzinfo=UTC)
    assert own.deadline == midnight_after_it_in_auckland + DAY


def test_a_vacation_does_not_affect_other_players(hush):
    on_vacation(player("ann"), TUESDAY, TUESDAY)
    table = running_match("hush", pace=Pace(DAY))
    by_name = {sitting(seat).username: seat.deadline for seat in table.seats}
    assert by_name == {"ann": MONDAY_NOON + 2 * DAY, "ben": MONDAY_NOON + DAY, "cleo": MONDAY_NOON + DAY}


def test_planning_a_vacation_moves_running_deadlines(django_capture_on_commit_callbacks):
    table = running_match(pace=Pace(DAY))
    with django_capture_on_commit_callbacks(execute=True):
        vacations.plan(sitting(awaited(table)), TUESDAY, TUESDAY + 6 * DAY)
    assert deadline(table) == MONDAY_NOON + 8 * DAY


def test_a_vacation_that_begins_today_gives_the_whole_day(frozen_time, django_capture_on_commit_callbacks):
    table = running_match(pace=Pace(DAY))
    frozen_time.move_to(MONDAY_NOON + 18 * HOUR)
    with django_capture_on_commit_callbacks(execute=True):
        vacations.plan(sitting(awaited(table)), TUESDAY, TUESDAY)
    assert deadline(table) == MONDAY_NOON + 2 * DAY, "The hours since midnight don't count either."


def test_ending_a_vacation_early_moves_deadlines_back_to_the_next_day(frozen_time, django_capture_on_commit_callbacks):
    table = running_match(pace=Pace(DAY))
    user = sitting(awaited(table))
    with django_capture_on_commit_callbacks(execute=True):
        vacation = vacations.plan(user, TUESDAY, TUESDAY + 6 * DAY)
    frozen_time.shift(3 * DAY)
    with django_capture_on_commit_callbacks(execute=True):
        vacations.end(user, vacation.pk)
    assert deadline(table) == MONDAY_NOON + 4 * DAY


def test_coming_back_early_does_not_make_a_player_late(frozen_time, django_capture_on_commit_callbacks):
    table = running_match(pace=Pace(15 * HOUR))
    user = sitting(awaited(table))
    with django_capture_on_commit_callbacks(execute=True):
        vacation = vacations.plan(user, TUESDAY, TUESDAY + 6 * DAY)
    frozen_time.shift(3 * DAY)
    with django_capture_on_commit_callbacks(execute=True):
        vacations.end(user, vacation.pk)
    sweep()
    assert not Move.objects.exists()
    assert deadline(table) == datetime(2025, 6, 6, 3, tzinfo=UTC)


def test_weekends_shift_when_the_player_changes_time_zone(frozen_time, django_capture_on_commit_callbacks):
    frozen_time.move_to(datetime(2025, 6, 6, 20, tzinfo=UTC))
    table = running_match(pace=Pace(4 * HOUR, weekends_off=True))
    with django_capture_on_commit_callbacks(execute=True):
        profile.change(sitting(awaited(table)), time_zone="Pacific/Auckland")
    assert deadline(table) == datetime(2025, 6, 8, 16, tzinfo=UTC)


def test_changing_the_time_zone_does_not_make_a_player_late(frozen_time, django_capture_on_commit_callbacks):
    """Counting the past hours in the new time zone would use up more time."""
    for name in ("ann", "ben", "cleo"):
        on_vacation(player(name), TUESDAY, TUESDAY)
    table = running_match(pace=Pace(13 * HOUR))
    frozen_time.move_to(datetime(2025, 6, 3, 23, tzinfo=UTC))
    with django_capture_on_commit_callbacks(execute=True):
        profile.change(sitting(awaited(table)), time_zone="America/Los_Angeles")
    sweep()
    assert not Move.objects.exists()
    assert deadline(table) == datetime(2025, 6, 4, 8, tzinfo=UTC)


def test_nobody_times_out_or_is_reminded_on_vacation_even_if_the_deadline_was_not_moved(frozen_time):
    table = running_match(pace=Pace(30 * HOUR))
    all_on_vacation(days=7)
    frozen_time.shift(2 * DAY)
    sweep()
    assert not Move.objects.exists()
    assert not Notification.objects.filter(
        kind__in=[NotificationKind.REMINDER, NotificationKind.DEADLINE_PASSED]
    ).exists()
    assert deadline(table) == MONDAY_NOON + 7 * DAY + 30 * HOUR


def test_time_runs_out_only_after_the_vacation(frozen_time):
    all_on_vacation(days=7)
    table = running_match(pace=Pace(DAY))
    frozen_time.shift(8 * DAY - timedelta(seconds=1))
    sweep()
    assert not Move.objects.exists()
    frozen_time.shift(timedelta(seconds=1))
    sweep()
    assert load_match(table.match.id).match.moves_made > 0
