import pytest

from games.models import Move, Source
from notifications import calendar
from tests.games.builders import awaited, player, running_match, sitting
from tests.web.browser.windows import PHONE, look

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.any_database]


def test_a_player_gives_orders_that_are_played_immediately(visit):
    table = running_match()
    window = visit(sitting(awaited(table)), width=PHONE)
    window.go(f"/matches/{table.match.id}")
    window.page.click("#orders > summary")
    window.page.fill("#orders textarea", "take any worth 5\nelse draw\nplace where it is worth least to the others")
    window.page.click("#orders button")
    window.page.wait_for_selector("#orders ol")
    window.page.click("#orders details > summary")
    look(window, "orders")
    assert [move.source for move in Move.objects.all()] == [Source.STANDING_ORDER] * 2


def test_the_calendar_address_fits_on_a_phone_screen(visit):
    ann = player("ann")
    calendar.renew(ann)
    window = visit(ann, width=PHONE)
    window.go("/settings/calendar")
    look(window, "calendar")
