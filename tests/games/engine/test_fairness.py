"""The definitions of docs/fairness.md, implemented a second time only from the document."""

import hashlib
import hmac
import json

import pytest

from games.engine import fairness, receipts
from games.engine.dice import Dice

SECRET = bytes(range(32))
SALTS = ("ann's salt", "ben's sält")
TERMS = fairness.Terms("k7f3q", "coloretto", {"edition": "modern"}, fairness.secret_hash(SECRET), SALTS)
NONCE = "0123456789abcdef"


def h(*parts):
    return hashlib.sha256(b"".join(parts)).hexdigest()


def with_length(part):
    return len(part).to_bytes(4, "big") + part


def d(purpose, *parts):
    return h(purpose, *(with_length(part) for part in parts))


def canonical(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def test_the_hash_of_the_secret():
    assert fairness.secret_hash(SECRET) == h(SECRET)


def test_the_seed_depends_on_the_secret_and_on_every_salt():
    seed = fairness.match_seed(SECRET, SALTS)
    assert seed.hex() == h(b"turnpost seed 1\n", SECRET, *(with_length(salt.encode()) for salt in SALTS))
    assert len({seed, fairness.match_seed(SECRET, SALTS[::-1]), fairness.match_seed(bytes(32), SALTS)}) == 3
    assert fairness.match_seed(SECRET, ("ab", "c")) != fairness.match_seed(SECRET, ("a", "bc"))


def test_seats_are_drawn_with_the_last_stream_of_the_seed():
    seed = fairness.match_seed(SECRET, SALTS)
    assert fairness.seating(seed, 5) == Dice(seed, 2**64 - 1).shuffle([0, 1, 2, 3, 4])


def test_the_chain_starts_with_the_terms():
    written = {
        "game": "coloretto",
        "match": "k7f3q",
        "options": {"edition": "modern"},
        "salts": list(SALTS),
        "secret_hash": h(SECRET),
    }
    assert fairness.chain_start(TERMS) == h(b"turnpost chain 1\n", canonical(written))


def test_events_are_linked_by_their_leaves():
    seed, event = fairness.match_seed(SECRET, SALTS), b'{"event":"card_drawn","seat":1,"card":"G"}'
    public = h(b"turnpost event 1\n", event)
    blind = hmac.new(seed, b"turnpost blind 1\n7", "sha256").digest()
    hidden = h(b"turnpost hidden event 1\n", blind, event)
    assert fairness.public_leaf(event) == public
    assert fairness.private_leaf(seed, 7, event) == hidden
    assert fairness.link(public, hidden) == h(bytes.fromhex(public), bytes.fromhex(hidden))


def test_a_receipt_binds_what_is_shown_and_the_whole():
    shown, whole = canonical({"move": "bid"}), canonical({"move": "bid", "plan": ["red-2"]})
    shown_leaf = d(b"turnpost leaf 1\n", d(b"turnpost shown nonce 1\n", NONCE.encode()).encode(), shown)
    kept_leaf = d(b"turnpost leaf 1\n", d(b"turnpost kept nonce 1\n", NONCE.encode()).encode(), whole)
    expected = d(b"turnpost receipt 1\n", b"k7f3q", b"12", b"3", shown_leaf.encode(), kept_leaf.encode())
    assert receipts.receipt("k7f3q", 12, 3, NONCE, shown, whole) == expected


@pytest.mark.parametrize("change", [{"turn": 13}, {"seat": 2}, {"nonce": "0" * 64}, {"shown": {"move": "pass"}}])
def test_an_opened_receipt_matches_only_what_was_sealed(change):
    opened = receipts.opening("k7f3q", 12, 3, NONCE, canonical({"move": "bid"}), canonical({"move": "bid"}))
    assert receipts.opens("k7f3q", opened)
    forged = {field: getattr(opened, field) for field in opened.__struct_fields__} | change
    assert not receipts.opens("k7f3q", receipts.Opening(**forged))
