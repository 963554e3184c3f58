from datetime import UTC, date, datetime, timedelta
from itertools import islice, pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clock.calendar import Calendar

BERLIN, NEW_YORK, APIA = ZoneInfo("Europe/Berlin"), ZoneInfo("America/New_York"), ZoneInfo("Pacific/Apia")
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def at(text: str, zone=UTC) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=zone)


def test_without_rests_all_time_counts():
    assert Calendar().after(at("2025-03-28 12:00"), 3 * DAY) == at("2025-03-31 12:00")
    assert Calendar().between(at("2025-03-28 12:00"), at("2025-03-31 12:00")) == 3 * DAY


def test_a_day_has_24_hours_even_when_daylight_saving_time_begins_or_ends():
    due = Calendar(zone=BERLIN).after(at("2025-03-29 12:00", BERLIN), DAY)
    assert due.astimezone(BERLIN).isoformat() == "2025-03-30T13:00:00+02:00"


def test_a_weekend_does_not_count():
    friday_noon = at("2025-06-06 12:00", BERLIN)
    assert Calendar(BERLIN, weekends_off=True).after(friday_noon, DAY) == at("2025-06-09 12:00", BERLIN)


def test_weekends_follow_the_players_time_zone():
    start = at("2025-06-06 21:00")
    assert Calendar(BERLIN, weekends_off=True).after(start, 2 * HOUR) == at("2025-06-09 01:00", BERLIN)
    assert Calendar(NEW_YORK, weekends_off=True).after(start, 2 * HOUR) == at("2025-06-06 19:00", NEW_YORK)


def test_the_weekend_when_daylight_saving_time_begins_is_an_hour_shorter():
    calendar = Calendar(BERLIN, weekends_off=True)
    begin, end = next(calendar.rests(at("2025-03-27 12:00")))
    assert end - begin == 2 * DAY - HOUR
    assert calendar.after(at("2025-03-28 23:00", BERLIN), 2 * HOUR) == at("2025-03-31 01:00", BERLIN)


def test_in_a_zone_that_skipped_a_friday_the_weekend_follows_thursday():
    calendar = Calendar(APIA, weekends_off=True)
    assert calendar.after(at("2011-12-29 23:00", APIA), 2 * HOUR) == at("2012-01-02 01:00", APIA)


def test_time_can_run_out_exactly_when_the_weekend_begins():
    assert Calendar(weekends_off=True).after(at("2025-06-06 12:00"), 12 * HOUR) == at("2025-06-07 00:00")


def test_time_that_starts_on_a_weekend_is_counted_from_monday():
    assert Calendar(weekends_off=True).after(at("2025-06-07 15:00"), HOUR) == at("2025-06-09 01:00")
    assert Calendar(weekends_off=True).after(at("2025-06-07 15:00"), 0 * HOUR) == at("2025-06-09 00:00")


def test_the_last_day_of_a_vacation_is_still_a_day_off():
    calendar = Calendar(BERLIN, vacations=((date(2025, 8, 1), date(2025, 8, 10)),))
    assert calendar.after(at("2025-07-31 23:00", BERLIN), 2 * HOUR) == at("2025-08-11 01:00", BERLIN)


def test_a_vacation_that_ends_on_a_friday_is_followed_by_the_weekend():
    calendar = Calendar(weekends_off=True, vacations=((date(2025, 6, 2), date(2025, 6, 6)),))
    assert calendar.after(at("2025-06-03 10:00"), HOUR) == at("2025-06-09 01:00")


def test_pauses_that_overlap_count_once():
    pauses = ((at("2025-06-02 10:00"), at("2025-06-02 14:00")), (at("2025-06-02 12:00"), at("2025-06-02 18:00")))
    assert Calendar(pauses=pauses).between(at("2025-06-02 08:00"), at("2025-06-02 20:00")) == 4 * HOUR


ZONES = st.sampled_from([UTC, BERLIN, NEW_YORK, ZoneInfo("Africa/Cairo"), ZoneInfo("Asia/Kathmandu"), APIA])
MOMENTS = st.integers(0, 4 * 365 * 24 * 60).map(lambda minutes: at("2023-01-01 00:00") + timedelta(minutes=minutes))
TIMES = st.timedeltas(timedelta(), 40 * DAY)


@st.composite
def calendars(draw) -> Calendar:
    days = st.dates(date(2023, 1, 1), date(2027, 1, 1))
    vacations = draw(st.lists(st.tuples(days, st.integers(0, 30)), max_size=6))
    pauses = draw(st.lists(st.tuples(MOMENTS, TIMES), max_size=3))
    return Calendar(
        zone=draw(ZONES),
        weekends_off=draw(st.booleans()),
        vacations=tuple((first, first + length * DAY) for first, length in vacations),
        pauses=tuple((begin, begin + length) for begin, length in pauses),
    )


@given(calendars(), MOMENTS, TIMES)
def test_a_clock_that_has_run_out_has_counted_exactly_the_time_it_was_given(calendar, start, counted):
    assert calendar.between(start, calendar.after(start, counted)) == counted


@given(calendars(), MOMENTS, TIMES, TIMES)
def test_counting_from_any_moment_leads_to_the_same_end(calendar, start, first, second):
    halfway = calendar.after(start, first)
    assert calendar.after(start, first + second) == calendar.after(halfway, second)


@given(calendars(), MOMENTS, TIMES)
def test_time_never_runs_out_during_a_rest(calendar, start, counted):
    end = calendar.after(start, counted)
    assert end >= start + counted
    assert not any(begin < end < rest_end for begin, rest_end in islice(calendar.rests(start), 100))


@given(calendars(), MOMENTS)
def test_rests_are_in_order_and_never_overlap_or_touch(calendar, since):
    rests = list(islice(calendar.rests(since), 20))
    assert all(begin < end for begin, end in rests)
    assert all(before[1] < after[0] for before, after in pairwise(rests))


@given(calendars(), MOMENTS, st.integers(0, 400))
def test_the_result_agrees_with_counting_hour_by_hour(calendar, start, hours):
    start = start.replace(minute=0, second=0, microsecond=0)
    moments = [start + hour * HOUR for hour in range(hours)]
    counted = sum((calendar.between(moment, moment + HOUR) for moment in moments), timedelta())
    assert calendar.between(start, start + hours * HOUR) == counted


@pytest.mark.parametrize("zone", [BERLIN, NEW_YORK])
def test_the_end_does_not_depend_on_the_time_zone_in_which_the_start_is_given(zone):
    calendar = Calendar(BERLIN, weekends_off=True)
    start = at("2025-03-29 20:00")
    assert calendar.after(start, DAY) == calendar.after(start.astimezone(zone), DAY)
