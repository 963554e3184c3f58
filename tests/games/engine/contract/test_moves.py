"""In every game, offered moves are accepted, and all others are refused with a message."""

from functools import lru_cache
from typing import Any

import msgspec
import pytest

from games.engine.dice import Dice
from games.engine.errors import EngineError, IllegalMove, MalformedMove
from games.engine.registry import AnyEngine
from tests.games.engine.attempts import attempts, refusals, some
from tests.games.engine.offers import offered
from tests.games.engine.playing import new_match, positions, sampled_steps, seed_of, steps
from tests.games.engine.positions import PLAYS

REFUSED = Dice(seed_of("refused"))


def test_every_offered_move_is_accepted(setup):
    engine = setup.engine
    for step in sampled_steps(setup):
        for seat in range(setup.seats):
            offers = step.before.offers(seat)
            assert not any(step.before.refusals(seat, offers))
            for move in some(offers, setup.tries.plays, step.before.dice(PLAYS + seat)):
                played = engine.play(step.state, seat, move, step.dice)
                assert played.state != step.state or (played.quiet and engine.is_sealed(move))


def test_every_other_move_is_refused_with_a_message_and_changes_nothing(setup):
    engine, refused = setup.engine, 0
    for position in positions(setup):
        before = position.dumped
        for seat in range(setup.seats):
            for move, refusal in zip(attempts(position, seat), refusals(position, seat), strict=True):
                assert (refusal is None) == offered(position.choices(seat), move)
                if refusal:
                    refused += 1
                    check_words(refusal)
                    assert raised_by_play(engine, position.state, seat, move).code == refusal.code
        assert engine.states.dump(position.state) == before
    assert refused


def test_every_move_causes_an_event_unless_it_replaces_a_sealed_one(setup):
    """The hash chain relies on this (docs/fairness.md)."""
    for step in steps(setup):
        replaces = setup.engine.is_sealed(step.move) and step.seat not in step.before.awaited
        assert bool(step.played.events) != (replaces and step.played.quiet)


def raised_by_play(engine: AnyEngine, state: Any, seat: int, move: Any) -> IllegalMove:
    """Return the error that `play` raises. pytest's own helpers would be too slow for a million calls."""
    try:
        engine.play(state, seat, move, REFUSED)
    except IllegalMove as refusal:
        return refusal
    raise AssertionError(f"{move} was played")


def check_words(error: EngineError) -> None:
    assert error.code.isidentifier()
    assert error.code == error.code.lower()
    assert error.message.endswith((".", "?"))
    assert error.hint.endswith(".")
    assert msgspec.json.encode(error.data)


def test_the_notation_of_every_offered_move_can_be_parsed_back(setup):
    for position in positions(setup):
        for seat in range(setup.seats):
            assert all(leads_back(setup.engine, move) for move in position.offers(seat))


@lru_cache(maxsize=20_000)
def leads_back(engine: AnyEngine, move: Any) -> bool:
    written = engine.notation(move)
    variants = (written, written.upper(), f"  {written.replace(' ', '   ')}\t")
    return written == written.strip() and all(engine.parse(variant) == move for variant in variants)


def test_the_example_on_a_form_is_a_legal_move(setup):
    engine = setup.engine
    for position in positions(setup):
        for seat in range(setup.seats):
            for form in position.choices(seat).forms:
                assert engine.refusal(position.state, seat, engine.parse(form.example)) is None


def test_the_examples_in_the_help_are_moves(setup):
    for example, meaning in setup.engine.notation_help:
        assert setup.engine.parse(example)
        assert meaning


@pytest.mark.parametrize("text", ["", " ", "?", "xyzzy", "xyzzy 2", "1", "\0", "☃", "draw\nbid 1", "9" * 5000])
def test_malformed_text_is_refused_with_a_message(setup, text):
    with pytest.raises(MalformedMove) as caught:
        setup.engine.parse(text)
    check_words(caught.value)


@pytest.mark.parametrize("raw", [{}, [], "draw", None, 7, {"move": "xyzzy"}, {"move": 1}, {"move": None}, {"row": 2}])
def test_malformed_json_is_refused_with_a_message(setup, raw):
    with pytest.raises(MalformedMove) as caught:
        setup.engine.read_move(raw)
    check_words(caught.value)
    assert caught.value.data["allowed"]


def test_a_random_move_is_legal(setup):
    engine, dice = setup.engine, Dice(seed_of("samples", *setup.numbers))
    state = new_match(setup, seed_of("samples", *setup.numbers)).state
    for seat in engine.awaiting(state):
        assert all(engine.refusal(state, seat, engine.sample(state, seat, dice)) is None for _ in range(50))
