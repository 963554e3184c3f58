"""Any input results in a value or a refusal with a message, never in another error."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.errors import BadSetup, EngineError, MalformedMove
from games.engine.registry import engines
from tests.games.engine.attempts import moves_of
from tests.games.engine.contract.test_moves import check_words
from tests.games.engine.sampling import kinds

every_game = pytest.mark.parametrize("engine", engines(), ids=lambda engine: engine.slug)
scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20)
json = st.recursive(scalars, lambda inner: st.lists(inner) | st.dictionaries(st.text(max_size=8), inner), max_leaves=8)


@every_game
@given(text=st.text())
def test_any_text_is_either_a_move_or_malformed(engine, text):
    understood_or_refused(MalformedMove, lambda: engine.notation(engine.parse(text)))


@every_game
@given(data=st.data())
def test_words_of_the_game_in_any_order_are_either_a_move_or_malformed(engine, data):
    words = sorted({word for example, _ in engine.notation_help for word in example.split()})
    drawn = data.draw(st.lists(st.sampled_from([*words, "0", "999", "-1", "A1", "Z99", "/", "row", ""]), max_size=8))
    understood_or_refused(MalformedMove, lambda: engine.parse(" ".join(drawn)))


@every_game
@given(raw=json)
def test_any_json_is_either_a_move_or_malformed(engine, raw):
    understood_or_refused(MalformedMove, lambda: engine.read_move(raw))


@every_game
@given(data=st.data())
def test_replacing_any_field_of_a_move_leads_to_another_move_or_a_malformed_one(engine, data):
    written = msgspec.to_builtins(data.draw(st.sampled_from(moves_of(engine.slug)[:200])))
    field = data.draw(st.sampled_from(sorted(written)))
    changed = written | {field: data.draw(json | st.sampled_from(sorted(kinds(engine.moves.kind))))}
    understood_or_refused(MalformedMove, lambda: engine.moves.dump(engine.read_move(changed)))


@every_game
@given(raw=json)
def test_any_json_is_either_accepted_as_options_or_refused(engine, raw):
    understood_or_refused(BadSetup, lambda: engine.read_options(raw))


def understood_or_refused(kind: type[EngineError], attempt) -> None:
    try:
        attempt()
    except kind as error:
        check_words(error)
