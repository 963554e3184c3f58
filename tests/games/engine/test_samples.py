"""Records of every schema of every game can still be loaded."""

import json

import pytest

from games.engine.dice import Dice
from games.engine.names import Names
from games.engine.registry import engines
from tests.games.engine.playing import seed_of
from tests.games.engine.sampling import kinds, path

STORED = [(engine, schema) for engine in engines() for schema in range(1, engine.states.schema + 1)]
NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve")


def ids(value):
    return getattr(value, "slug", f"schema {value}")


def stored(engine, schema, kind):
    records = json.loads(path(engine.slug, schema).read_text("utf-8"))[kind]
    return [json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode() for record in records]


@pytest.mark.parametrize(("engine", "schema"), STORED, ids=ids)
class TestStoredRecords:
    def test_a_match_can_be_continued_from_every_stored_state(self, engine, schema):
        for record in stored(engine, schema, "states"):
            state = engine.states.load(record)
            for seat in engine.awaiting(state):
                engine.play(state, seat, engine.on_timeout(state, seat), Dice(seed_of("on")))

    def test_views_can_be_loaded_and_rendered(self, engine, schema):
        for record in stored(engine, schema, "views"):
            assert engine.picture(engine.views.load(record), Names(NAMES))

    def test_every_kind_of_move_can_be_loaded_and_written(self, engine, schema):
        records = stored(engine, schema, "moves")
        assert all(engine.notation(engine.moves.load(record)) for record in records)
        assert {json.loads(record)["move"] for record in records} == kinds(engine.moves.kind)

    def test_every_kind_of_event_can_be_loaded(self, engine, schema):
        records = stored(engine, schema, "events")
        assert all(engine.events.load(record) for record in records)
        assert {json.loads(record)["event"] for record in records} == kinds(engine.events.kind)


@pytest.mark.parametrize("engine", engines(), ids=ids)
def test_records_of_the_current_schema_are_encoded_byte_for_byte_as_in_the_sample(engine):
    """If the JSON changes, it needs a new schema number, an upgrade and another sample."""
    for kind, codec in (
        ("states", engine.states),
        ("views", engine.views),
        ("moves", engine.moves),
        ("events", engine.events),
    ):
        for record in stored(engine, codec.schema, kind):
            assert codec.dump(codec.load(record)) == record
