"""Matches of every game come to an end, keep all components, and can be replayed."""

from collections.abc import Iterable

from games.engine.base import places
from games.engine.dice import Dice
from games.engine.registry import engines
from tests.games.engine.playing import MORE_STEPS_THAN_ANY_MATCH, Step, new_match, seed_of, steps, walk, whole_matches
from tests.games.engine.setups import SETUPS


def test_every_game_and_player_count_has_a_setup():
    for engine in engines():
        assert {setup.seats for setup in SETUPS[engine.slug]} == set(engine.seats)


def test_random_matches_never_get_stuck_and_keep_all_components_and_reach_an_outcome(setup, batch):
    for number in batch:
        check_match(walk(setup, number))


def check_match(match: Iterable[Step]) -> None:
    final = None
    for step in match:
        assert all(step.before.choices(seat) for seat in step.before.awaited - {step.seat})
        assert step.before.component_counts == step.after.component_counts
        final = step.after
    assert final
    assert final.engine.outcome(final.state)


def test_the_closely_checked_matches_end_and_keep_all_components(setup):
    for match in whole_matches(setup):
        check_match(match)


def test_there_is_an_outcome_exactly_when_nobody_has_to_move(setup):
    for step in steps(setup):
        for position in (step.before, step.after):
            assert (setup.engine.outcome(position.state) is None) == bool(position.awaited)


def test_nobody_has_a_choice_after_the_end(setup):
    for match in whole_matches(setup):
        final = match[-1].after
        assert not any(final.choices(seat) for seat in range(setup.seats))


def test_the_outcome_names_the_source_of_every_point(setup):
    for match in whole_matches(setup):
        outcome = setup.engine.outcome(match[-1].played.state)
        assert outcome
        assert outcome.points == tuple(sum(line.points for line in lines) for lines in outcome.lines)
        assert outcome.places == places(outcome.points)
        assert outcome.winners
        assert outcome.reason


def test_only_seats_in_the_match_have_to_move_or_see_events(setup):
    seats = frozenset(range(setup.seats))
    for step in steps(setup):
        assert step.before.awaited <= seats
        assert all((event.audience() or seats) <= seats for event in step.played.events)


def test_a_quiet_move_changes_nothing_for_the_other_players(setup):
    for step in steps(setup):
        if step.played.quiet:
            assert step.before.awaited ^ step.after.awaited <= {step.seat}


def test_playing_does_not_change_the_position_before_the_move(setup):
    engine = setup.engine
    for step in steps(setup):
        before = step.before.dumped
        played = engine.play(step.state, step.seat, step.move, step.dice)
        assert engine.states.dump(step.state) == before
        assert played == step.played


def test_replaying_the_seed_and_the_moves_gives_the_same_bytes(setup):
    engine = setup.engine
    for match in whole_matches(setup):
        state, turn = new_match(setup, match[0].seed).state, 1
        for step in match:
            move = engine.parse(engine.notation(step.move))
            played = engine.play(state, step.seat, move, Dice(step.seed, turn))
            assert engine.states.dump(played.state) == step.after.dumped
            assert [engine.events.dump(e) for e in played.events] == [engine.events.dump(e) for e in step.played.events]
            state, turn = played.state, turn + (not played.quiet)


def test_the_move_for_a_player_who_ran_out_of_time_is_legal(setup):
    engine = setup.engine
    for step in steps(setup):
        for seat in step.before.awaited:
            assert engine.refusal(step.state, seat, engine.on_timeout(step.state, seat)) is None


def test_a_match_in_which_everybody_times_out_still_ends(setup):
    engine, seed = setup.engine, seed_of("abandoned", *setup.numbers)
    state, turn = new_match(setup, seed).state, 1
    for _ in range(MORE_STEPS_THAN_ANY_MATCH):
        if not (awaited := engine.awaiting(state)):
            break
        seat = min(awaited)
        played = engine.play(state, seat, engine.on_timeout(state, seat), Dice(seed, turn))
        state, turn = played.state, turn + (not played.quiet)
    assert engine.outcome(state), f"a match of {setup} never ends if everybody times out"
