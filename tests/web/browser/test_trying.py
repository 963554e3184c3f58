"""Trying a match without an account, and what a session for one match allows."""

import pytest
import time_machine
from django.utils import timezone

from accounts import browser_sessions
from accounts.models import BrowserSession, User
from games.models import Match
from games.services import bot_moves
from notifications import match_links
from tests.games.builders import awaited, player, running_match, sitting
from tests.web.browser.windows import PHONE, draw_a_card

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.any_database]


@pytest.mark.parametrize("scripts", [True, False])
def test_a_stranger_can_try_a_match_and_make_a_move(visit, scripts):
    window = visit(width=PHONE, scripts=scripts)
    window.go("/")
    window.press("Try Coloretto")
    match = Match.objects.get()
    assert window.path == f"/matches/{match.id}"
    bot_moves.play_due()
    window.page.reload()
    window.page.get_by_text("It's your turn.").first.wait_for()
    draw_a_card(window, match.id)


def test_opening_a_link_starts_no_session(visit):
    seat = awaited(running_match(is_private=True))
    window = visit()
    window.go(match_links.entering_link(seat, sitting(seat).email).removeprefix("http://localhost:8000"))
    assert not BrowserSession.objects.exists()


def test_an_expired_link_offers_to_send_a_new_one(visit, mailoutbox):
    seat = awaited(running_match(is_private=True))
    with time_machine.travel(timezone.now() - match_links.GOOD_FOR * 1.1):
        old = match_links.entering_link(seat, sitting(seat).email)
    window = visit()
    window.go(old.removeprefix("http://localhost:8000"))
    window.press("Email me a new link")
    window.page.get_by_text("We emailed you a new link.").wait_for()
    assert sitting(seat).notifications.filter(kind="match_link").count() == 1
    assert not BrowserSession.objects.exists()


def test_a_form_sent_after_the_session_has_ended_leads_to_the_login_page_and_back(visit):
    window = visit(player("ann"))
    window.go("/settings/vacations")
    BrowserSession.objects.all().delete()
    window.fill(first_day="2030-01-01", last_day="2030-01-02")
    window.press("Plan")
    assert window.path == "/log-in?next=%2Fsettings%2Fvacations"
    window.fill(login="ann", password="correct horse")
    window.press("Log in")
    assert window.path == "/settings/vacations"


def test_if_two_people_share_a_browser_the_last_to_open_a_link_plays(visit):
    table = running_match(is_private=True)
    first, second = sitting(table.seats[0]), sitting(table.seats[1])
    window = visit(first)
    window.enter(second, table.match.id)
    window.go(f"/matches/{table.match.id}")
    assert browser_sessions.of_user(second).count() == 1
    assert window.page.get_by_role("button", name="Log out").is_visible()
    assert User.objects.filter(is_guest=True).count() == 0
