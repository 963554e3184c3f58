"""What is stored and sent: every record of every game comes back from its JSON form as it was."""

from typing import Any

import msgspec

from games.engine.base import Outcome
from games.engine.records import Codec
from tests.games.engine.playing import journeys, new_match, positions, sampled_steps, seed_of


def comes_back(codec: Codec[Any], record: Any) -> bool:
    dumped = codec.dump(record)
    loaded = codec.load(dumped)
    return bool(loaded == record) and type(loaded) is type(record) and codec.dump(loaded) == dumped


def test_states_come_back_from_their_json_form(setup):
    assert all(comes_back(setup.engine.states, position.state) for position in positions(setup))


def test_views_come_back_from_their_json_form(setup):
    for position in positions(setup):
        assert all(comes_back(setup.engine.views, position.view(seat)) for seat in position.onlookers)


def test_events_come_back_from_their_json_form(setup):
    dealt = new_match(setup, seed_of("events", *setup.numbers)).events
    happened = [event for step in sampled_steps(setup) for event in step.played.events]
    assert all(comes_back(setup.engine.events, event) for event in (*dealt, *happened))


def test_moves_come_back_from_their_json_form_and_are_read_from_outside(setup):
    for step in sampled_steps(setup):
        assert comes_back(setup.engine.moves, step.move)
        assert setup.engine.read_move(msgspec.json.decode(setup.engine.moves.dump(step.move))) == step.move


def test_outcomes_come_back_from_their_json_form(setup):
    for journey in journeys(setup):
        assert comes_back(Codec(Outcome), setup.engine.outcome(journey[-1].played.state))


def test_choices_have_a_json_form(setup):
    for position in positions(setup):
        assert all(msgspec.json.encode(position.choices(seat)) for seat in range(setup.seats))


def test_options_come_back_from_outside(setup):
    assert setup.engine.read_options(msgspec.to_builtins(setup.options)) == setup.options


def test_states_moves_and_views_name_their_schema_version(setup):
    engine, step = setup.engine, sampled_steps(setup)[0]
    for codec, record in (
        (engine.states, step.state),
        (engine.moves, step.move),
        (engine.views, engine.view(step.state, None)),
    ):
        assert msgspec.json.decode(codec.dump(record))["schema"] == codec.schema
