"""An open page of a match gets news from the stream, without polling."""

import re

import pytest
from playwright.sync_api import expect

from tests.games.builders import awaited, running_match, say, sitting
from tests.stream.conftest import running_service
from tests.waiting import until
from tests.web.browser.windows import Visit

HIDE = """hidden => {
  Object.defineProperty(document, "hidden", {value: hidden, configurable: true});
  document.dispatchEvent(new Event("visibilitychange"));
}"""


@pytest.fixture
def service(transactional_db):
    with running_service() as service:
        yield service


@pytest.fixture
def page(chromium, service):
    """Open a window for a player while it is the other player's turn. Timers are stopped, so the page cannot poll."""
    table = running_match(seats=2)
    mover = awaited(table)
    waiting = next(seat for seat in table.seats if seat is not mover)
    context = chromium.new_context()
    visit = Visit(context.new_page(), service.url)
    visit.log_in(sitting(waiting))
    visit.page.clock.install()
    visit.page.goto(f"{service.url}/matches/{table.match.id}")
    assert until(lambda: len(service.streams.hub) == 1)
    yield visit.page, table, mover
    context.close()


def test_another_players_move_appears_immediately(page):
    window, table, mover = page
    say(table, mover.number, "draw")
    say(table, mover.number, "place 1")
    expect(window.get_by_text("It's your turn.").first).to_be_visible()
    expect(window).to_have_title(re.compile("^▶ Your turn"))


def test_a_tab_in_the_background_closes_its_stream(page, service):
    window, *_ = page
    window.evaluate(HIDE, True)
    assert until(lambda: len(service.streams.hub) == 0)
    window.evaluate(HIDE, False)
    assert until(lambda: len(service.streams.hub) == 1)
