"""The match page copes with several tabs, the back button, double clicks and expired sessions."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from accounts.models import BrowserSession
from games.models import Move
from games.selectors.loading import load_match
from games.services import chat, lobby
from games.services.salts import Share
from tests.games.builders import awaited, plan, play_some, player, running_match, say, sitting
from tests.not_none import not_none
from tests.web.browser.test_match_pages import auction
from tests.web.browser.windows import PHONE, new_controls

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.any_database, pytest.mark.slow]
SOME_ARE_ON_THE_SCREEN = """all => all.map(one => one.getBoundingClientRect())
    .some(box => box.left >= 0 && box.right <= innerWidth && box.top >= 0 && box.bottom <= innerHeight)"""
PLACE_OF_THE_BOARD = "document.querySelector('#board').getBoundingClientRect().top"
HIDE = """() => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => true });
    document.dispatchEvent(new Event('visibilitychange'));
}"""


def to_move(visit, table, **looks):
    """Open the match in a window for the player whose turn it is."""
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
    expect(window.page).to_have_title(re.compile("^▶ Your turn"))
    expect(window.page.locator("#board .tap").first).to_be_visible()
    assert window.page.input_value("#messages textarea") == "half a mess", "the text that is being typed stays"
    chat.post_message(table.match.id, sitting(awaited(table)), "hello")
    expect(window.page.locator("#message-list")).to_contain_text("hello")


def test_an_open_page_shows_when_the_match_begins_and_when_it_is_over(visit):
    match = lobby.create(player("ann"), plan(seats=2)).match
    lobby.give_salt(match.id, player("ann"), Share("salt of ann"))
    window = visit(player("ann"))
    window.go(f"/matches/{match.id}")
    window.page.fill("#messages textarea", "half a mess")
    lobby.join(match.id, player("ben"), Share("salt of ben"))
    expect(window.page.locator("#figures")).to_contain_text("Ben")
    expect(window.page.locator("#orders")).to_be_visible()
    play_some(load_match(match.id))
    expect(window.page.locator("#result")).to_contain_text("Ben")
    expect(window.page.locator("#controls button")).to_have_count(0)
    expect(window.page.locator("#orders")).to_have_count(0)
    assert window.page.input_value("#messages textarea") == "half a mess"


def test_an_update_in_the_middle_of_a_move_says_that_the_board_has_changed(visit):
    table = running_match("colorado-county", seats=2)
    window = to_move(visit, table)
    window.page.locator(".pick").first.click()
    window.page.get_by_role("button", name="Bid for the cards").click()
    expect(window.page.get_by_role("button", name="Seal it")).to_be_visible()
    other = next(seat for seat in table.seats if seat is not awaited(table))
    for seat, move in ((awaited(table), "bid none"), (other, "bid none")):
        say(table, seat.number, move)
    expect(window.page.locator("#controls [role=alert]")).to_contain_text("The board has changed since you started")


def test_ticked_boxes_never_disappear_without_a_message(visit):
    table = running_match("colorado-county", seats=2)
    window = to_move(visit, table)
    asked = []
    window.page.on("request", lambda request: asked.append(request.url))
    window.page.locator(".pick").first.click()
    window.page.locator(".pick input").first.focus()
    for seat in table.seats:
        say(table, seat.number, "bid none")
    expect(window.page.locator("#controls [role=alert]")).to_contain_text("The board has changed since you started")
    window.page.wait_for_function("document.activeElement.closest('#controls')")
    assert not [url for url in asked if "cowboys" in url]


def test_the_details_of_an_event_are_listed_without_gaps(visit):
    window = to_move(visit, running_match("colorado-county"), width=PHONE)
    details = window.page.locator("#log li:has(.detail)").first.locator(".detail")
    assert details.count() > 1
    boxes = [not_none(detail.bounding_box()) for detail in details.all()]
    assert [below["y"] for below in boxes[1:]] == pytest.approx([box["y"] + box["height"] for box in boxes[:-1]], abs=1)


def test_an_open_page_says_who_is_still_being_waited_for_and_keeps_the_bid(visit):
    table = running_match("colorado-county")
    other, last = (seat for seat in table.seats if seat is not awaited(table))
    window = to_move(visit, table)
    expect(window.page.locator("#notes")).to_contain_text(other.player_name)
    window.page.locator(".pick").first.click()
    say(table, other.number, "bid none")
    expect(window.page.locator("#notes")).to_have_text(f"Bidding is open. Waiting for you and {last.player_name}.")
    expect(window.page.locator(".pick input:checked")).to_have_count(1)


def test_the_last_bid_is_not_called_sealed_because_it_is_revealed_at_once(visit):
    table = running_match("colorado-county", seats=2)
    say(table, awaited(table).number, "bid none")
    window = to_move(visit, load_match(table.match.id))
    window.press("Bid nothing")
    expect(window.page.get_by_role("button", name="Play it")).to_be_visible()
    expect(window.page.get_by_role("button", name="Seal it")).to_have_count(0)


def test_a_move_sealed_in_one_tab_appears_in_the_other(visit):
    table = running_match("colorado-county")
    first, second = to_move(visit, table), to_move(visit, table)
    first.page.locator(".pick").first.click()
    first.press("Bid for the cards")
    first.press("Seal it")
    expect(first.page.locator(".sealed")).to_be_visible()
    expect(second.page.locator(".sealed")).to_contain_text("Bid ")
    second.page.get_by_text("Replace it", exact=True).click()
    expect(second.page.get_by_role("button", name="Bid for the cards")).to_be_visible()


@pytest.mark.parametrize("scripts", [True, False])
def test_on_a_phone_a_tap_on_a_card_shows_its_squares(visit, scripts):
    window = to_move(visit, auction(), width=PHONE, scripts=scripts)
    squares = window.page.locator(".squares .tap")
    expect(squares).to_have_count(0)
    window.page.get_by_role("button", name=re.compile("^Card 2")).tap()
    expect(squares.first).to_be_attached()
    expect(window.page.locator(".squares")).to_be_in_viewport()
    if scripts:
        assert squares.evaluate_all(SOME_ARE_ON_THE_SCREEN)


def test_on_a_phone_the_board_stays_where_it_is_when_a_square_is_tapped(visit):
    window = to_move(visit, running_match("colorado-county"), width=PHONE)
    window.page.get_by_role("button", name=re.compile("^Card 2")).tap()
    squares = window.page.locator(".squares .tap")
    expect(squares.first).to_be_attached()
    window.page.evaluate("document.querySelector('.squares').scrollIntoView()")
    before = window.page.evaluate(PLACE_OF_THE_BOARD)
    with new_controls(window.page):
        squares.first.tap()
    expect(window.page.locator(".squares .chosen")).to_have_count(1)
    assert window.page.evaluate(PLACE_OF_THE_BOARD) == before


@pytest.mark.parametrize("scripts", [True, False])
def test_on_a_phone_an_entry_of_a_plan_is_shown_when_it_is_complete(visit, scripts):
    window = to_move(visit, running_match("colorado-county"), width=PHONE, scripts=scripts)
    with new_controls(window.page):
        window.page.get_by_role("button", name=re.compile("^Card 1")).tap()
    for _ in range(2):  # Tap a flag and, for most cards, another square.
        if (square := window.page.locator(".squares .tap:not(.chosen)")).count():
            with new_controls(window.page):
                square.first.tap()
    if not window.page.locator(".ranking li").count():
        window.page.locator("#controls [name=add]").first.tap()
    expect(window.page.locator(".ranking li")).to_be_in_viewport()


def test_on_a_phone_players_see_what_they_confirm_and_then_what_comes_next(visit):
    window = to_move(visit, running_match("colorado-county"), width=PHONE)
    window.page.locator(".pick").first.tap()
    window.page.get_by_role("button", name="Bid for the cards").tap()
    expect(window.page.locator("#confirm-title")).to_be_in_viewport(ratio=1)
    window.page.get_by_role("button", name="Seal it").tap()
    expect(window.page.locator("#headline .turn")).to_be_in_viewport(ratio=1)


def test_an_open_page_catches_up_as_soon_as_the_phone_is_online_again(visit):
    table = running_match(seats=2)
    waiting = next(seat for seat in table.seats if not seat.awaited_since)
    window = visit(sitting(waiting), width=PHONE)
    window.page.clock.install()
    window.go(f"/matches/{table.match.id}")
    window.page.route("**/live", lambda route: route.abort())
    with window.page.expect_event("requestfailed", lambda request: request.url.endswith("/live")):
        window.page.clock.pause_at(timezone.now() + timedelta(minutes=1))
    play_some(table, 2)
    window.page.unroute("**/live")
    window.page.evaluate("dispatchEvent(new Event('online'))")
    expect(window.page).to_have_title(re.compile("^▶ Your turn"))


def test_a_background_tab_does_not_poll(visit):
    window = to_move(visit, running_match())
    window.page.evaluate(HIDE)
    asked = []
    window.page.on("request", lambda request: asked.append(request.url) if request.url.endswith("/live") else None)
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


def test_a_tap_with_an_expired_form_says_what_to_do(visit):
    window = to_move(visit, play_some(running_match(), 25))
    window.context.clear_cookies(name="csrftoken")
    window.page.get_by_role("button", name="Draw a card").click()
    expect(window.page.locator("#problem [role=alert]")).to_contain_text("This form has expired")


@pytest.mark.parametrize("scripts", [True, False])
def test_a_page_with_a_refused_form_can_be_reloaded(visit, scripts):
    table = running_match()
    window = to_move(visit, table, scripts=scripts)
    window.page.locator("#proposals summary").first.click()
    window.fill(time="soon")
    window.press("Propose more time")
    expect(window.page.locator("[role=alert]")).to_be_visible()
    window.page.goto(window.page.url)
    assert window.path == f"/matches/{table.match.id}"


@pytest.mark.parametrize("is_private", [True, False])
def test_an_open_page_says_that_the_session_has_ended(visit, is_private):
    table = running_match(is_private=is_private)
    window = to_move(visit, table)
    expect(window.page.locator("#logged-out")).to_be_hidden()
    BrowserSession.objects.all().delete()
    expect(window.page.locator("#logged-out")).to_contain_text("You’re logged out")
    window.page.get_by_role("link", name="Log in again").click()
    assert window.path == f"/log-in?next=/matches/{table.match.id}"


def test_after_a_refused_tap_the_page_says_why(visit):
    window = to_move(visit, running_match("colorado-county"), width=PHONE)
    window.page.get_by_role("button", name=re.compile("^Card 1")).click()
    window.press("Add: Card 1, no cube")
    expect(window.page.locator(".ranking li")).to_have_count(1)
    window.press("Bid for the cards")
    expect(window.page.locator("[role=alert]")).to_contain_text("If you bid none, you get no card")
    expect(window.page.locator("[role=alert]")).to_be_in_viewport(ratio=1)
    expect(window.page.locator(".ranking li")).to_have_count(1)
