"""Logging in, logging out, and entering one match through the link in an email."""

import re

import pytest

from notifications import match_links
from tests.games.builders import awaited, player, running_match, sitting
from tests.web.browser.windows import DESKTOP, PHONE, look

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.any_database]


@pytest.mark.parametrize("scripts", [True, False])
def test_a_player_logs_in_and_out(visit, scripts):
    player("ann")
    ann = visit(width=PHONE, scripts=scripts)
    ann.go("/log-in?next=/matches/open")
    ann.fill(login="ann", password="wrong")
    ann.press("Log in")
    assert "Wrong username, email address or password." in ann.page.inner_text("[role=alert]")
    ann.fill(password="correct horse")
    ann.press("Log in")
    assert ann.path == "/matches/open"
    ann.press("Log out")
    assert ann.path == "/"
    assert ann.page.get_by_role("link", name="Log in").first.is_visible()


@pytest.mark.parametrize("scripts", [True, False])
def test_the_link_in_an_email_lets_its_recipient_into_that_match_only(visit, scripts):
    table = running_match(is_private=True)
    seat = awaited(table)
    window = visit(width=PHONE, scripts=scripts)
    window.go(match_links.entering_link(seat, sitting(seat).email).removeprefix("http://localhost:8000"))
    assert sitting(seat).name in window.page.inner_text("main")
    window.page.get_by_role("button", name=re.compile("^Play as")).click()
    assert window.path == f"/matches/{table.match.id}"
    assert [cookie["path"] for cookie in window.context.cookies() if cookie["name"] == "seat"] == [window.path]
    window.go("/settings/")
    assert window.path.startswith("/log-in")


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [PHONE, DESKTOP])
def test_the_login_page_is_accessible(visit, width, dark):
    window = visit(width=width, dark=dark)
    window.go("/log-in")
    look(window)
