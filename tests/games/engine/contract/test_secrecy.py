"""Hidden information never changes what a seat gets.

A position is compared with others that must look the same to the seat (`imagine`). A move may reveal something, but
then the seat sees an event about it. If the seat's events are the same, the positions are therefore compared again
after the move. A view may contain only what the seat already knew, and what later events have revealed.

Boards are made from views, and pictures are made from boards. To make sure that they use nothing
else, the boards are compared as well.
"""

from typing import Any

from games.engine.base import Played
from games.engine.dice import Dice
from games.engine.errors import IllegalMove
from games.engine.names import Names
from games.engine.records import seen_by
from games.engine.registry import AnyEngine
from tests.games.engine.attempts import attempts, refusals
from tests.games.engine.playing import Step, positions, sampled_steps, seed_of, steps
from tests.games.engine.positions import SHORT, Position, everyone
from tests.games.engine.setups import Setup


def told(refusals: list[IllegalMove | None]) -> list[Any]:
    return [(r.code, r.message, r.hint, r.data) if r else None for r in refusals]


def told_to(engine: AnyEngine, played: Played[Any], seat: int | None) -> bytes:
    return b"\n".join(engine.events.dump(event) for event in seen_by(played.events, seat))


def test_hidden_information_does_not_change_what_a_seat_gets(setup):
    for position in positions(setup):
        for seat in everyone(setup):
            for world in position.worlds(seat):
                assert world.component_counts == position.component_counts
                assert world.gets(seat) == position.gets(seat)


def test_hidden_information_does_not_change_a_seats_boards(setup):
    for position in positions(setup):
        for seat, names in position.drawings:
            world = position.world(seat, 0)
            assert world.board(seat, names) == position.board(seat, names)


def test_an_imagined_position_depends_only_on_what_the_seat_knows_and_the_dice(setup):
    """Imagining an imagined position again with the same dice leads to the same position."""
    for position in positions(setup):
        for seat in position.onlookers:
            for number, world in enumerate(position.worlds(seat)):
                assert world.world(seat, number).state == world.state


def test_refusals_do_not_reveal_hidden_information(setup):
    for position in positions(setup):
        for seat in range(setup.seats):
            in_the_world = position.world(seat, 0).refusals(seat, attempts(position, seat))
            assert told(in_the_world) == told(refusals(position, seat))


def test_a_view_contains_only_what_was_already_known_and_what_later_events_revealed(setup):
    compared = 0
    for step in sampled_steps(setup):
        for seat in everyone(setup):
            played = played_in(step.before.world(seat, 0), step)
            if played and seen_by(played.events, seat) == seen_by(step.played.events, seat):
                compared += 1
                assert played.quiet == step.played.quiet
                assert step.after.with_state(played.state).gets(seat) == step.after.gets(seat)
    assert compared


def played_in(world: Position, step: Step) -> Played[Any] | None:
    """Return the result of the move in this position, or None if it is illegal."""
    try:
        return world.engine.play(world.state, step.seat, step.move, step.dice)
    except IllegalMove:
        return None


def test_others_learn_only_that_a_sealed_move_was_made(setup):
    engine, dice = setup.engine, Dice(seed_of("sealed", *setup.numbers))
    for step in sealed_steps(setup):
        instead = engine.sample(step.state, step.seat, dice)
        played = engine.play(step.state, step.seat, instead, step.dice)
        if not (step.played.quiet and played.quiet and engine.is_sealed(instead)):
            continue
        after = step.after.with_state(played.state)
        for seat in everyone(setup):
            if seat != step.seat:
                assert told_to(engine, played, seat) == told_to(engine, step.played, seat)
                assert after.gets(seat) == step.after.gets(seat)


def test_nobody_learns_that_a_sealed_move_was_replaced(setup):
    engine = setup.engine
    for step in sealed_steps(setup):
        if step.seat in step.before.awaited:
            continue
        assert step.played.quiet
        for seat in everyone(setup):
            if seat != step.seat:
                assert told_to(engine, step.played, seat) == b""
                assert step.after.gets(seat) == step.before.gets(seat)


def test_emails_do_not_contain_the_players_own_sealed_move(setup):
    engine, dice, names = setup.engine, Dice(seed_of("mailed", *setup.numbers)), Names(SHORT[: setup.seats])
    for step in sealed_steps(setup):
        instead = engine.sample(step.state, step.seat, dice)
        played = engine.play(step.state, step.seat, instead, step.dice)
        if step.played.quiet and played.quiet and engine.is_sealed(instead):
            worlds = (step.after.with_state(played.state), step.after)
            mailed = [engine.mailable(world.view(step.seat)) for world in worlds]
            assert engine.views.dump(mailed[0]) == engine.views.dump(mailed[1])
            if step.seat in step.after.onlookers:
                assert engine.board(mailed[0], names) == engine.board(mailed[1], names)


def sealed_steps(setup: Setup) -> list[Step]:
    return [step for step in steps(setup) if setup.engine.is_sealed(step.move)]


def test_every_setup_hides_something_from_everybody(setup):
    """If a setup hid nothing, the tests above would compare each position with itself."""
    engine, dice = setup.engine, Dice(seed_of("hidden", *setup.numbers))
    start = positions(setup)[0].state
    for seat in everyone(setup):
        assert any(engine.imagine(start, seat, dice) != start for _ in range(10))
