"""People can log in, log out, and enter a match through the link in an email."""

import re

import pytest

from games.services import lobby
from notifications import match_links
from notifications.mail.sender import deliver_due
from tests.games.builders import awaited, plan, player, running_match, sitting
from tests.web.browser.windows import PHONE

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
def test_somebody_who_registers_to_join_a_match_gets_back_to_it(visit, mailoutbox, scripts):
    match = lobby.create(player("ann"), plan()).match
    window = visit(width=PHONE, scripts=scripts)
    window.go(f"/matches/{match.id}")
    window.page.get_by_role("link", name="Register").last.click()
    window.fill(username="dora", email="dora@example.net", password="short")
    window.press("Register")
    window.page.evaluate("document.querySelector('[minlength=\"8\"]').removeAttribute('minlength')")
    window.press("Register")
    assert "Password" in window.page.inner_text("[role=alert]")
    window.fill(password="Gr33n cowboys ride")
    window.press("Register")
    window.page.get_by_text("Check your email").first.wait_for()
    deliver_due()
    window.fill(code=mailoutbox[-1].subject[:6])
    window.press("Confirm")
    assert window.path == f"/matches/{match.id}"
    window.press("Join")
    window.page.get_by_text("Leave the match").wait_for()


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
