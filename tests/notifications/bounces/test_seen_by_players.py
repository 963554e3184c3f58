"""The other players in a match see that somebody's emails are bouncing. Nobody else does."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts import browser_sessions
from games.models import Match, Phase
from notifications.models import BouncingAddress
from tests.games.api.clients import Caller
from tests.games.builders import awaited, player, running_match, sitting

pytestmark = pytest.mark.django_db


@pytest.fixture
def table():
    return running_match(seats=3)


@pytest.fixture
def unreached(table):
    return sitting(awaited(table))


@pytest.fixture
def other(table):
    return next(seat.user for seat in table.seats if not seat.awaited_since)


def bounce(user, **bouncing_address):
    BouncingAddress.objects.create(email=user.email, why="550 No such user", **bouncing_address)


def read(user, table):
    return Caller(user).get(f"/matches/{table.match.id}")


def page(user, table, path=""):
    client = Client()
    if user:
        client.cookies["session"] = browser_sessions.start(user, "test")[1]
    return client.get(f"/matches/{table.match.id}{path}")


def test_other_players_see_that_emails_bounce_but_not_the_address_or_the_reason(table, unreached, other):
    before = read(other, table)
    bounce(unreached, is_stopped=True)
    after = read(other, table)
    assert (before.json()["bouncing"], after.json()["bouncing"]) == ([], [unreached.username])
    assert before["ETag"] != after["ETag"]
    shown = after.content + page(other, table).content
    assert f"Emails to {unreached.name} are bouncing." in shown.decode()
    assert unreached.email.encode() not in shown
    assert b"No such user" not in shown


def test_strangers_and_the_player_see_no_difference(table, unreached):
    readers = [unreached, player("stranger"), None]
    before = [(read(reader, table).content, page(reader, table, "/live").content) for reader in readers]
    bounce(unreached, is_stopped=True)
    assert before == [(read(reader, table).content, page(reader, table, "/live").content) for reader in readers]
    assert not any("are bouncing" in page(reader, table).content.decode() for reader in readers)


def test_bounces_are_shown_until_emails_arrive_again_or_the_match_ends(table, unreached, other):
    bounce(unreached, quiet_until=timezone.now() + timedelta(hours=1))
    assert read(other, table).json()["bouncing"] == [unreached.username]
    Match.objects.update(phase=Phase.FINISHED)
    assert read(other, table).json()["bouncing"] == []
    Match.objects.update(phase=Phase.RUNNING)
    BouncingAddress.objects.update(quiet_until=timezone.now())
    assert read(other, table).json()["bouncing"] == []


def test_an_open_page_is_refreshed_when_emails_start_to_bounce(table, unreached, other):
    known = page(other, table, "/live")["ETag"]
    assert page(other, table, "/live")["ETag"] == known
    bounce(unreached, is_stopped=True)
    assert page(other, table, "/live")["ETag"] != known


def test_checking_for_bounces_takes_one_indexed_read(table, other):
    def queries(user):
        with CaptureQueriesContext(connection) as made:
            read(user, table)
        return sum("bouncingaddress" in query["sql"] for query in made)

    assert (queries(other), queries(None)) == (1, 0)
