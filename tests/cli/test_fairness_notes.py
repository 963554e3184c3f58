"""The client records facts about a match during the match."""

import pytest

from cli.fairness_notes import note_match, share_for
from cli.local_store import LocalStore

MATCH = "k7m2x9q4a"


def match(head="h5", events=5, **changes):
    fairness = {"secret_hash": "s", "head": head, "events": events}
    return {"id": MATCH, "turn": 3, "phase": "running", "fairness": fairness, **changes}


@pytest.fixture
def store(tmp_path):
    return LocalStore(tmp_path / "store")


def test_the_first_hash_that_the_client_sees_for_an_event_is_kept(store):
    for seen in (match(), match(head="other"), match(head="h9", events=9)):
        note_match(store, seen)
    heads = store.notes(MATCH)["heads"]
    assert {number: noted["head"] for number, noted in heads.items()} == {"5": "h5", "9": "h9"}
    assert store.notes(MATCH)["other_heads"]["5"]["head"] == "other"


def test_the_first_hash_of_the_secret_is_kept(store):
    note_match(store, match())
    note_match(store, match() | {"fairness": {"secret_hash": "swapped", "head": "h6", "events": 6}})
    assert store.notes(MATCH)["secret_hash"] == "s"


def test_a_salt_is_recorded_before_it_is_sent_and_reused_on_a_retry(store):
    published = {"secret_hash": "a" * 64, "salts": "open", "players": []}
    first = share_for(store, MATCH, published)
    assert store.notes(MATCH)["salt"] == first["salt"]
    assert store.notes(MATCH)["hash_before_salt"] == "a" * 64
    assert share_for(store, MATCH, published) == first


def test_only_the_hash_of_a_committed_salt_is_sent(store):
    share = share_for(store, MATCH, {"secret_hash": "a" * 64, "salts": "committed", "players": []})
    assert list(share) == ["commitment"]
    assert store.notes(MATCH)["salt"] not in share["commitment"]


def test_notes_of_the_wrong_type_are_ignored(store):
    heads = {"5": "h5", "6": {"turn": 1, "head": "h6"}}
    views = {"5": "v5", "6": [{"schema": "1", "hash": "v6"}, {"schema": 1, "hash": "v6"}]}
    refused = ["draw", {"turn": 1, "move": "draw"}]
    wrong = {"heads": heads, "other_heads": heads, "views": views, "refused": refused, "seat": "2"}
    store.save_notes(MATCH, {"match": MATCH, **wrong})
    assert store.notes(MATCH) == {
        "match": MATCH,
        "heads": {"6": {"turn": 1, "head": "h6"}},
        "other_heads": {"6": {"turn": 1, "head": "h6"}},
        "views": {"5": [], "6": [{"schema": 1, "hash": "v6"}]},
        "refused": [{"turn": 1, "move": "draw"}],
    }
