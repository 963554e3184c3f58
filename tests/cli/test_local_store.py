import stat

import pytest

from cli.local_store import LocalStore

BID = {"move": "bid 5", "seat": 0, "receipt": "r"}


def match(head="h5", events=5, **changes):
    return {"id": "k7m2x9q4a", "turn": 3, "fairness": {"secret_hash": "s", "head": head, "events": events}, **changes}


@pytest.fixture
def store(tmp_path):
    return LocalStore(tmp_path / "store")


def test_a_match_is_remembered_as_it_was_seen(store):
    store.save_snapshot(match(), {"moves": []}, '"3-x"')
    remembered = store.snapshot("k7m2x9q4a")
    assert (remembered["match"], remembered["choices"], remembered["etag"]) == (match(), {"moves": []}, '"3-x"')


def test_what_is_remembered_is_for_its_owner_alone(store):
    """A sealed bid is in it."""
    store.save_snapshot(match(), None)
    path = store.folder / "matches" / "k7m2x9q4a.json"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_the_figures_of_the_chain_are_noted_as_first_seen(store):
    store.save_snapshot(match(), None)
    store.save_snapshot(match(head="other", events=5) | {"turn": 4}, None)
    store.save_snapshot(match(head="h9", events=9), None)
    assert store.snapshot("k7m2x9q4a")["published"] == {"secret_hash": "s", "heads": {"5": "h5", "9": "h9"}}


def test_another_secret_later_does_not_replace_the_first_that_was_noted(store):
    store.save_snapshot(match(), None)
    store.save_snapshot({**match(), "fairness": {"secret_hash": "swapped", "head": "h6", "events": 6}}, None)
    assert store.snapshot("k7m2x9q4a")["published"]["secret_hash"] == "s"


def test_a_move_that_could_not_be_sent_stays_until_it_is_dropped(store):
    store.save_unsent({"match": "a", "move": "take 2", "turn": 3, "key": "k"})
    assert [order["move"] for order in store.unsent_moves()] == ["take 2"]
    store.drop_unsent("a")
    assert store.unsent_moves() == []


def test_a_damaged_file_counts_as_never_seen(store):
    store.save_snapshot(match(), None)
    (store.folder / "matches" / "k7m2x9q4a.json").write_text("{")
    assert store.snapshot("k7m2x9q4a") is None
    assert store.snapshots() == []


DAMAGED = ("{}", "[]", '{"match": {}}', '{"seen_at": 1, "match": [], "choices": null}', "[" * 9999)


@pytest.mark.parametrize("written", DAMAGED)
def test_so_does_one_without_what_belongs_in_it(store, written):
    store.save_snapshot(match(), None)
    store.save_unsent({"match": "k7m2x9q4a", "move": "take 2", "turn": 3, "key": "k"})
    store.record_sealed_moves("k7m2x9q4a", 3, [BID])
    for path in store.folder.rglob("*.json"):
        path.write_text(written)
    assert (store.snapshot("k7m2x9q4a"), store.last_turn_seen("k7m2x9q4a"), store.published_hashes("k7m2x9q4a")) == (
        None,
        None,
        None,
    )
    assert (store.snapshots(), store.unsent_moves(), store.unsent_move("k7m2x9q4a")) == ([], [], None)
    assert store.sealed_moves("k7m2x9q4a") == {}
    store.save_snapshot(match(), None)
    assert store.last_turn_seen("k7m2x9q4a") == 3


def test_so_does_what_cannot_be_read_at_all(store):
    store.set_current("k7m2x9q4a")
    store.current_file.unlink()
    for path in (store.current_file, store.snapshot_file("k7m2x9q4a"), store.unsent_file("k7m2x9q4a")):
        path.mkdir(parents=True)
    assert (store.current, store.snapshots(), store.unsent_moves()) == ("", [], [])


def test_figures_that_were_damaged_are_noted_anew(store):
    store.save_snapshot(match(), None)
    path = store.snapshot_file("k7m2x9q4a")
    path.write_text(path.read_text().replace("heads", "tails"))
    store.save_snapshot(match(head="h9", events=9), None)
    assert store.published_hashes("k7m2x9q4a") == {"secret_hash": "s", "heads": {"9": "h9"}}


def test_what_was_sealed_is_noted_by_turn_until_it_is_taken_back(store):
    store.record_sealed_moves("k7m2x9q4a", 3, [BID])
    store.record_sealed_moves("k7m2x9q4a", 4, [BID])
    store.record_sealed_moves("k7m2x9q4a", 4, [])
    assert store.sealed_moves("k7m2x9q4a") == {"3": [BID]}


def test_of_an_open_game_nothing_is_noted_as_sealed(store):
    store.record_sealed_moves("k7m2x9q4a", 3, [])
    assert not list(store.folder.rglob("*.json"))
