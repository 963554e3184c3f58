"""In a real browser, the pages of a match are accessible on phones and desktops, in light and dark mode, in every
situation."""

import re
from datetime import timedelta

import pytest
from django.conf import settings

from clock.models import ProposalKind
from games.selectors.loading import load_match
from games.services import chat, reviews
from notifications.move_links import move_link
from tests.clock.voting import propose
from tests.games.builders import awaited, play_some, player, running_match, say, sitting
from tests.not_none import not_none
from tests.web.browser.windows import PHONE, look, new_controls

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.any_database]


def looks(visit, user, path, name, act=lambda window: None):
    """Check a page after doing something there."""
    window = visit(user, width=PHONE)
    window.go(path)
    act(window)
    look(window, name)


def tap(*names):
    def taps(window):
        for name in names:
            with new_controls(window.page):
                window.page.get_by_role("button", name=re.compile(name)).first.click()

    return taps


def auction(cowboys=(1, 2, 3)):
    """Let everyone bid, so that the seat with the most cowboys picks first."""
    table = running_match("colorado-county")
    for seat, count in enumerate(cowboys):
        hand = load_match(table.match.id).state.hands[seat]
        say(table, seat, {"move": "bid", "cowboys": list(hand[:count])})
    return load_match(table.match.id)


def test_a_coloretto_page_is_accessible_during_a_turn(visit):
    table = play_some(running_match("coloretto"), 25)
    user, path = sitting(awaited(table)), f"/matches/{table.match.id}"
    looks(visit, user, path, "coloretto")
    looks(visit, user, path, "coloretto-confirm", tap("^Take row"))


@pytest.mark.slow
def test_a_colorado_county_page_is_accessible_while_bidding_with_a_plan(visit):
    table = running_match("colorado-county")
    chat.post_message(table.match.id, player("ben"), "Good luck!\nI'll need it.")

    def bid(window):
        for chip in window.page.locator(".pick").all()[:3]:
            chip.click()
        tap("^Card 1", "Add: Card 1, no cube", "^Card 2")(window)

    looks(visit, sitting(table.seats[0]), f"/matches/{table.match.id}", "county-bid", bid)
    say(table, 0, "bid none")
    looks(visit, sitting(table.seats[0]), f"/matches/{table.match.id}", "county-sealed")


@pytest.mark.slow
def test_a_colorado_county_page_is_accessible_while_picking(visit):
    table = auction()
    user, path = sitting(awaited(table)), f"/matches/{table.match.id}"
    looks(visit, user, path, "county-pick", tap("^Card 2"))
    flag = next(iter(table.engine.view(table.state, None).flags["G"]))
    looks(visit, user, path, "county-pick-flag", tap("^Card 1", f"^{flag},"))


@pytest.mark.slow
def test_a_colorado_county_page_is_accessible_while_placing_flags(visit):
    table = running_match("colorado-county", options={"flags": "players"})
    user = sitting(awaited(table))
    looks(visit, user, f"/matches/{table.match.id}", "county-flags", tap("^A1, free", "^C1, free"))


def sale():
    """Let everyone but the seller answer, so that two players want the land."""
    table = auction()
    while load_match(table.match.id).state.phase == "picks":
        now = load_match(table.match.id)
        seat = awaited(now).drawn
        pick = next(move for move in now.engine.choices(now.state, seat).moves if move.squares)
        say(table, seat, now.engine.notation(pick))
    now = load_match(table.match.id)
    seller = next(
        seat
        for seat in range(3)
        if any(player.land for player in now.engine.view(now.state, 0).players if player.seat == seat)
    )
    say(table, seller, f"sell {now.engine.view(now.state, 0).players[seller].land[0]}")
    return load_match(table.match.id)


@pytest.mark.slow
def test_a_colorado_county_page_is_accessible_while_land_is_for_sale(visit):
    table = sale()
    path, buyers = f"/matches/{table.match.id}", [seat for seat in table.seats if seat.awaited_since]
    looks(visit, sitting(buyers[0]), path, "county-sale")
    for buyer in buyers:
        say(table, buyer.number, "interested")
    looks(visit, sitting(buyers[0]), path, "county-offer")


def test_pages_for_moves_from_emails_and_for_strangers_are_accessible(visit):
    table = play_some(running_match(is_private=True), 25)
    seat = awaited(table)
    link = move_link(seat, sitting(seat).email, table.match.turn, "draw").removeprefix(settings.PUBLIC_URL)
    looks(visit, None, link, "link")
    say(table, seat.number, "draw")
    looks(visit, None, link, "link-stale")
    looks(visit, None, f"/matches/{table.match.id}", "private")


@pytest.mark.slow
def test_the_page_for_spectators_and_the_page_with_proposals_are_accessible(visit):
    table = running_match()
    seat = awaited(table)
    propose(table, seat.drawn, ProposalKind.EXTENSION, seat=seat.drawn, time=timedelta(days=2))
    other = next(one for one in table.seats if one is not seat)
    looks(visit, sitting(other), f"/matches/{table.match.id}", "proposal", tap_summary)
    looks(visit, None, f"/matches/{table.match.id}", "spectator")


def tap_summary(window):
    window.page.locator("#proposals summary").first.click()


@pytest.mark.slow
@pytest.mark.parametrize("game", ["coloretto", "colorado-county"])
def test_the_pages_of_a_finished_match_are_accessible(visit, game):
    table = play_some(running_match(game, seats=2))
    user, path = player("ann"), f"/matches/{table.match.id}"
    looks(visit, user, path, f"{game}-finished")
    reviews.review(table.match.id, user)
    for record in ("history", "log", "rules", "proof", "review"):
        looks(visit, user, f"{path}/{record}", f"{game}-{record}")
    assert not_none(table.match.ended_at)
