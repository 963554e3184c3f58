"""Listeners run in the same transaction as the announcement."""

from dataclasses import dataclass

import pytest
from django.db import transaction
from django.utils import timezone

from core.announcements import announce, listens_to
from core.models import RateCount


@dataclass(frozen=True)
class Happened:
    what: str


@pytest.fixture
def kind():
    class Kind(Happened):
        pass

    return Kind


def test_listeners_are_called_in_the_order_of_registration(kind):
    heard = []
    listens_to(kind)(lambda said: heard.append(("first", said.what)))
    listens_to(kind)(lambda said: heard.append(("second", said.what)))
    announce(kind("a move"))
    assert heard == [("first", "a move"), ("second", "a move")]


def test_listeners_for_other_announcements_are_not_called(kind):
    heard: list[Happened] = []
    listens_to(Happened)(heard.append)
    announce(kind("a move"))
    announce(object())
    assert heard == []


def test_a_registered_listener_is_still_a_plain_function(kind):
    @listens_to(kind)
    def note(said):
        return said.what

    assert note(kind("a move")) == "a move"


@pytest.mark.django_db
def test_a_failing_listener_rolls_everything_back(kind):
    def write(said):
        RateCount.objects.create(key=said.what, count=1, until=timezone.now())

    def fail(_):
        raise ZeroDivisionError

    listens_to(kind)(write)
    listens_to(kind)(fail)
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        announce(kind("a move"))
    assert not RateCount.objects.exists()
