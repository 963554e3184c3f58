"""The list of a player's matches says who has to move in each match, and by when."""

import re

import pytest
from django.test import Client

from accounts import browser_sessions
from tests.games.builders import awaited, running_match, sitting

pytestmark = pytest.mark.django_db


def my_matches(user):
    client = Client()
    client.cookies["session"] = browser_sessions.start(user, "test")[1]
    return " ".join(client.get("/matches/").content.decode().split())


def test_a_match_that_waits_for_someone_else_shows_their_name_and_deadline():
    table = running_match()
    to_move = awaited(table)
    other = next(seat for seat in table.seats if seat is not to_move)
    page = my_matches(sitting(other))
    assert re.search(rf"Waiting for {to_move.player_name}\. The deadline is in \d+ (hours|days?)\.", page)


def test_a_match_that_waits_for_the_reader_shows_their_own_deadline():
    page = my_matches(sitting(awaited(running_match())))
    assert re.search(r"It’s your turn\.</strong> You have \d+ (hours|days?) left, until ", page)
