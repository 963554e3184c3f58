from datetime import timedelta

import pytest

from cli.days import today
from tests.cli.shapes import check

pytestmark = pytest.mark.django_db(transaction=True)


def test_vacations_can_be_added_and_listed_and_canceled(machine_of):
    ann = machine_of("ann")
    assert "No vacations." in ann.ok("vacation")
    first, last = (today() + timedelta(days=days) for days in (1, 5))
    taken = ann.json("vacation", first.isoformat(), last.isoformat())["vacations"]
    check("vacation", {"vacations": taken})
    assert f"{first} to {last}" in ann.ok("vacation")
    assert ann.json("vacation", "--end", str(taken[0]["id"]))["vacations"] == []


def test_vacation_dates_can_be_relative(machine_of):
    (taken,) = machine_of("ann").json("vacation", "tomorrow", "+6")["vacations"]
    assert taken["first_day"] == (today() + timedelta(days=1)).isoformat()
    assert taken["last_day"] == (today() + timedelta(days=7)).isoformat()
    assert machine_of("ann").run("vacation", "someday").exit_code == 2
    assert machine_of("ann").run("vacation", "tomorrow..someday").exit_code == 2


def test_a_vacation_can_be_a_single_day(machine_of):
    ann, tomorrow = machine_of("ann"), (today() + timedelta(days=1)).isoformat()
    (taken,) = ann.json("vacation", "tomorrow", "tomorrow")["vacations"]
    assert (taken["first_day"], taken["last_day"]) == (tomorrow, tomorrow)
    done = machine_of("ben").run("vacation", "tomorrow", "today")
    assert done.exit_code == 3
    assert "The last day is before the first." in done.stderr


def test_a_vacation_can_be_written_as_in_an_email_reply(machine_of):
    first = today() + timedelta(days=30)
    (taken,) = machine_of("ann").json("vacation", f"{first}..{first + timedelta(days=2)}")["vacations"]
    assert (taken["first_day"], taken["last_day"]) == (str(first), str(first + timedelta(days=2)))


def test_vacations_have_only_one_command(machine):
    assert "vacation" in machine.ok("--help")
    assert machine.run("notify", "vacation").exit_code == 2
