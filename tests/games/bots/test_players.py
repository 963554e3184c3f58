from inspect import getclosurevars
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
def test_a_bot_that_asks_for_anything_hidden_gets_an_error(name):
    with pytest.raises(Hidden):
        getattr(Knowledge(COLORETTO, opening(), 0), name)


@pytest.mark.parametrize("slug", ["coloretto", "colorado-county"])
def test_the_real_position_cannot_be_reached_through_what_a_bot_knows(slug):
    game = engine(slug)
    state = opening(game)
    known = Knowledge(game, state, 0)
    kept = [
        value for one in (known.view, known.choices, known.imagine) for value in getclosurevars(one).nonlocals.values()
    ]
    positions = [value for value in kept if isinstance(value, type(state))]
    assert positions
    assert all(game.view(position, 0) == game.view(state, 0) for position in positions)
    assert state not in positions


def test_a_bot_cannot_change_what_it_knows():
    known = Knowledge(COLORETTO, opening(), 0)
    with pytest.raises(Hidden):
        known.view = dict
    with pytest.raises(Hidden):
        del known.view
    assert known.view()


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


@pytest.mark.parametrize("level", LEVELS)
def test_a_budget_in_seconds_ends_the_search_in_a_game_that_has_no_strategy(level):
    ticks = count()
    state = sticks.State(seats=2, turn=0, left=21, taken=0)
    player(level).decide(sticks.ENGINE, state, 0, dice("think"), seconds=4, clock=lambda: float(next(ticks)))
    assert 4 <= next(ticks) <= 7


def test_a_bot_without_time_plays_the_best_move_it_has_found():
    state = opening()
    seat = min(COLORETTO.awaiting(state))
    state = COLORETTO.play(state, seat, COLORETTO.parse("draw"), dice("draw")).state
    at_once = player("hard").decide(COLORETTO, state, seat, dice("think"), seconds=0)
    assert at_once == player("normal").decide(COLORETTO, state, seat, dice("think"))


@pytest.mark.parametrize("game", [hush.ENGINE, sticks.ENGINE], ids=["hush", "sticks"])
@pytest.mark.parametrize("level", LEVELS)
def test_a_bot_can_finish_a_match_of_a_game_that_has_no_strategy(game, level):
    assert winner_of(game, [level, level, ""], 1)


def test_in_a_game_without_a_strategy_a_bot_takes_the_last_stick():
    """With three or fewer sticks left, the bot takes them all."""
    state = sticks.State(seats=2, turn=0, left=3, taken=18)
    for level in ("normal", "hard"):
        move = player(level).decide(sticks.ENGINE, state, 0, dice("last"), iterations=40)
        assert move == sticks.Take(3)


@pytest.mark.parametrize(("left", "take"), [(5, 1), (6, 2), (7, 3), (9, 1), (10, 2), (11, 3)])
def test_a_search_finds_that_leaving_four_or_eight_sticks_wins(left, take):
    """Opponents that move at random would make mistakes, but in the search tree, opponents learn the best reply."""
    state = sticks.State(seats=2, turn=0, left=left, taken=21 - left)
    moves = [player("hard").decide(sticks.ENGINE, state, 0, dice("nim", n), iterations=150) for n in range(5)]
    assert moves == [sticks.Take(take)] * 5


@pytest.mark.parametrize("slug", ["coloretto", "colorado-county"])
def test_an_easy_bot_plays_like_a_normal_one_except_for_random_moves_in_a_quarter_of_its_decisions(slug):
    game, chosen = engine(slug), []
    state = opening(game)
    if slug == "coloretto":
        for row in (1, 2):
            for move in ("draw", f"place {row}"):
                state = game.play(state, min(game.awaiting(state)), game.parse(move), dice("start", row)).state
    seat = min(game.awaiting(state))
    for number in range(200):
        easy, normal = (player(level).decide(game, state, seat, dice(number)) for level in ("easy", "normal"))
        chosen.append((game.notation(easy), game.notation(normal)))
    mistakes = [easy for easy, normal in chosen if easy != normal]
    assert 0.1 < len(mistakes) / len(chosen) < 0.3
    assert len(set(mistakes)) >= 2


@pytest.mark.parametrize("slug", ["coloretto", "colorado-county"])
@pytest.mark.parametrize("level", ["easy", "normal"])
def test_bots_beat_random_play(slug, level):
    matches = range(12)
    won = [
        number % 2 in winner_of(engine(slug), [level, ""] if number % 2 == 0 else ["", level], number)
        for number in matches
    ]
    assert sum(won) >= 9
