"""Absent players can come back, and their seats can be given to someone else."""

import re

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from games.models import Seat
from games.selectors.loading import load_match
from tests.games.builders import player, running_match, sitting
from tests.web.browser.windows import PHONE

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.any_database]


def away(table, name):
    """Let a stand-in play this player's seat."""
    Seat.objects.filter(match=table.match, user__username=name).update(stand_in_since=timezone.now())


@pytest.mark.parametrize("scripts", [True, False])
def test_a_player_who_is_back_takes_the_seat_back_from_the_stand_in(visit, scripts):
    table = running_match(is_private=True)
    away(table, "ben")
    ben = visit(player("ben"), width=PHONE, scripts=scripts)
    ben.go(f"/matches/{table.match.id}")
    assert "A stand-in is playing your seat." in ben.page.inner_text("main")
    ben.press("I’m back")
    expect(ben.page.get_by_role("button", name="I’m back")).to_have_count(0)
    assert not Seat.objects.filter(match=table.match, stand_in_since__isnull=False).exists()


@pytest.mark.parametrize("scripts", [True, False])
def test_players_can_give_an_absent_players_seat_to_someone_else(visit, scripts):
    table = running_match(is_private=True)
    player("dora")
    away(table, "ben")
    ann, cleo, dora = (visit(player(name), width=PHONE, scripts=scripts) for name in ("ann", "cleo", "dora"))
    ann.go(f"/matches/{table.match.id}")
    ann.page.get_by_text("Propose more time, a pause").click()
    ann.fill(newcomer="dora")
    ann.press("Propose this player")
    cleo.go(f"/matches/{table.match.id}")
    cleo.page.get_by_text("There is an open proposal.").click()
    cleo.press("Agree")
    dora.go("/matches/")
    dora.page.get_by_role("link", name="You’ve been offered a seat in a running match").click()
    dora.press("Take the seat")
    expect(dora.page.get_by_role("button", name="Take the seat")).to_have_count(0)
    expect(dora.page.locator("#figures tr.own")).to_contain_text("Dora")
    names = {sitting(seat).username for seat in load_match(table.match.id).seats}
    assert names == {"ann", "cleo", "dora"}


def test_a_player_can_stop_playing_in_a_shared_browser(visit):
    table = running_match(is_private=True)
    window = visit(width=PHONE)
    window.enter(player("ben"), table.match.id)
    window.go(f"/matches/{table.match.id}")
    assert "You’re playing as Ben, in this match only." in window.page.inner_text("main")
    window.press("Stop playing in this browser")
    assert re.search("only its players can see it", window.page.inner_text("main"))
    assert "seat" not in {cookie["name"] for cookie in window.context.cookies()}
