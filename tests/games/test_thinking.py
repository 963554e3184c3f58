import gc

import msgspec
import pytest

from games.bots import thinker
from games.engine.dice import Dice
from games.engine.registry import engine
from games.services import thinking

SEED = b"\5" * 32


@pytest.fixture
def in_processes(settings, monkeypatch):
    settings.BOT_PROCESSES = 1
    thinkers = thinking.Thinkers()
    monkeypatch.setattr(thinking, "_thinkers", thinkers)
    yield thinkers
    thinkers.stop()


def position(game, seats=3):
    rules = engine(game)
    state = rules.new_match(seats, rules.read_options({}), Dice(SEED)).state
    return rules, state, min(rules.awaiting(state))


@pytest.mark.parametrize("game", ["coloretto", "colorado-county"])
def test_a_process_is_reused_for_the_next_decision(in_processes, game):
    rules, state, seat = position(game)
    for level in ("easy", "normal"):
        move = thinking.decide(rules, state, seat, level, 1.0)
        assert rules.refusal(state, seat, move) is None
    assert len(in_processes._idle) == 1


def test_a_process_that_has_ended_is_replaced(in_processes):
    rules, state, seat = position("coloretto")
    thinking.decide(rules, state, seat, "easy", 1.0)
    in_processes._idle[0].stop()
    assert rules.refusal(state, seat, thinking.decide(rules, state, seat, "easy", 1.0)) is None


def test_a_bot_that_takes_too_long_is_stopped_and_makes_a_minimal_move(in_processes, monkeypatch, caplog):
    monkeypatch.setattr(thinking, "GRACE", -29.99)
    rules, state, seat = position("colorado-county")
    assert thinking.decide(rules, state, seat, "hard", 30.0) == rules.on_timeout(state, seat)
    assert "minimal move" in caplog.text


def test_a_review_is_not_stopped_because_the_machine_is_busy(in_processes, monkeypatch):
    """Its budget is CPU time, however long that takes."""
    monkeypatch.setattr(thinking, "GRACE", -0.99)
    rules, state, seat = position("colorado-county")
    found = thinking.compare(rules, state, seat, rules.sample(state, seat, Dice(SEED)), 1.0)
    assert found
    assert 0 < found.chance <= found.best_chance


def test_a_review_that_takes_too_long_is_stopped(in_processes, monkeypatch):
    monkeypatch.setattr(thinking, "LONGEST_REVIEW", 0.01)
    rules, state, seat = position("colorado-county")
    with pytest.raises(thinking.ThinkingFailed):
        thinking.compare(rules, state, seat, rules.sample(state, seat, Dice(SEED)), 30.0)


def test_a_bot_that_crashes_makes_a_minimal_move(in_processes, caplog):
    rules, state, seat = position("coloretto")
    assert thinking.decide(rules, state, seat, "godlike", 1.0) == rules.on_timeout(state, seat)
    assert "godlike" in caplog.text


@pytest.fixture
def collections():
    """Collect garbage as often as possible, and return a list that grows with every collection."""
    found: list[int] = []
    usual, count = gc.get_threshold(), lambda phase, facts: found.append(facts["generation"])
    gc.callbacks.append(count)
    gc.set_threshold(1)
    yield found
    gc.set_threshold(*usual)
    gc.callbacks.remove(count)


def test_no_garbage_collection_interrupts_a_decision(collections):
    rules, state, seat = position("colorado-county")
    asked = msgspec.json.encode(thinking.question(rules, state, seat, 1.0, level="normal"))
    assert collections
    collections.clear()
    thinker.find(msgspec.json.decode(asked, type=thinker.Question))
    often = len(collections)
    collections.clear()
    assert thinker.answer(asked).failure == ""
    assert len(collections) < 10 < often
    assert gc.isenabled()
