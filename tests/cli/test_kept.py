import stat

import pytest

from cli.kept import Kept

BID = {"move": "bid 5", "seat": 0, "receipt": "r"}


def match(head="h5", events=5, **changes):
    return {"id": "k7m2x9q4a", "turn": 3, "fairness": {"secret_hash": "s", "head": head, "events": events}, **changes}


@pytest.fixture
def kept(tmp_path):
    return Kept(tmp_path / "kept")


def test_a_match_is_remembered_as_it_was_seen(kept):
    kept.keep_match(match(), {"moves": []}, '"3-x"')
    remembered = kept.match("k7m2x9q4a")
    assert (remembered["match"], remembered["choices"], remembered["etag"]) == (match(), {"moves": []}, '"3-x"')


def test_what_is_remembered_is_for_its_owner_alone(kept):
    """A sealed bid is in it."""
    kept.keep_match(match(), None)
    path = kept.folder / "matches" / "k7m2x9q4a.json"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_the_figures_of_the_chain_are_noted_as_first_seen(kept):
    kept.keep_match(match(), None)
    kept.keep_match(match(head="other", events=5) | {"turn": 4}, None)
    kept.keep_match(match(head="h9", events=9), None)
    assert kept.match("k7m2x9q4a")["noted"] == {"secret_hash": "s", "heads": {"5": "h5", "9": "h9"}}


def test_another_secret_later_does_not_replace_the_first_that_was_noted(kept):
    kept.keep_match(match(), None)
    kept.keep_match({**match(), "fairness": {"secret_hash": "swapped", "head": "h6", "events": 6}}, None)
    assert kept.match("k7m2x9q4a")["noted"]["secret_hash"] == "s"


def test_a_move_that_could_not_be_sent_stays_until_it_is_dropped(kept):
    kept.keep_unsent({"match": "a", "move": "take 2", "turn": 3, "key": "k"})
    assert [order["move"] for order in kept.unsent()] == ["take 2"]
    kept.drop_unsent("a")
    assert kept.unsent() == []


def test_a_damaged_file_counts_as_never_seen(kept):
    kept.keep_match(match(), None)
    (kept.folder / "matches" / "k7m2x9q4a.json").write_text("{")
    assert kept.match("k7m2x9q4a") is None
    assert kept.matches() == []


DAMAGED = ("{}", "[]", '{"match": {}}', '{"seen_at": 1, "match": [], "choices": null}', "[" * 9999)


@pytest.mark.parametrize("written", DAMAGED)
def test_so_does_one_without_what_belongs_in_it(kept, written):
    kept.keep_match(match(), None)
    kept.keep_unsent({"match": "k7m2x9q4a", "move": "take 2", "turn": 3, "key": "k"})
    kept.note_sealed("k7m2x9q4a", 3, [BID])
    for path in kept.folder.rglob("*.json"):
        path.write_text(written)
    assert (kept.match("k7m2x9q4a"), kept.turn_seen("k7m2x9q4a"), kept.figures("k7m2x9q4a")) == (None, None, None)
    assert (kept.matches(), kept.unsent(), kept.unsent_for("k7m2x9q4a")) == ([], [], None)
    assert kept.sealed("k7m2x9q4a") == {}
    kept.keep_match(match(), None)
    assert kept.turn_seen("k7m2x9q4a") == 3


def test_so_does_what_cannot_be_read_at_all(kept):
    kept.make_current("k7m2x9q4a")
    kept.current_file.unlink()
    for path in (kept.current_file, kept.seen_file("k7m2x9q4a"), kept.unsent_file("k7m2x9q4a")):
        path.mkdir(parents=True)
    assert (kept.current, kept.matches(), kept.unsent()) == ("", [], [])


def test_figures_that_were_damaged_are_noted_anew(kept):
    kept.keep_match(match(), None)
    path = kept.seen_file("k7m2x9q4a")
    path.write_text(path.read_text().replace("heads", "tails"))
    kept.keep_match(match(head="h9", events=9), None)
    assert kept.figures("k7m2x9q4a") == {"secret_hash": "s", "heads": {"9": "h9"}}


def test_what_was_sealed_is_noted_by_turn_until_it_is_taken_back(kept):
    kept.note_sealed("k7m2x9q4a", 3, [BID])
    kept.note_sealed("k7m2x9q4a", 4, [BID])
    kept.note_sealed("k7m2x9q4a", 4, [])
    assert kept.sealed("k7m2x9q4a") == {"3": [BID]}


def test_of_an_open_game_nothing_is_noted_as_sealed(kept):
    kept.note_sealed("k7m2x9q4a", 3, [])
    assert not list(kept.folder.rglob("*.json"))
