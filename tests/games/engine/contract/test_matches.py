"""Whole matches of every game: they go on until they end, lose nothing on the way, and can be replayed."""

from collections.abc import Iterable

from games.engine.base import places
from games.engine.dice import Dice
from games.engine.registry import engines
from tests.games.engine.playing import MORE_STEPS_THAN_ANY_MATCH, Step, journeys, new_match, seed_of, steps, walk
from tests.games.engine.setups import SETUPS


def test_every_registered_game_and_player_count_has_setups_to_be_held_to():
    for engine in engines():
        assert {setup.seats for setup in SETUPS[engine.slug]} == set(engine.seats)


def test_random_matches_have_no_dead_end_lose_nothing_and_reach_an_outcome(setup, batch):
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


def test_matches_looked_at_closely_end_and_lose_nothing_too(setup):
    for journey in journeys(setup):
        check_match(journey)


def test_there_is_an_outcome_exactly_when_nobody_is_awaited(setup):
    for step in steps(setup):
        for position in (step.before, step.after):
            assert (setup.engine.outcome(position.state) is None) == bool(position.awaited)


def test_nobody_has_a_choice_after_the_end(setup):
    for journey in journeys(setup):
        final = journey[-1].after
        assert not any(final.choices(seat) for seat in range(setup.seats))


def test_the_outcome_names_the_source_of_every_point(setup):
    for journey in journeys(setup):
        outcome = setup.engine.outcome(journey[-1].played.state)
        assert outcome
        assert outcome.points == tuple(sum(line.points for line in lines) for lines in outcome.lines)
        assert outcome.places == places(outcome.points)
        assert outcome.winners
        assert outcome.reason


def test_only_seats_of_the_match_are_awaited_or_addressed(setup):
    seats = frozenset(range(setup.seats))
    for step in steps(setup):
        assert step.before.awaited <= seats
        assert all((event.audience() or seats) <= seats for event in step.played.events)


def test_after_a_quiet_move_everybody_else_is_asked_what_they_were_asked_before(setup):
    for step in steps(setup):
        if step.played.quiet:
            assert step.before.awaited ^ step.after.awaited <= {step.seat}


def test_playing_changes_nothing_in_the_position_it_started_from(setup):
    engine = setup.engine
    for step in steps(setup):
        before = step.before.dumped
        played = engine.play(step.state, step.seat, step.move, step.dice)
        assert engine.states.dump(step.state) == before
        assert played == step.played


def test_replaying_seed_and_moves_gives_the_same_bytes(setup):
    engine = setup.engine
    for journey in journeys(setup):
        state, turn = new_match(setup, journey[0].seed).state, 1
        for step in journey:
            move = engine.parse(engine.notation(step.move))
            played = engine.play(state, step.seat, move, Dice(step.seed, turn))
            assert engine.states.dump(played.state) == step.after.dumped
            assert [engine.events.dump(e) for e in played.events] == [engine.events.dump(e) for e in step.played.events]
            state, turn = played.state, turn + (not played.quiet)


def test_whoever_lets_the_clock_run_out_has_a_legal_move_made_for_them(setup):
    engine = setup.engine
    for step in steps(setup):
        for seat in step.before.awaited:
            assert engine.refusal(step.state, seat, engine.on_timeout(step.state, seat)) is None


def test_a_match_that_everybody_abandons_still_reaches_its_end(setup):
    engine, seed = setup.engine, seed_of("abandoned", *setup.numbers)
    state, turn = new_match(setup, seed).state, 1
    for _ in range(MORE_STEPS_THAN_ANY_MATCH):
        if not (awaited := engine.awaiting(state)):
            break
        seat = min(awaited)
        played = engine.play(state, seat, engine.on_timeout(state, seat), Dice(seed, turn))
        state, turn = played.state, turn + (not played.quiet)
    assert engine.outcome(state), f"the match of {setup} that everybody abandons never ends"
