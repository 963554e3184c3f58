"""In every game that has standing orders, orders lead to legal moves, and depend only on what their owner can see."""

import pytest

from games.engine.orders import Ask, Play, decide, read
from tests.games.engine.playing import positions


@pytest.fixture
def lines(setup):
    if setup.engine.orders is None:
        pytest.skip("This game doesn't support standing orders.")
    examples = [example for example, _ in setup.engine.orders.help]
    return [line for line in examples if not is_about_one_situation(setup.engine, line)]


def is_about_one_situation(engine, line):
    """Return whether the order fits only one situation, for example because it names cowboys that one player has."""
    return bool(read(engine.orders, line).rule.unit)


def decisions(position, seat, lines):
    language, view, choices = position.engine.orders, position.view(seat), position.choices(seat)
    return [decide([read(language, line).rule], view, choices) for line in lines]


def test_hidden_information_does_not_change_what_an_order_does(setup, lines):
    for position in positions(setup):
        for seat in position.awaited:
            for world in position.worlds(seat):
                assert decisions(world, seat, lines) == decisions(position, seat, lines)


def test_every_order_plays_a_legal_move_or_asks_the_player(setup, lines):
    played = 0
    for position in positions(setup):
        for seat in position.awaited:
            for decision in decisions(position, seat, lines):
                assert isinstance(decision, Play | Ask)
                if isinstance(decision, Play):
                    played += 1
                    assert position.refusals(seat, [decision.move]) == [None]
    assert played


def test_every_game_names_the_units_of_its_durations(setup, lines):
    language = setup.engine.orders
    assert language.default_unit in language.units
    for position in positions(setup)[:3]:
        assert all(language.starts(unit, position.view(0)) >= 0 for unit in language.units)
