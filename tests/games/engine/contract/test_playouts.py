"""The shortcuts that searches take lead to the same results as playing normally."""

from games.engine.base import Engine
from games.engine.dice import QuickDice
from tests.games.engine.playing import sampled_steps, whole_matches


def test_playing_a_move_without_events_leads_to_the_same_position(setup):
    for step in sampled_steps(setup):
        assert setup.engine.advance(step.state, step.seat, step.move, step.dice) == step.played.state


def test_a_quick_sample_gives_the_same_result_as_choosing_from_the_list(setup):
    for number, step in enumerate(sampled_steps(setup)):
        for seat in step.before.awaited:
            listed = Engine.sample(setup.engine, step.state, seat, QuickDice(number))
            assert setup.engine.sample(step.state, seat, QuickDice(number)) == listed


def test_a_playout_makes_the_same_moves_as_playing_step_by_step(setup):
    engine = setup.engine
    for number, steps in enumerate(whole_matches(setup)[:2]):
        opening = steps[0].state
        assert engine.playout(opening, QuickDice(number)) == Engine.playout(engine, opening, QuickDice(number))
        assert not engine.awaiting(engine.playout(opening, QuickDice(number)))
