"""The order of the supply is revealed only one card at a time."""

from msgspec.structs import replace

from games.engine.coloretto import ENGINE
from games.engine.coloretto.state import State
from tests.games.engine.coloretto.tables import BEN, events_of, table
from tests.games.engine.scripted import ScriptedDice


def other_order(state: State) -> State:
    return replace(state, supply=state.supply[::-1])


def test_placing_and_taking_reveal_nothing_about_the_supply():
    state = table(rows=["B", "G", ""], supply="RGYYO")
    drawn = replace(state, drawn="P")
    assert events_of(state, "take 1") == events_of(other_order(state), "take 1")
    assert events_of(drawn, "place 2") == events_of(other_order(drawn), "place 2")


def test_the_end_of_a_game_reveals_nothing_about_the_remaining_cards():
    ending = table(rows=[None, "B", None], took=[1, None, 3], to_move=BEN, supply="RGY", last_round=True, games=2)
    assert events_of(ending, "take 2") == events_of(other_order(ending), "take 2")


def test_taking_a_row_reveals_a_card_of_the_supply_only_with_the_golden_joker():
    state = table(rows=["B*", "G", ""], supply="RGY")
    assert events_of(state, "take 1") != events_of(other_order(state), "take 1")


def test_imagined_positions_keep_the_remaining_cards_and_the_position_of_the_last_round_card():
    state = table(supply="RGY!BBO")
    imagined = ENGINE.imagine(state, BEN, ScriptedDice())
    assert imagined.supply != state.supply
    assert imagined.supply.index("!") == 3
    assert sorted(imagined.supply) == sorted(state.supply)
