"""In every game, all records survive conversion to JSON and back."""

from typing import Any

import msgspec

from games.engine.base import Outcome
from games.engine.records import Codec
from tests.games.engine.playing import new_match, positions, sampled_steps, seed_of, whole_matches


def comes_back(codec: Codec[Any], record: Any) -> bool:
    dumped = codec.dump(record)
    loaded = codec.load(dumped)
    return bool(loaded == record) and type(loaded) is type(record) and codec.dump(loaded) == dumped


def test_states_survive_conversion_to_json(setup):
    assert all(comes_back(setup.engine.states, position.state) for position in positions(setup))


def test_views_survive_conversion_to_json(setup):
    for position in positions(setup):
        assert all(comes_back(setup.engine.views, position.view(seat)) for seat in position.onlookers)


def test_events_survive_conversion_to_json(setup):
    dealt = new_match(setup, seed_of("events", *setup.numbers)).events
    happened = [event for step in sampled_steps(setup) for event in step.played.events]
    assert all(comes_back(setup.engine.events, event) for event in (*dealt, *happened))


def test_moves_survive_conversion_to_json_and_can_be_read_from_requests(setup):
    for step in sampled_steps(setup):
        assert comes_back(setup.engine.moves, step.move)
        assert setup.engine.read_move(msgspec.json.decode(setup.engine.moves.dump(step.move))) == step.move


def test_outcomes_survive_conversion_to_json(setup):
    for match in whole_matches(setup):
        assert comes_back(Codec(Outcome), setup.engine.outcome(match[-1].played.state))


def test_choices_can_be_converted_to_json(setup):
    for position in positions(setup):
        assert all(msgspec.json.encode(position.choices(seat)) for seat in range(setup.seats))


def test_options_survive_conversion_to_json(setup):
    assert setup.engine.read_options(msgspec.to_builtins(setup.options)) == setup.options


def test_states_and_moves_and_views_contain_their_schema_version(setup):
    engine, step = setup.engine, sampled_steps(setup)[0]
    for codec, record in (
        (engine.states, step.state),
        (engine.moves, step.move),
        (engine.views, engine.view(step.state, None)),
    ):
        assert msgspec.json.decode(codec.dump(record))["schema"] == codec.schema
