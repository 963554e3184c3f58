import pytest

from games.models import Move, Source
from games.selectors.loading import load_match
from games.selectors.orders import orders_of
from tests.games.builders import awaited, running_match
from tests.not_none import not_none
from tests.web.test_match_page import At

pytestmark = pytest.mark.django_db


@pytest.fixture
def table():
    return running_match()


@pytest.fixture
def waiting(table):
    return At(table, next(seat for seat in table.seats if not seat.awaited_since))


def orders(table, at):
    return [line.text for line in orders_of(not_none(load_match(table.match.id).seat_of(at.user.pk))).lines]


def test_orders_can_be_saved_and_withdrawn_and_only_their_player_sees_them(table, waiting):
    assert waiting.post("orders", orders="take any worth 5\r\n\r\nelse draw\r\n").status_code == 303
    assert orders(table, waiting) == ["take any worth 5", "else draw"]
    assert "else draw <small>(until the end of game 1)</small>" in waiting.page()
    assert "else draw <small>" not in At(table, awaited(table)).page()
    assert waiting.post("orders", orders="").status_code == 303
    assert orders(table, waiting) == []


def test_an_invalid_order_is_explained_and_the_input_is_kept(table, waiting):
    refused = waiting.post("orders", orders="draw\ndance")
    assert refused.status_code == 400
    page = refused.content.decode()
    assert "I can&#x27;t read &#x27;dance&#x27;" in page
    assert "draw\ndance</textarea>" in page
    assert orders(table, waiting) == []


def test_an_order_that_applies_is_played_and_reported(table):
    at = At(table, awaited(table))
    assert at.post("orders", orders="draw").status_code == 303
    assert Move.objects.get().source == Source.STANDING_ORDER
    assert "You drew " in at.page()


def test_the_page_of_a_game_without_orders_has_no_section_for_them(hush):
    assert 'id="orders"' not in At(running_match("hush", 3)).page()
