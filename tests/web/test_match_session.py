"""The session that starts with the link in an email is good for one match, and for nothing that needs the account."""

import re
from datetime import timedelta

import pytest
from django.db import transaction
from django.test import Client
from django.utils import timezone

from accounts import browser_sessions
from accounts.models import BrowserSession
from games.models import Move, Seat
from games.services import chat, orders, trials
from notifications import match_links
from notifications.move_links import move_link
from tests.acceptance.security.endpoints import PAGE_NAMES, pages
from tests.games.builders import awaited, play_some, player, running_match, sitting

pytestmark = pytest.mark.django_db

MATCH_PAGES = [page for page in pages() if "{match_id}" in page]


def entered(table, user):
    """Return a browser in which this user has opened the link in an email about the match."""
    client = Client()
    seat = Seat.objects.get(match=table.match, user=user)
    client.post(match_links.entering_link(seat, user.email).removeprefix("http://localhost:8000"))
    return client


def logged_in(client, user):
    client.cookies["session"] = browser_sessions.start(user, "test")[1]
    return client


def address(page, table):
    return page.format(**PAGE_NAMES | {"match_id": table.match.id})


ENOUGH = {"choose", "move", "messages", "messages/{number}/report", "proposals", "proposals/{number}/vote"}
ENOUGH |= {
    "proposals/{number}/answer",
    "back",
    "mute",
    "salt",
    "review",
    "play/{token}",
    "enter/{token}",
    "leave-session",
}
"""The forms of a match that work in a session for this match. All others need the account."""


def is_sent_to_login(answer):
    return answer.status_code == 302 and answer["Location"].startswith("/log-in?")


def test_no_page_names_another_match_of_the_player():
    table, other = running_match(is_private=True), running_match(is_private=True, title="Secret society")
    Seat.objects.filter(match=table.match).update(awaited_since=None)
    Seat.objects.filter(match=other.match).update(awaited_since=timezone.now())
    ann = player("ann")
    for finished in (False, True):
        client = entered(table, ann)
        for page in MATCH_PAGES:
            said = client.get(address(page, table)).content.decode()
            assert other.match.id not in said, (page, finished)
            assert "Secret society" not in said, (page, finished)
        table = play_some(running_match(is_private=True, seats=2))


def test_control_a_player_who_is_logged_in_is_led_to_the_next_match():
    table, other = running_match(seats=2), running_match(seats=2)
    Seat.objects.filter(match=table.match).update(awaited_since=None)
    user = sitting(awaited(other))
    page = logged_in(Client(), user).get(f"/matches/{table.match.id}").content.decode()
    assert f'href="/matches/{other.match.id}">Next match' in page


def test_nobody_is_led_to_the_matches_of_another_person_who_is_logged_in():
    table, other = running_match(seats=2), running_match(seats=2, is_private=True)
    Seat.objects.filter(match=table.match).update(awaited_since=None)
    user = sitting(awaited(other))
    somebody_else = next(sitting(seat) for seat in table.seats if seat.user != user)
    client = logged_in(Client(), somebody_else)
    seat = Seat.objects.get(match=table.match, user=user)
    client.post(match_links.entering_link(seat, user.email).removeprefix("http://localhost:8000"))
    assert other.match.id not in client.get(f"/matches/{table.match.id}").content.decode()


def test_a_session_for_one_match_is_enough_to_play_and_to_talk():
    """A new form has to be added to ENOUGH, or it has to need a login."""
    table = running_match(is_private=True)
    user = sitting(awaited(table))
    forms = set()
    for page in MATCH_PAGES:
        with transaction.atomic():
            answer = entered(table, user).post(address(page, table))
            transaction.set_rollback(True)
        if answer.status_code != 405 and not is_sent_to_login(answer):
            forms.add(page.removeprefix("/matches/{match_id}/"))
    assert forms == ENOUGH


def test_irreversible_actions_and_private_content_need_a_login():
    table = running_match(is_private=True)
    user = sitting(awaited(table))
    chat.write_note(table.match.id, user, "Ben always bluffs")
    orders.replace_orders(table.match.id, user, ["take any worth 9"])
    path = f"/matches/{table.match.id}"
    with_a_link = entered(table, user)
    page = with_a_link.get(path).content.decode()
    assert "Ben always bluffs" not in page
    assert "worth 9" not in page
    assert 'action="/matches/' in page
    assert not re.search('action="[^"]*/(resign|abandon|note|orders)"', page)
    assert "Log in to see your notes and standing orders" in page
    assert is_sent_to_login(with_a_link.get(f"{path}/export.json"))
    for action in ("resign", "abandon", "note", "orders"):
        assert is_sent_to_login(with_a_link.post(f"{path}/{action}", {"agree": "yes", "text": "x", "orders": ""}))
    seat = Seat.objects.get(match=table.match, user=user)
    assert (seat.resigned_at, seat.wants_to_abandon) == (None, False)

    whole = logged_in(Client(), user)
    page = whole.get(path).content.decode()
    assert "Ben always bluffs" in page
    assert "worth 9" in page
    assert b"Ben always bluffs" not in whole.get(f"{path}/export.json").content
    assert whole.post(f"{path}/resign").status_code == 303


def test_a_player_cannot_resign_the_seat_of_another_person_who_is_logged_in():
    """The page shows the seat of the person who came last, so its buttons act for them or for nobody."""
    table = running_match()
    ann, ben = player("ann"), player("ben")
    client = entered(table, ben)
    client.cookies["session"] = browser_sessions.start(ann, "test")[1]
    BrowserSession.objects.filter(user=ann).update(created_at=timezone.now() - timedelta(days=1))
    assert is_sent_to_login(client.post(f"/matches/{table.match.id}/resign"))
    assert not Seat.objects.filter(resigned_at__isnull=False).exists()


def test_a_guest_has_no_account_and_may_do_everything_in_the_match():
    guest, loaded = trials.start("coloretto", "192.0.2.1")
    client = Client()
    client.cookies["seat"] = browser_sessions.start(guest, "test", loaded.match.id)[1]
    page = client.get(f"/matches/{loaded.match.id}").content.decode()
    assert "Log in to see" not in page
    assert client.post(f"/matches/{loaded.match.id}/resign").status_code == 303


def test_the_page_of_a_move_link_hands_out_no_link_that_lasts_longer():
    table = running_match()
    seat = awaited(table)
    path = move_link(seat, sitting(seat).email, table.match.turn, "draw").removeprefix("http://localhost:8000")
    stale = move_link(seat, sitting(seat).email, 0, "draw").removeprefix("http://localhost:8000")
    for link in (path, stale):
        assert "/enter/" not in Client().get(link).content.decode()


@pytest.mark.parametrize("turn", [0, 1])
def test_a_move_link_opens_the_match_without_playing_the_move(turn):
    table = running_match(is_private=True)
    seat, client = awaited(table), Client()
    path = move_link(seat, sitting(seat).email, turn, "draw").removeprefix("http://localhost:8000")
    answer = client.post(path, {"open": "1"})
    assert answer.status_code == 303
    assert "playing as" in client.get(answer["Location"]).content.decode()
    assert not Move.objects.exists()
    client.post(path, {"open": "1"})
    assert BrowserSession.objects.count() == 1
