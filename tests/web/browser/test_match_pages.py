"""Pages of a match in a real browser: accessible on phones and desktops, in light and dark, in every situation."""

import re

import pytest

from games.selectors.loading import load_match
from games.services import chat
from tests.games.builders import awaited, play_some, player, running_match, say, sitting
from tests.not_none import not_none
from tests.web.browser.windows import DESKTOP, PHONE, TABLET, look

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.any_database]
SIZES = [(PHONE, False), (TABLET, True), (DESKTOP, False)]


def looks(visit, user, path, name, act=lambda window: None):
    """Look at a page in every size, after doing something there."""
    for width, dark in SIZES:
        window = visit(user, width=width, dark=dark)
        window.go(path)
        act(window)
        look(window, f"{name}-{width}")


def tap(*names):
    def taps(window):
        for name in names:
            with window.page.expect_response(lambda answer: "draft=" in answer.url):
                window.page.get_by_role("button", name=re.compile(name)).first.click()
            window.page.wait_for_timeout(200)

    return taps


def auction(cowboys=(1, 2, 3)):
    """Everyone bids; the seat with the most cowboys picks first."""
    table = running_match("colorado-county")
    for seat, count in enumerate(cowboys):
        hand = load_match(table.match.id).state.hands[seat]
        say(table, seat, {"move": "bid", "cowboys": list(hand[:count])})
    return load_match(table.match.id)


def test_coloretto_on_the_table_and_before_taking_a_row(visit):
    table = play_some(running_match("coloretto"), 25)
    user, path = sitting(awaited(table)), f"/matches/{table.match.id}"
    looks(visit, user, path, "coloretto")
    looks(visit, user, path, "coloretto-confirm", tap("^Take row"))


def test_colorado_county_while_bidding_with_a_plan(visit):
    table = running_match("colorado-county")
    chat.post_message(table.match.id, player("ben"), "Good luck!\nI'll need it.")

    def bid(window):
        for chip in window.page.locator(".pick").all()[:3]:
            chip.click()
        tap("^Card 1", "Add: Card 1, no cube", "^Card 2")(window)

    looks(visit, sitting(table.seats[0]), f"/matches/{table.match.id}", "county-bid", bid)
    say(table, 0, "bid none")
    looks(visit, sitting(table.seats[0]), f"/matches/{table.match.id}", "county-sealed")


def test_colorado_county_while_picking(visit):
    table = auction()
    user, path = sitting(awaited(table)), f"/matches/{table.match.id}"
    looks(visit, user, path, "county-pick", tap("^Card 2"))
    flag = next(iter(table.engine.view(table.state, None).flags["G"]))
    looks(visit, user, path, "county-pick-flag", tap("^Card 1", f"^{flag},"))


def test_colorado_county_while_placing_flags(visit):
    table = running_match("colorado-county", options={"flags": "players"})
    user = sitting(awaited(table))
    looks(visit, user, f"/matches/{table.match.id}", "county-flags", tap("^A1, free", "^C1, free"))


@pytest.mark.parametrize("game", ["coloretto", "colorado-county"])
def test_a_finished_match_with_its_records(visit, game):
    table = play_some(running_match(game, seats=2))
    user, path = player("ann"), f"/matches/{table.match.id}"
    looks(visit, user, path, f"{game}-finished")
    for record in ("history", "log", "rules", "proof"):
        window = visit(user, width=PHONE)
        window.go(f"{path}/{record}")
        look(window, f"{game}-{record}")
    assert not_none(table.match.ended_at)
