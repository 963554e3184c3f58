import stat

import pytest

from cli.local_store import LocalStore

BID = {"move": "bid 5", "seat": 0, "receipt": "r"}


def match(head="h5", events=5, **changes):
    return {"id": "k7m2x9q4a", "turn": 3, "fairness": {"secret_hash": "s", "head": head, "events": events}, **changes}


@pytest.fixture
def store(tmp_path):
    return LocalStore(tmp_path / "store")


def test_a_match_is_saved_as_the_player_last_saw_it(store):
    store.save_snapshot(match(), {"moves": []})
    remembered = store.snapshot("k7m2x9q4a")
    assert (remembered["match"], remembered["choices"]) == (match(), {"moves": []})


def test_only_the_owner_can_read_saved_matches(store):
    """The file contains a sealed bid."""
    store.save_snapshot(match(), None)
    path = store.folder / "matches" / "k7m2x9q4a.json"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_an_unsent_move_stays_until_it_is_dropped(store):
    store.save_unsent({"match": "a", "move": "take 2", "turn": 3, "key": "k"})
    assert [order["move"] for order in store.unsent_moves()] == ["take 2"]
    store.drop_unsent("a")
    assert store.unsent_moves() == []


def test_a_damaged_file_is_treated_as_missing(store):
    store.save_snapshot(match(), None)
    (store.folder / "matches" / "k7m2x9q4a.json").write_text("{")
    assert store.snapshot("k7m2x9q4a") is None
    assert store.snapshots() == []


DAMAGED = ("{}", "[]", '{"match": {}}', '{"seen_at": 1, "match": [], "choices": null}', "[" * 9999)


@pytest.mark.parametrize("written", DAMAGED)
def test_a_file_without_the_required_fields_is_treated_as_missing(store, written):
    store.save_snapshot(match(), None)
    store.save_unsent({"match": "k7m2x9q4a", "move": "take 2", "turn": 3, "key": "k"})
    store.record_sent_moves("k7m2x9q4a", 3, [BID])
    store.save_notes("k7m2x9q4a", {"match": "k7m2x9q4a", "heads": {}})
    for path in store.folder.rglob("*.json"):
        path.write_text(written)
    assert (store.snapshot("k7m2x9q4a"), store.last_turn_seen("k7m2x9q4a")) == (None, None)
    assert (store.notes("k7m2x9q4a"), store.all_notes()) == ({}, [])
    assert (store.snapshots(), store.unsent_moves(), store.unsent_move("k7m2x9q4a")) == ([], [], None)
    assert store.sent_moves("k7m2x9q4a") == {}
    store.save_snapshot(match(), None)
    assert store.last_turn_seen("k7m2x9q4a") == 3


def test_an_unreadable_file_is_treated_as_missing(store):
    store.set_current("k7m2x9q4a")
    store.current_file.unlink()
    for path in (store.current_file, store.snapshot_file("k7m2x9q4a"), store.unsent_file("k7m2x9q4a")):
        path.mkdir(parents=True)
    assert (store.current, store.snapshots(), store.unsent_moves()) == ("", [], [])


def test_sealed_moves_are_saved_by_turn_until_they_are_taken_back(store):
    store.record_sent_moves("k7m2x9q4a", 3, [BID])
    store.record_sent_moves("k7m2x9q4a", 4, [BID])
    store.record_sent_moves("k7m2x9q4a", 4, [])
    assert store.sent_moves("k7m2x9q4a") == {"3": [BID]}


def test_no_sealed_moves_are_saved_for_a_game_without_them(store):
    store.record_sent_moves("k7m2x9q4a", 3, [])
    assert not list(store.folder.rglob("*.json"))
