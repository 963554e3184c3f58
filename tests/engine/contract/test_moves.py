"""Moves of every game: what is offered is accepted, what is not offered is refused in words."""

from typing import Any

import msgspec
import pytest

from games.engine.dice import Dice
from games.engine.errors import EngineError, IllegalMove, MalformedMove
from games.engine.registry import AnyEngine
from tests.engine.attempts import some_moves
from tests.engine.offers import all_offered, offered
from tests.engine.playing import new_match, positions, sampled_steps, seed_of


def test_every_move_on_offer_is_accepted(setup):
    engine, dice = setup.engine, Dice(seed_of("offers"))
    for step in sampled_steps(setup):
        for seat in range(setup.seats):
            for move in all_offered(engine, engine.choices(step.state, seat), dice):
                assert engine.refusal(step.state, seat, move) is None
                played = engine.play(step.state, seat, move, step.dice)
                assert played.state != step.state or (played.quiet and engine.is_sealed(move))


def test_every_other_move_is_refused_in_words_and_changes_nothing(setup):
    engine, dice, refused = setup.engine, Dice(seed_of("others")), 0
    for state in positions(setup):
        before = engine.states.dump(state)
        for seat in range(setup.seats):
            choices = engine.choices(state, seat)
            for move in some_moves(setup, dice):
                refusal = engine.refusal(state, seat, move)
                assert (refusal is None) == offered(choices, move)
                if refusal:
                    refused += 1
                    check_words(refusal)
                    assert raised_by_play(engine, state, seat, move).code == refusal.code
        assert engine.states.dump(state) == before
    assert refused


def raised_by_play(engine: AnyEngine, state: Any, seat: int, move: Any) -> IllegalMove:
    with pytest.raises(IllegalMove) as caught:
        engine.play(state, seat, move, Dice(seed_of("refused")))
    return caught.value


def check_words(error: EngineError) -> None:
    assert error.code.isidentifier()
    assert error.code == error.code.lower()
    assert error.message.endswith((".", "?"))
    assert error.hint.endswith(".")
    assert msgspec.json.encode(error.data)


def test_the_notation_of_every_move_on_offer_leads_back_to_it(setup):
    engine, dice = setup.engine, Dice(seed_of("notation"))
    for state in positions(setup):
        for seat in range(setup.seats):
            for move in all_offered(engine, engine.choices(state, seat), dice):
                written = engine.notation(move)
                assert written == written.strip()
                for variant in (written, written.upper(), f"  {written.replace(' ', '   ')}\t"):
                    assert engine.parse(variant) == move


def test_the_example_on_a_form_is_itself_a_legal_move(setup):
    engine = setup.engine
    for state in positions(setup):
        for seat in range(setup.seats):
            for form in engine.choices(state, seat).forms:
                assert engine.refusal(state, seat, engine.parse(form.example)) is None


def test_the_examples_in_the_help_are_moves(setup):
    for example, meaning in setup.engine.notation_help:
        assert setup.engine.parse(example)
        assert meaning


@pytest.mark.parametrize("text", ["", " ", "?", "xyzzy", "xyzzy 2", "1", "\0", "☃", "draw\nbid 1", "9" * 5000])
def test_what_is_no_move_at_all_is_refused_in_words(setup, text):
    with pytest.raises(MalformedMove) as caught:
        setup.engine.parse(text)
    check_words(caught.value)


@pytest.mark.parametrize("raw", [{}, [], "draw", None, 7, {"move": "xyzzy"}, {"move": 1}, {"move": None}, {"row": 2}])
def test_json_that_is_no_move_is_refused_in_words(setup, raw):
    with pytest.raises(MalformedMove) as caught:
        setup.engine.read_move(raw)
    check_words(caught.value)
    assert caught.value.data["allowed"]


def test_a_random_move_is_a_legal_one(setup):
    engine, dice = setup.engine, Dice(seed_of("samples"))
    state = new_match(setup, seed_of("samples")).state
    for seat in engine.awaiting(state):
        assert all(engine.refusal(state, seat, engine.sample(state, seat, dice)) is None for _ in range(50))
