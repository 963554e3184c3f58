"""An update of an open page leaves alone what the player is doing at that moment."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import APIResponse, Locator, Page, Route, expect

from games.services import chat, invitations, lobby
from games.services.salts import Share
from tests.games.builders import awaited, plan, player, running_match, say, sitting
from tests.not_none import not_none
from tests.web.browser.test_match_behaviour import to_move
from tests.web.browser.windows import PHONE

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.any_database]
CARET = "[document.activeElement.name, document.activeElement.selectionStart, document.activeElement.selectionEnd]"
MOVE_THE_CARET = "one => one.setSelectionRange(2, 4)"


def gathering(seats=4):
    """Start a match whose owner's salt is known, so that the browser has nothing to send."""
    match = lobby.create(player("ann"), plan(seats=seats, allows_bots=True)).match
    lobby.give_salt(match.id, player("ann"), Share("salt of ann"))
    return match


def details(page: Page, summary: str) -> Locator:
    return page.locator("details").filter(has=page.locator("summary").get_by_text(summary, exact=True)).last


def is_open(page: Page, summary: str) -> bool:
    return bool(details(page, summary).evaluate("one => one.open"))


def open_details(page: Page, summary: str) -> None:
    details(page, summary).locator("summary").first.click()
    assert is_open(page, summary)


class HeldBack:
    """The first response to a matching request arrives when the test lets it. Later ones aren't held back."""

    def __init__(self, page: Page, pattern: str) -> None:
        self.page, self.held = page, list[tuple[Route, APIResponse]]()
        page.route(re.compile(pattern), self.hold)

    def hold(self, route: Route) -> None:
        if self.held:
            route.continue_()
        else:
            self.held.append((route, route.fetch(max_redirects=0)))

    def wait(self) -> None:
        for _ in range(300):
            if self.held:
                return
            self.page.wait_for_timeout(100)
        raise AssertionError("nothing was requested")

    def let_through(self) -> None:
        route, response = self.held[0]
        route.fulfill(response=response)


def test_before_the_match_an_update_keeps_what_is_open_and_typed(visit):
    match = gathering()
    window = visit(player("ann"), width=PHONE)
    page = window.page
    window.go(f"/matches/{match.id}")
    open_details(page, "Cancel the match")
    levels = page.locator("[name=level] option").all_inner_texts()
    page.locator("[name=level]").select_option(index=0)
    page.locator("[name=invitee]").fill("somebody")
    page.locator("[name=invitee]").evaluate(MOVE_THE_CARET)
    lobby.join(match.id, player("ben"), Share("salt of ben"))
    invitations.invite(match.id, player("ann"), player("cleo").username)
    expect(page.get_by_role("button", name="Start now with 2 players")).to_be_visible()
    assert is_open(page, "Cancel the match")
    assert page.input_value("[name=invitee]") == "somebody"
    assert page.evaluate(CARET) == ["invitee", 2, 4]
    assert page.input_value("[name=level]") == levels[0]


def test_an_open_page_shows_who_has_joined_before_the_match_begins(visit):
    match = gathering()
    window = visit(player("ann"))
    window.go(f"/matches/{match.id}")
    lobby.join(match.id, player("ben"), Share("salt of ben"))
    expect(window.page.locator("#board")).to_contain_text("Ben")


def test_a_new_message_leaves_the_report_of_an_older_one_open(visit):
    table = running_match(seats=2)
    waiting = next(seat for seat in table.seats if not seat.awaited_since)
    other = sitting(awaited(table))
    for number in range(1, 31):
        chat.post_message(table.match.id, other, f"message {number}")
    window = visit(sitting(waiting))
    page = window.page
    window.go(f"/matches/{table.match.id}")
    reported = page.locator("#message-list > li").filter(has_text="message 15")
    reported.locator("summary").click()
    reported.locator("[name=reason]").fill("rude")
    before = page.locator("#message-list").evaluate("one => one.scrollTop")
    chat.post_message(table.match.id, other, "one more")
    expect(page.locator("#message-list")).to_contain_text("one more")
    expect(page.locator("#message-list > li")).to_have_count(30)
    expect(page.locator("#message-list details[open]")).to_have_count(1)
    assert reported.locator("[name=reason]").input_value() == "rude"
    assert page.evaluate(CARET)[0] == "reason"
    assert page.locator("#message-list").evaluate("one => one.scrollTop") <= before


