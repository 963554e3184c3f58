"""What browsers and impatient people do: several tabs, the back button, double clicks, expired sessions."""

import re

import pytest
from playwright.sync_api import expect

from accounts.models import BrowserSession
from games.models import Move
from games.services import chat
from tests.games.builders import awaited, play_some, running_match, sitting
from tests.web.browser.windows import PHONE

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.any_database]
ONE_POLL = 10_000
HIDE = """() => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => true });
    document.dispatchEvent(new Event('visibilitychange'));
}"""


def to_move(visit, table, **looks):
    """Open a window at the match for the player whose turn it is."""
    window = visit(sitting(awaited(table)), **looks)
    window.go(f"/matches/{table.match.id}")
    return window


def test_an_open_page_follows_the_match_and_its_title_says_when_it_is_your_turn(visit):
    table = play_some(running_match(seats=2), 2)
    waiting = next(seat for seat in table.seats if not seat.awaited_since)
    window = visit(sitting(waiting))
    window.go(f"/matches/{table.match.id}")
    window.page.fill("#messages textarea", "half a mess")
    assert not window.page.title().startswith("▶")
    play_some(table, 1 if table.state.drawn else 2)
    expect(window.page).to_have_title(re.compile("^▶ Your turn"), timeout=ONE_POLL)
    expect(window.page.locator("#board .tap").first).to_be_visible()
    assert window.page.input_value("#messages textarea") == "half a mess", "what is being typed stays"
    chat.post_message(table.match.id, sitting(awaited(table)), "hello")
    expect(window.page.locator("#message-list")).to_contain_text("hello", timeout=ONE_POLL)


def test_a_background_tab_does_not_poll(visit):
    window = to_move(visit, running_match())
    asked = []
    window.page.on("request", lambda request: asked.append(request.url) if request.url.endswith("/live") else None)
    window.page.evaluate(HIDE)
    window.page.wait_for_timeout(6000)
    assert not asked


def test_the_back_button_takes_a_move_back_before_it_is_played(visit):
    table = play_some(running_match(), 25)
    window = to_move(visit, table, width=PHONE)
    window.page.get_by_role("button", name=re.compile("^Take row")).first.click()
    expect(window.page.get_by_role("button", name="Play it")).to_be_visible()
    window.page.go_back()
    expect(window.page.get_by_role("button", name="Play it")).to_have_count(0)
    expect(window.page.get_by_role("button", name="Draw a card")).to_be_visible()
    assert Move.objects.count() == 25


def test_going_back_after_a_move_does_not_play_it_again(visit):
    window = to_move(visit, running_match())
    window.press("Draw a card")
    expect(window.page.locator("#news")).to_contain_text("You drew")
    window.page.go_back()
    window.page.wait_for_load_state()
    assert Move.objects.count() == 1
    expect(window.page.locator("#controls")).to_contain_text("Tap a row for your card.")


@pytest.mark.parametrize("scripts", [True, False])
def test_a_double_click_plays_a_move_once(visit, scripts):
    window = to_move(visit, running_match(), scripts=scripts)
    window.page.get_by_role("button", name="Draw a card").dblclick()
    expect(window.page.locator("#news")).to_contain_text("You drew")
    assert Move.objects.count() == 1


def test_the_second_of_two_tabs_says_that_the_board_has_changed(visit):
    table = play_some(running_match(), 25)
    first, second = to_move(visit, table), to_move(visit, table, scripts=False)
    for window, move in ((first, "^Draw a card"), (second, "^Take row")):
        window.page.get_by_role("button", name=re.compile(move)).first.click()
        expect(window.page.get_by_role("button", name="Play it")).to_be_visible()
    first.press("Play it")
    expect(first.page.locator("#news")).to_contain_text("You drew")
    second.press("Play it")
    expect(second.page.locator("[role=alert]")).to_contain_text("The board has changed")
    assert Move.objects.count() == 26


def test_a_tap_after_the_session_has_ended_leads_to_the_login_page(visit):
    table = play_some(running_match(), 25)
    window = to_move(visit, table)
    BrowserSession.objects.all().delete()
    window.page.get_by_role("button", name="Draw a card").click()
    expect(window.page).to_have_url(re.compile(r"/log-in\?next="))
    assert Move.objects.count() == 25


def test_a_refused_tap_says_why(visit):
    window = to_move(visit, running_match("colorado-county"))
    window.page.get_by_role("button", name=re.compile("^Card 1")).click()
    window.press("Add: Card 1, no cube")
    expect(window.page.locator(".ranking li")).to_have_count(1)
    window.press("Bid for the cards")
    expect(window.page.locator("[role=alert]")).to_contain_text("A bid of none gets no card")
    expect(window.page.locator(".ranking li")).to_have_count(1)
