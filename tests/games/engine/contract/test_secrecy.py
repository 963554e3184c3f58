"""What a seat may not know changes nothing that it can get.

A position is compared with others that the seat must not be able to tell from it (`imagine`). After a move,
something hidden may rightly have come to light, and then it is in an event that the seat may see. So the
worlds are compared again when its events are the same: a view never knows more than what was seen before
and what was told since.

A board is made from a view, and pictures from the board. What the view does not show they cannot show, as long as they
are made from it alone; that is compared too, for the boards that a position is looked at with.
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


def test_what_a_seat_may_not_know_changes_nothing_it_gets(setup):
    for position in positions(setup):
        for seat in everyone(setup):
            for world in position.worlds(seat):
                assert world.component_counts == position.component_counts
                assert world.gets(seat) == position.gets(seat)


def test_what_a_seat_may_not_know_changes_nothing_in_its_boards(setup):
    for position in positions(setup):
        for seat, names in position.drawings:
            world = position.world(seat, 0)
            assert world.board(seat, names) == position.board(seat, names)


def test_what_is_imagined_follows_from_what_the_seat_knows_and_the_dice(setup):
    """So it is the same again when it is imagined from what was imagined, with the same dice."""
    for position in positions(setup):
        for seat in position.onlookers:
            for number, world in enumerate(position.worlds(seat)):
                assert world.world(seat, number).state == world.state


def test_refusals_tell_nothing_that_is_hidden(setup):
    for position in positions(setup):
        for seat in range(setup.seats):
            in_the_world = position.world(seat, 0).refusals(seat, attempts(position, seat))
            assert told(in_the_world) == told(refusals(position, seat))


def test_a_view_knows_no_more_than_what_was_seen_before_and_told_since(setup):
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
    """What the move leads to there, if it can be made there at all."""
    try:
        return world.engine.play(world.state, step.seat, step.move, step.dice)
    except IllegalMove:
        return None


def test_a_sealed_move_tells_others_nothing_but_that_it_came(setup):
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


def test_mail_to_a_player_does_not_repeat_what_they_sealed(setup):
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


def test_something_is_hidden_from_everybody(setup):
    """Otherwise the tests above would compare each world with itself."""
    engine, dice = setup.engine, Dice(seed_of("hidden", *setup.numbers))
    start = positions(setup)[0].state
    for seat in everyone(setup):
        assert any(engine.imagine(start, seat, dice) != start for _ in range(10))
