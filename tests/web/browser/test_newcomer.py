"""From the invitation email to the first move, with nothing but a phone's browser and a mailbox."""

import re

import pytest

from games.models import SaltMaker, Seat
from games.services import invitations, lobby
from notifications.mail.sender import deliver_due
from tests.games.builders import plan, player
from tests.web.browser.windows import PHONE, draw_a_card

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
    assert Seat.objects.get(user__username="dora").salt_by == SaltMaker.BROWSER

    starter = Seat.objects.get(match=match, awaited_since__isnull=False)
    if starter.user != player("ann"):
        draw_a_card(dora, match.id)
    else:
        assert "It's Ann's turn." in dora.page.inner_text("main")
