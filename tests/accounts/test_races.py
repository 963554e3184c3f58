"""Simultaneous changes to accounts do not interfere with each other."""

from datetime import date

import pytest
import time_machine

from accounts.links import confirmation_token
from accounts.models import Registration, User
from accounts.registration import Applicant, confirm_by_code, confirm_by_link, register
from clock import vacations
from clock.models import Vacation
from core.refusals import Refused
from tests.accounts.builders import PASSWORD, player
from tests.games.racing import all_at_once

pytestmark = pytest.mark.django_db(transaction=True)


def outcomes_of(calls):
    """Return the result of each call, or the error code if the call was refused."""
    return [result.code if isinstance(result, Refused) else result for result in all_at_once(calls)]


def link(username, email):
    made = register(Applicant(username, email, PASSWORD), "somewhere")
    return confirmation_token(Registration.objects.get(pk=made.pk))


def confirm(token):
    return confirm_by_link(token, PASSWORD, "somewhere")


def test_opening_a_link_many_times_at_once_creates_one_account():
    token = link("ann", "ann@example.org")
    users = outcomes_of([lambda: confirm(token)] * 6)
    assert len({user.pk for user in users}) == 1


def test_if_many_people_want_a_name_at_once_only_one_gets_it():
    tokens = [link("ann", f"ann{number}@example.org") for number in range(6)]
    outcomes = outcomes_of([lambda token=token: confirm(token).username for token in tokens])
    assert sorted(outcomes) == ["ann"] + ["username_taken"] * 5


def test_only_one_of_many_registrations_with_the_same_address_becomes_an_account():
    tokens = [link(f"ann{number}", "ann@example.org") for number in range(6)]
    outcomes = outcomes_of([lambda token=token: confirm(token).email for token in tokens])
    assert sorted(outcomes) == ["address_taken"] * 5 + ["ann@example.org"]
    assert User.objects.count() == 1


def test_wrong_codes_sent_at_once_cannot_exceed_the_limit():
    made = register(Applicant("ann", "ann@example.org", PASSWORD), "somewhere")
    outcomes = outcomes_of([lambda: confirm_by_code(made.pk, "wrong", "somewhere")] * 12)
    assert sorted(outcomes) == ["no_such_registration"] * 7 + ["wrong_code"] * 5


@time_machine.travel("2026-11-16T12:00:00Z", tick=False)
def test_vacation_days_cannot_be_used_twice():
    ann = player("ann")
    months = [(date(2027, month, 1), date(2027, month, 20)) for month in (1, 2, 3)]
    outcomes = outcomes_of([lambda days=days: vacations.plan(ann, *days) and "planned" for days in months])
    assert sorted(outcomes) == ["no_days_left", "no_days_left", "planned"]
    assert Vacation.objects.count() == 1
