from datetime import UTC, datetime, timedelta

import pytest

from games.models import Seat
from games.models.pace import Pace
from games.selectors.loading import load_match
from tests.games.builders import awaited, play_some, running_match, say

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen_time")]

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
MONDAY_NOON = datetime(2025, 6, 2, 12, tzinfo=UTC)


def again(table):
    return load_match(table.match.id)


def test_only_seats_that_have_to_move_have_a_deadline():
    table = running_match(pace=Pace(3 * DAY))
    assert [seat.deadline for seat in table.seats if seat.awaited_since] == [MONDAY_NOON + 3 * DAY]
    assert [seat.deadline for seat in table.seats if not seat.awaited_since] == [None, None]


def test_every_seat_in_a_sealed_round_has_a_deadline_until_it_moves(hush):
    table = running_match("hush", pace=Pace(DAY))
    say(table, 1, "name 2")
    assert [seat.deadline for seat in again(table).seats] == [MONDAY_NOON + DAY, None, MONDAY_NOON + DAY]


def test_the_bank_is_added_to_the_move_time():
    table = running_match(pace=Pace(DAY, bank=2 * DAY))
    assert awaited(table).deadline == MONDAY_NOON + 3 * DAY


def test_a_move_within_the_move_time_leaves_the_bank_unchanged(frozen_time):
    table = running_match(pace=Pace(DAY, bank=2 * DAY))
    frozen_time.shift(23 * HOUR)
    play_some(table, 1)
    assert {seat.bank for seat in again(table).seats} == {2 * DAY}


def test_time_beyond_the_move_time_is_taken_from_the_bank(frozen_time):
    table = running_match(pace=Pace(DAY, bank=2 * DAY))
    mover = awaited(table)
    frozen_time.shift(30 * HOUR)
    say(table, mover.number, "draw")
    mover = again(table).seats[mover.number]
    assert mover.bank == 42 * HOUR
    assert mover.deadline == MONDAY_NOON + 30 * HOUR + DAY + 42 * HOUR


def test_no_deadline_is_left_when_the_match_is_over():
    play_some(running_match())
    assert not Seat.objects.filter(deadline__isnull=False).exists()
    assert not Seat.objects.filter(wake_at__isnull=False).exists()


def test_withdrawing_a_sealed_move_gives_no_extra_time(hush, frozen_time):
    table = running_match("hush", pace=Pace(DAY))
    frozen_time.shift(6 * HOUR)
    say(table, 0, "name 2")
    frozen_time.shift(5 * HOUR)
    say(table, 0, "withdraw")
    seat = again(table).seats[0]
    assert seat.deadline == MONDAY_NOON + 11 * HOUR + 18 * HOUR


def test_the_next_round_gives_everyone_new_time(hush, frozen_time):
    table = running_match("hush", pace=Pace(DAY))
    frozen_time.shift(6 * HOUR)
    for seat in range(3):
        say(table, seat, "name 2")
    assert {seat.deadline for seat in again(table).seats} == {MONDAY_NOON + 6 * HOUR + DAY}


def test_weekends_do_not_count_in_a_match_with_weekends_off(frozen_time):
    frozen_time.move_to(datetime(2025, 6, 6, 12, tzinfo=UTC))
    table = running_match(pace=Pace(DAY, weekends_off=True))
    assert awaited(table).deadline == datetime(2025, 6, 9, 12, tzinfo=UTC)


def test_a_day_has_24_hours_even_when_the_players_clock_is_set_forward(frozen_time):
    frozen_time.move_to(datetime(2025, 3, 29, 20, tzinfo=UTC))
    table = running_match(pace=Pace(DAY), zone="Europe/Berlin")
    assert awaited(table).deadline == datetime(2025, 3, 30, 20, tzinfo=UTC)


def test_the_weekend_when_clocks_change_ends_at_midnight_in_the_players_time_zone(frozen_time):
    frozen_time.move_to(datetime(2025, 3, 28, 12, tzinfo=UTC))
    table = running_match(pace=Pace(DAY, weekends_off=True), zone="Europe/Berlin")
    counted_on_friday, monday_midnight = 11 * HOUR, datetime(2025, 3, 30, 22, tzinfo=UTC)
    assert awaited(table).deadline == monday_midnight + DAY - counted_on_friday
