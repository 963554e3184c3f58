"""A new game refuses standing orders until it defines a language for them, and needs nothing else."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import pytest

from core.refusals import Conflict
from games.engine.choices import Choices
from games.engine.orders import Language, Rule, Words
from games.models import Phase
from games.selectors.loading import load_match
from games.services import orders
from tests.games.builders import awaited, running_match, say, sitting
from tests.toy_games import sticks
from tests.toy_games.sticks import Take, View

pytestmark = pytest.mark.django_db


@dataclass(frozen=True)
class TakeSticks(Rule[View, Take]):
    count: int
    left: int | None

    def move(self, view: View, choices: Choices[Take]) -> Take | None:
        legal = Take(self.count) in choices.moves
        return Take(self.count) if legal and self.left in (None, view.left) else None


class SticksOrders(Language[View, Take]):
    help = (("take 3 if 3 are left", "take three sticks if they are the last ones"), ("take 1", "take one stick"))
    fillers = "are"
    default_unit = "match"
    units: Mapping[str, Callable[[View], int]] = {"match": lambda _: 1}

    def read(self, words: Words) -> TakeSticks:
        if not words.skip("take"):
            raise words.unreadable()
        count, left = words.need_number("'take'"), None
        if words.skip("if"):
            left = words.need_number("'if'")
            words.skip("left")
        return TakeSticks(count, left)


def test_a_game_without_an_order_language_refuses_orders():
    with sticks.registered():
        table = running_match("sticks", 2)
        with pytest.raises(Conflict, match="Sticks doesn't support standing orders") as refused:
            orders.add_orders(table.match.id, sitting(table.seats[0]), ["take 1"])
        assert refused.value.code == "no_standing_orders"


def test_a_game_with_an_order_language_follows_orders_to_the_end(monkeypatch):
    with sticks.registered() as game:
        monkeypatch.setattr(type(game), "orders", SticksOrders())
        table = running_match("sticks", 2)
        first = awaited(table).drawn
        for seat in (1 - first, first):
            orders.add_orders(table.match.id, sitting(table.seats[seat]), ["take 3 if 3 are left", "take 1"])
        ended = load_match(table.match.id)
        assert ended.match.phase == Phase.FINISHED
        assert ended.match.moves_made == 19


def test_two_players_orders_move_in_turn_until_one_players_orders_run_out(monkeypatch):
    with sticks.registered() as game:
        monkeypatch.setattr(type(game), "orders", SticksOrders())
        table = running_match("sticks", 2)
        first = awaited(table).drawn
        orders.add_orders(table.match.id, sitting(table.seats[1 - first]), ["take 1 3 times"])
        orders.add_orders(table.match.id, sitting(table.seats[first]), ["take 1"])
        assert load_match(table.match.id).match.moves_made == 7
        say(table, 1 - first, "take 2")
        assert load_match(table.match.id).match.moves_made == 9
