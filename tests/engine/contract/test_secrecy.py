"""What a seat may not know changes nothing that it can get.

A position is compared with others that the seat must not be able to tell from it (`imagine`). After a move,
something hidden may rightly have come to light, and then it is in an event that the seat may see. So the
worlds are compared again when its events are the same: a view never knows more than what was seen before
and what was told since.
"""

from typing import Any

import msgspec

from games.engine.base import Played
from games.engine.dice import Dice
from games.engine.records import seen_by
from games.engine.registry import AnyEngine
from tests.engine.attempts import some_moves
from tests.engine.playing import Step, positions, sampled_steps, seed_of, steps
from tests.engine.setups import Setup

WORLDS = 2


def everyone(setup: Setup) -> tuple[int | None, ...]:
    return (*range(setup.seats), None)


def all_it_gets(engine: AnyEngine, state: Any, seat: int | None) -> bytes:
    """View, choices, who is awaited, the result and the move a timeout would make."""
    awaited = sorted(engine.awaiting(state))
    own = () if seat is None else (engine.choices(state, seat),)
    in_its_place = engine.on_timeout(state, seat) if seat in awaited and seat is not None else None
    return msgspec.json.encode([engine.view(state, seat), awaited, own, engine.outcome(state), in_its_place])


def refusals(setup: Setup, state: Any, seat: int, moves: list[Any]) -> list[Any]:
    found = [setup.engine.refusal(state, seat, move) for move in moves]
    return [(r.code, r.message, r.hint, r.data) if r else None for r in found]


def told_to(engine: AnyEngine, played: Played[Any], seat: int | None) -> bytes:
    return b"\n".join(engine.events.dump(event) for event in seen_by(played.events, seat))


def test_what_a_seat_may_not_know_changes_nothing_it_gets(setup):
    engine, dice = setup.engine, Dice(seed_of("worlds"))
    for state in positions(setup):
        for seat in everyone(setup):
            for _ in range(WORLDS):
                other = engine.imagine(state, seat, dice)
                assert engine.census(other) == engine.census(state)
                assert all_it_gets(engine, other, seat) == all_it_gets(engine, state, seat)


def test_what_is_imagined_follows_from_what_the_seat_knows_and_the_dice(setup):
    engine = setup.engine
    for number, state in enumerate(positions(setup)):
        for seat in everyone(setup):
            other = engine.imagine(state, seat, Dice(seed_of("first", number)))
            again = [engine.imagine(world, seat, Dice(seed_of("then", number))) for world in (state, other)]
            assert again[0] == again[1]


def test_refusals_tell_nothing_that_is_hidden(setup):
    engine, dice = setup.engine, Dice(seed_of("refusals"))
    for state in positions(setup):
        for seat in range(setup.seats):
            moves = some_moves(setup, dice)
            other = engine.imagine(state, seat, dice)
            assert refusals(setup, other, seat, moves) == refusals(setup, state, seat, moves)


def test_a_view_knows_no_more_than_what_was_seen_before_and_told_since(setup):
    engine, dice, compared = setup.engine, Dice(seed_of("knowledge")), 0
    for step in sampled_steps(setup):
        for seat in everyone(setup):
            other = engine.imagine(step.state, seat, dice)
            if engine.refusal(other, step.seat, step.move):
                continue
            played = engine.play(other, step.seat, step.move, step.dice)
            if told_to(engine, played, seat) == told_to(engine, step.played, seat):
                compared += 1
                assert played.quiet == step.played.quiet
                assert all_it_gets(engine, played.state, seat) == all_it_gets(engine, step.played.state, seat)
    assert compared


def test_a_sealed_move_tells_others_nothing_but_that_it_came(setup):
    engine, dice = setup.engine, Dice(seed_of("sealed"))
    for step in sealed_steps(setup):
        instead = engine.sample(step.state, step.seat, dice)
        played = engine.play(step.state, step.seat, instead, step.dice)
        if not (step.played.quiet and played.quiet and engine.is_sealed(instead)):
            continue
        for seat in everyone(setup):
            if seat != step.seat:
                assert told_to(engine, played, seat) == told_to(engine, step.played, seat)
                assert all_it_gets(engine, played.state, seat) == all_it_gets(engine, step.played.state, seat)


def test_nobody_learns_that_a_sealed_move_was_replaced(setup):
    engine = setup.engine
    for step in sealed_steps(setup):
        if step.seat in engine.awaiting(step.state):
            continue
        assert step.played.quiet
        for seat in everyone(setup):
            if seat != step.seat:
                assert told_to(engine, step.played, seat) == b""
                assert all_it_gets(engine, step.played.state, seat) == all_it_gets(engine, step.state, seat)


def test_mail_to_a_player_does_not_repeat_what_they_sealed(setup):
    engine, dice = setup.engine, Dice(seed_of("mailed"))
    for step in sealed_steps(setup):
        instead = engine.sample(step.state, step.seat, dice)
        played = engine.play(step.state, step.seat, instead, step.dice)
        if step.played.quiet and played.quiet and engine.is_sealed(instead):
            mailed = [engine.mailable(engine.view(world.state, step.seat)) for world in (played, step.played)]
            assert engine.views.dump(mailed[0]) == engine.views.dump(mailed[1])


def sealed_steps(setup: Setup) -> list[Step]:
    return [step for step in steps(setup) if setup.engine.is_sealed(step.move)]


def test_something_is_hidden_from_everybody(setup):
    """Otherwise the tests above would compare each world with itself."""
    engine, dice = setup.engine, Dice(seed_of("hidden"))
    start = positions(setup)[0]
    for seat in everyone(setup):
        assert any(engine.imagine(start, seat, dice) != start for _ in range(10))
