"""People can try a match without an account, and a session for one match allows nothing else."""

import pytest
import time_machine
from django.utils import timezone
from playwright.sync_api import expect

from accounts.models import BrowserSession, User
from games.engine.dice import Dice
from games.models import Match, Move, Phase
from games.selectors.loading import load_match
from games.services import bot_moves
from notifications import match_links
from tests.games.builders import awaited, player, running_match, say, sitting
from tests.web.browser.windows import PHONE, draw_a_card, look

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


def test_a_guest_whose_match_is_over_can_try_again_or_register(visit):
    window = visit(width=PHONE, zone="Europe/Berlin")
    window.go("/")
    window.press("Try Coloretto")
    match = Match.objects.get()
    for section in ("#messages", "#proposals"):
        assert not window.page.locator(section).count()
    assert not window.page.get_by_text("Mute").count()
    finish(match.id)
    window.page.reload()
    assert not window.page.get_by_text("Play again with the same people").count()
    expect(window.page.locator("#result").get_by_role("link", name="Register")).to_be_visible()
    look(window, "guest-finished")
    window.press("Try Colorado County")
    assert window.path != f"/matches/{match.id}"
    assert Match.objects.count() == 2
    assert {user.time_zone for user in User.objects.filter(is_guest=True)} == {"Europe/Berlin"}


def finish(match_id):
    """Let the bots and the guest play to the end."""
    dice = Dice(b"\1" * 32)
    while (table := load_match(match_id)).match.phase == Phase.RUNNING:
        bot_moves.play_due()
        table = load_match(match_id)
        for seat in table.seats:
            if seat.awaited_since and seat.user:
                say(
                    table,
                    table.seats.index(seat),
                    table.engine.notation(table.engine.sample(table.state, seat.drawn, dice)),
                )


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
    window.press("Plan vacation")
    assert window.path == "/log-in?next=%2Fsettings%2Fvacations"
    window.fill(login="ann", password="correct horse")
    window.press("Log in")
    assert window.path == "/settings/vacations"


def test_if_two_people_share_a_browser_the_last_to_open_a_link_plays(visit):
    table = running_match(is_private=True)
    first, second = (sitting(seat) for seat in sorted(table.seats, key=lambda seat: seat.awaited_since is not None)[1:])
    window = visit(first)
    window.go(f"/matches/{table.match.id}")
    assert whose_seat(window) == first.name
    window.go(match_links.entering_link(awaited(table), second.email).removeprefix("http://localhost:8000"))
    window.press(f"Play as {second.name}")
    assert whose_seat(window) == second.name
    draw_a_card(window, table.match.id)
    assert Move.objects.get().seat == awaited(table).number
    window.go("/settings/")
    assert window.page.input_value("[name=display_name]") == first.name, "the account hasn't changed"


def whose_seat(window):
    return window.page.locator("#figures tr.own .name").inner_text()
