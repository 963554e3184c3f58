"""Newcomers get from the invitation email to the first move with nothing but a phone's browser and a mailbox."""

import re
from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import expect

from core.times import clock_time
from games.models import Move, SaltMaker, Seat, Source
from games.selectors.loading import load_match
from games.services import invitations, lobby
from notifications.mail.sender import deliver_due
from tests.games.builders import awaited, plan, play_some, player
from tests.web.browser.windows import PHONE, draw_a_card, notes_of, wait_for_note

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.any_database]


def newest_mail(mailoutbox, address):
    deliver_due()
    return next(one for one in reversed(mailoutbox) if one.to == [address])


def test_a_newcomer_joins_and_makes_the_first_move(visit, mailoutbox):
    match = lobby.create(player("ann"), plan(seats=2, is_private=True)).match
    invitations.invite(match.id, player("ann"), "dora@example.net")
    body = newest_mail(mailoutbox, "dora@example.net").body
    link = re.findall(r"http://localhost:8000(/invitations/\S+)", body)[0]

    dora = visit(width=PHONE, zone="Europe/Berlin")
    dora.go(link)
    dora.fill(username="dora", email="dora@example.net", password="Gr33n cowboys ride")
    assert dora.page.locator("[name=time_zone]").input_value() == "Europe/Berlin"
    dora.page.get_by_role("button", name="Take the seat").first.click()
    dora.page.get_by_text("Check your email").first.wait_for()
    code = newest_mail(mailoutbox, "dora@example.net").subject[:6]
    dora.fill(code=code)
    dora.press("Confirm")
    dora.page.wait_for_url(f"**/matches/{match.id}")
    seat = Seat.objects.get(user__username="dora")
    wait_for_note(dora, match.id, "dora", "accepted")
    assert (seat.salt_by, seat.salt) == (SaltMaker.BROWSER, notes_of(dora, match.id, "dora")["salt"])

    if awaited(load_match(match.id)).user == player("ann"):
        expect(dora.page.locator("#headline")).to_contain_text("You'll get an email when it's your turn.")
        play_some(load_match(match.id), 2)
        deliver_due()
        assert "your turn" in newest_mail(mailoutbox, "dora@example.net").subject.lower()
    expect(dora.page.locator("#headline")).to_contain_text("It's your turn.")
    draw_a_card(dora, match.id)
    expect(dora.page.locator("#controls")).to_contain_text("Tap a row for your card.")
    dora.page.locator("#board .tap").first.tap()
    dora.page.get_by_role("button", name="Play it").tap()
    expect(dora.page.locator("#news")).to_contain_text("You placed")
    expect(dora.page.locator("#headline")).to_contain_text("It's Ann's turn.")
    expect(dora.page.locator("#headline")).to_contain_text("You'll get an email when it's your turn.")
    assert set(Move.objects.filter(source=Source.WEB).values_list("seat", flat=True)) == {seat.number}


@pytest.mark.parametrize(("scripts", "zone"), [(True, "Europe/Berlin"), (False, "UTC")])
def test_a_stranger_sees_until_when_an_invitation_is_valid_in_the_browsers_time_zone(visit, scripts, zone):
    match = lobby.create(player("ann"), plan(is_private=True)).match
    invited = invitations.invite(match.id, player("ann"), "dora@example.net")
    window = visit(width=PHONE, zone="Europe/Berlin", scripts=scripts)
    window.go(invitations.invitation_link(invited.pk).removeprefix("http://localhost:8000"))
    until = clock_time(invited.made_at + timedelta(days=14), ZoneInfo(zone))
    expect(window.page.locator("main")).to_contain_text(f"The invitation is valid until {until}.")