def test_an_update_during_a_sealed_round_keeps_the_receipt_open_but_not_the_old_bid(visit):
    table = running_match("colorado-county")
    say(table, awaited(table).number, "bid none")
    page = to_move(visit, table).page
    open_details(page, "Receipt")
    open_details(page, "Replace it")
    page.locator(".pick").first.click()
    say(table, awaited(table).number, "bid 1")
    expect(page.locator("#controls [role=alert]")).to_contain_text("The board has changed since you started")
    assert is_open(page, "Receipt")
    assert is_open(page, "Replace it")
    expect(page.locator(".sealed")).to_contain_text("Bid ")


def test_an_update_does_not_scroll_the_page(visit):
    table = running_match("colorado-county")
    window = to_move(visit, table, width=PHONE)
    page = window.page
    page.locator(".pick").first.tap()
    window.press("Bid for the cards")
    expect(page.get_by_role("button", name="Seal it")).to_be_in_viewport()
    page.locator("#messages textarea").fill("half a mess")
    page.locator("#messages textarea").scroll_into_view_if_needed()
    before = page.evaluate("scrollY")
    other = next(seat for seat in table.seats if seat is not awaited(table))
    chat.post_message(table.match.id, sitting(other), "hello")
    expect(page.locator("#message-list")).to_contain_text("hello")
    expect(page.locator("#messages textarea")).to_be_in_viewport()
    assert page.evaluate("scrollY") >= before


def test_an_update_that_arrives_after_a_tap_does_not_undo_the_tap(visit):
    table = running_match("colorado-county", seats=2)
    window = to_move(visit, table)
    page = window.page
    updates = HeldBack(page, r"\?since=\d+")
    page.evaluate("htmx.trigger(document.body, 'match-turn')")
    updates.wait()
    page.get_by_role("button", name=re.compile("^Card 1")).click()
    expect(page.get_by_role("button", name="Add: Card 1, no cube")).to_be_visible()
    updates.let_through()
    page.locator(".htmx-request").wait_for(state="detached")
    expect(page.get_by_role("button", name="Add: Card 1, no cube")).to_be_visible()
    window.press("Add: Card 1, no cube")
    expect(page.locator(".ranking li")).to_have_count(1)


def test_a_tap_counts_even_if_an_update_arrives_before_its_response(visit):
    table = running_match("colorado-county", seats=2)
    page = to_move(visit, table).page
    taps = HeldBack(page, r"/choose$")
    page.get_by_role("button", name=re.compile("^Card 1")).click()
    taps.wait()
    page.evaluate("htmx.trigger(document.body, 'match-turn')")
    page.wait_for_timeout(500)  # by now, nothing but the missing response holds up the update
    with page.expect_response(re.compile(r"\?since=")):
        taps.let_through()
    expect(page.get_by_role("button", name="Add: Card 1, no cube")).to_be_visible()


def test_an_update_waits_until_the_finger_is_lifted(visit):
    table = running_match("colorado-county", seats=2)
    window = visit(sitting(awaited(table)))
    page = window.page
    page.clock.install()
    window.go(f"/matches/{table.match.id}")
    card = page.get_by_role("button", name=re.compile("^Card 1"))
    card.scroll_into_view_if_needed()
    box = not_none(card.bounding_box())
    page.clock.pause_at(timezone.now() + timedelta(minutes=1))  # or a slow machine makes this a long press
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.evaluate("htmx.trigger(document.body, 'match-turn')")
    page.mouse.up()
    expect(page.get_by_role("button", name="Add: Card 1, no cube")).to_be_visible()
    with page.expect_response(re.compile(r"\?since=")):
        page.clock.resume()
    expect(page.get_by_role("button", name="Add: Card 1, no cube")).to_be_visible()


def test_a_failed_update_is_repeated(visit):
    table = running_match(seats=2)
    waiting = next(seat for seat in table.seats if not seat.awaited_since)
    window = visit(sitting(waiting))
    page = window.page
    window.go(f"/matches/{table.match.id}")
    updates = re.compile(r"\?since=")
    page.route(updates, lambda route: route.abort())
    with page.expect_event("requestfailed", lambda request: "?since=" in request.url):
        chat.post_message(table.match.id, sitting(awaited(table)), "hello")
    page.unroute(updates)
    expect(page.locator("#message-list")).to_contain_text("hello")
