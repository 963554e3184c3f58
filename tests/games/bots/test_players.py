from itertools import count

import pytest

from games.bots import LEVELS, UnknownLevel, player
from games.bots.knowledge import Hidden, Knowledge
from games.engine.dice import Dice
from games.engine.registry import engine
from tests.games.engine.playing import seed_of
from tests.toy_games import hush, sticks

COLORETTO = engine("coloretto")


def dice(*parts: object) -> Dice:
    return Dice(seed_of(*parts))


def opening(game=COLORETTO, seats=3):
    return game.new_match(seats, game.read_options({}), dice("deal")).state


def winner_of(game, levels, number):
    """Play a match and return each seat's points."""
    state = game.new_match(len(levels), game.read_options({}), dice("match", number)).state
    throws = dice("throws", number)
    while awaited := game.awaiting(state):
        seat = min(awaited)
        move = (
            player(levels[seat]).decide(game, state, seat, throws, iterations=12)
            if levels[seat]
            else game.sample(state, seat, throws)
        )
        state = game.play(state, seat, move, throws).state
    return game.outcome(state).winners


def test_the_refusal_of_an_unknown_level_lists_all_levels():
    with pytest.raises(UnknownLevel) as refused:
        player("godlike")
    assert refused.value.message == "There is no level called 'godlike'."
    assert refused.value.hint == "Choose one of: easy, normal, hard."


def test_a_bot_sees_the_view_and_the_choices_of_its_seat():
    state = opening()
    known = Knowledge(COLORETTO, state, 1)
    assert known.view() == COLORETTO.view(state, 1)
    assert known.choices() == COLORETTO.choices(state, 1)
    assert known.imagine(dice("world")) == COLORETTO.imagine(state, 1, dice("world"))


@pytest.mark.parametrize(
    "name", ["state", "supply", "hands", "_state", "__dict__", "engine", "seat", "play", "outcome"]
)
def test_a_bot_that_asks_for_anything_else_gets_an_error(name):
    with pytest.raises(Hidden):
        getattr(Knowledge(COLORETTO, opening(), 0), name)


def test_a_bot_cannot_change_what_it_knows():
    with pytest.raises(Hidden):
        Knowledge(COLORETTO, opening(), 0).view = dict


@pytest.mark.parametrize("level", LEVELS)
def test_the_same_dice_and_iterations_give_the_same_move(level):
    state = opening()
    seat = min(COLORETTO.awaiting(state))
    moves = {
        COLORETTO.notation(player(level).decide(COLORETTO, state, seat, dice("same"), iterations=5)) for _ in range(3)
    }
    assert len(moves) == 1


def test_a_budget_in_seconds_uses_the_given_clock():
    ticks = count()
    state = opening()
    seat = min(COLORETTO.awaiting(state))
    state = COLORETTO.play(state, seat, COLORETTO.parse("draw"), dice("draw")).state
    player("hard").decide(COLORETTO, state, seat, dice("think"), seconds=10, clock=lambda: float(next(ticks)))
    assert next(ticks) <= 13


def test_a_bot_without_time_plays_the_best_move_it_has_found():
    state = opening()
    seat = min(COLORETTO.awaiting(state))
    state = COLORETTO.play(state, seat, COLORETTO.parse("draw"), dice("draw")).state
    at_once = player("hard").decide(COLORETTO, state, seat, dice("think"), seconds=0)
    assert at_once == player("normal").decide(COLORETTO, state, seat, dice("think"))


@pytest.mark.parametrize("game", [hush.ENGINE, sticks.ENGINE], ids=["hush", "sticks"])
@pytest.mark.parametrize("level", LEVELS)
def test_a_bot_can_play_a_game_without_a_strategy_to_the_end(game, level):
    assert winner_of(game, [level, level, ""], 1)


def test_a_bot_without_a_strategy_takes_the_last_stick():
    """With three or fewer sticks left, the bot takes them all."""
    state = sticks.State(seats=2, turn=0, left=3, taken=18)
    for level in ("normal", "hard"):
        move = player(level).decide(sticks.ENGINE, state, 0, dice("last"), iterations=40)
        assert move == sticks.Take(3)


@pytest.mark.parametrize(("left", "take"), [(5, 1), (6, 2), (7, 3), (9, 1), (10, 2), (11, 3)])
def test_search_sees_that_leaving_four_or_eight_sticks_wins(left, take):
    """Random opponents would make mistakes; in the tree, they learn the best answer."""
    state = sticks.State(seats=2, turn=0, left=left, taken=21 - left)
    moves = [player("hard").decide(sticks.ENGINE, state, 0, dice("nim", n), iterations=150) for n in range(5)]
    assert moves == [sticks.Take(take)] * 5


@pytest.mark.parametrize("slug", ["coloretto", "colorado-county"])
@pytest.mark.parametrize("level", ["easy", "normal"])
def test_bots_beat_random_play(slug, level):
    matches = range(12)
    won = [
        number % 2 in winner_of(engine(slug), [level, ""] if number % 2 == 0 else ["", level], number)
        for number in matches
    ]
    assert sum(won) >= 9
