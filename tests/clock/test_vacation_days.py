from datetime import date
from functools import partial

import pytest
import time_machine

from clock import vacations
from clock.models import Vacation
from tests.accounts.builders import player
from tests.games.racing import all_at_once

pytestmark = pytest.mark.django_db

HERE = "/api/v1/me/vacations"


@pytest.fixture(autouse=True)
def noon():
    with time_machine.travel("2026-11-16T12:00:00Z", tick=False) as clock:
        yield clock


def go(client, first_day, last_day):
    return client.post(HERE, {"first_day": first_day, "last_day": last_day})


def test_vacations_are_listed_newest_first(api):
    client = api(player("ann"))
    assert go(client, "2026-12-01", "2026-12-05").status_code == 201
    go(client, "2027-02-01", "2027-02-01")
    listed = client.get(HERE).json()["results"]
    assert [(one["first_day"], one["last_day"]) for one in listed] == [
        ("2027-02-01", "2027-02-01"),
        ("2026-12-01", "2026-12-05"),
    ]


@pytest.mark.parametrize(
    ("first_day", "last_day", "code"),
    [
        ("2026-11-15", "2026-11-20", "in_the_past"),
        ("2026-12-02", "2026-12-01", "ends_before_start"),
        ("2027-11-10", "2027-11-18", "too_far_ahead"),
        ("2026-12-05", "2026-12-06", "vacations_overlap"),
        ("2026-11-30", "2026-12-09", "vacations_overlap"),
        ("2027-01-01", "2027-01-31", "no_days_left"),
        ("0001-01-01", "9999-12-31", "in_the_past"),
        ("2026-12-31", "9999-12-31", "too_far_ahead"),
        ("someday", "2026-12-01", "invalid"),
    ],
)
def test_an_invalid_vacation_is_refused(api, first_day, last_day, code):
    client = api(player("ann"))
    go(client, "2026-12-01", "2026-12-05")
    assert go(client, first_day, last_day).json()["code"] == code
    assert Vacation.objects.count() == 1


def test_the_error_for_an_invalid_date_shows_an_example(api):
    refused = api(player("ann")).post(HERE, {"first_day": "Christmas", "last_day": "2026-12-31"})
    assert refused.json()["data"]["fields"] == {"first_day": ["Enter a date like 2026-12-24."]}


def test_players_have_30_vacation_days_in_each_year(api):
    ann = player("ann")
    client = api(ann)
    assert go(client, "2026-12-22", "2027-01-15").status_code == 201
    assert (vacations.days_left(ann, 2026), vacations.days_left(ann, 2027)) == (20, 15)
    refused = go(client, "2027-03-01", "2027-03-16")
    assert refused.json()["data"] == {"year": 2027, "days_left": 15}
    assert go(client, "2027-03-01", "2027-03-15").status_code == 201


def test_todays_date_depends_on_the_players_time_zone(api):
    client = api(player("ann", time_zone="Pacific/Kiritimati"))
    assert go(client, "2026-11-16", "2026-11-17").json()["code"] == "in_the_past"
    assert go(client, "2026-11-17", "2026-11-17").status_code == 201


def test_a_future_vacation_can_be_canceled(api):
    ann = player("ann")
    client = api(ann)
    made = go(client, "2026-11-17", "2026-11-20").json()
    assert client.delete(f"{HERE}/{made['id']}").status_code == 204
    assert vacations.days_left(ann, 2026) == 30


def test_ending_a_current_vacation_today_does_not_give_its_used_days_back(api, noon):
    ann = player("ann")
    client = api(ann)
    made = go(client, "2026-11-17", "2026-11-25").json()
    noon.shift(3 * 86400)
    assert client.delete(f"{HERE}/{made['id']}").status_code == 204
    assert Vacation.objects.get().last_day == date(2026, 11, 19)
    assert vacations.days_left(ann, 2026) == 27


def test_a_vacation_that_began_today_still_includes_today(api):
    ann = player("ann")
    client = api(ann)
    made = go(client, "2026-11-16", "2026-11-20").json()
    assert client.delete(f"{HERE}/{made['id']}").status_code == 204
    assert Vacation.objects.get().last_day == date(2026, 11, 16)
    assert vacations.days_left(ann, 2026) == 29


def test_a_past_vacation_cannot_be_changed(api, noon):
    client = api(player("ann"))
    made = go(client, "2026-11-17", "2026-11-18").json()
    noon.shift(3 * 86400)
    assert client.delete(f"{HERE}/{made['id']}").json()["code"] == "vacation_over"


def test_other_users_vacations_are_not_visible(api):
    made = go(api(player("ben")), "2026-11-17", "2026-11-18").json()
    client = api(player("ann"))
    assert client.delete(f"{HERE}/{made['id']}").status_code == 404
    assert client.get(HERE).json()["results"] == []


@pytest.mark.parametrize("number", ["0", "9" * 18, "9" * 30, "x", "-1"])
def test_an_unknown_vacation_is_not_found(api, number):
    assert api(player("ann")).delete(f"{HERE}/{number}").status_code == 404


def test_the_last_vacation_day_is_stored_on_the_user():
    ann = player("ann")
    near = vacations.plan(ann, date(2026, 11, 20), date(2026, 11, 21))
    far = vacations.plan(ann, date(2026, 12, 8), date(2026, 12, 10))
    assert last_vacation_day(ann) == date(2026, 12, 10)
    vacations.end(ann, far.pk)
    assert last_vacation_day(ann) == date(2026, 11, 21)
    vacations.end(ann, near.pk)
    assert last_vacation_day(ann) is None


def last_vacation_day(user):
    return type(user).objects.get(pk=user.pk).last_vacation_day


@pytest.mark.django_db(transaction=True)
def test_a_vacation_planned_while_another_ends_is_not_missed():
    ann = player("ann")
    for _ in range(5):
        Vacation.objects.all().delete()
        old = vacations.plan(ann, date(2026, 11, 20), date(2026, 11, 21))
        planning = partial(vacations.plan, ann, date(2026, 12, 8), date(2026, 12, 10))
        all_at_once([planning, partial(vacations.end, ann, old.pk)])
        assert last_vacation_day(ann) == date(2026, 12, 10)
