"""A second implementation of docs/fairness.md, based only on the document, leads to the same results."""

import hashlib
import hmac
import json

import pytest

from games.engine import fairness, receipts
from games.engine.dice import Dice
from games.engine.records import Event

SECRET = bytes(range(32))
SALTS = ("ann's salt", "~ ben's salt")
PSEUDONYM = "9f" * 32
PLAYERS = (
    fairness.Contribution(1, "player", SALTS[0], None, PSEUDONYM),
    fairness.Contribution(3, "server", SALTS[1], None, PSEUDONYM),
)
TERMS = fairness.Terms(
    match="k7f3q",
    game="coloretto",
    rules=1,
    options={"edition": "modern"},
    salts="open",
    secret_hash=fairness.secret_hash(SECRET),
    players=PLAYERS,
    started_at="2026-11-17T14:05:09.000120Z",
)
NONCE = "0123456789abcdef" * 2
AT = "2026-11-17T15:00:00.000000Z"


def h(*parts):
    return hashlib.sha256(b"".join(parts)).hexdigest()


def with_length(part):
    return len(part).to_bytes(4, "big") + part


def d(purpose, *parts):
    return h(purpose, *(with_length(part) for part in parts))


def canonical(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def test_the_hash_of_the_secret_matches_the_document():
    assert fairness.secret_hash(SECRET) == h(SECRET)


def test_the_seed_depends_on_the_secret_and_on_every_salt():
    seed = fairness.match_seed(SECRET, SALTS)
    assert seed.hex() == h(b"turnpost seed 2\n", SECRET, *(with_length(salt.encode()) for salt in SALTS))
    assert len({seed, fairness.match_seed(SECRET, SALTS[::-1]), fairness.match_seed(bytes(32), SALTS)}) == 3
    assert fairness.match_seed(SECRET, ("ab", "c")) != fairness.match_seed(SECRET, ("a", "bc"))


def test_a_salt_that_was_not_revealed_counts_as_empty():
    assert fairness.match_seed(SECRET, ("a", None)).hex() == h(
        b"turnpost seed 2\n", SECRET, with_length(b"a"), with_length(b"")
    )


def test_commitments_and_pseudonyms_are_bound_to_the_match():
    assert fairness.commitment("k7f3q", "my salt") == d(b"turnpost commitment 2\n", b"k7f3q", b"my salt")
    assert fairness.pseudonym("k7f3q", "5f0e", "ann") == d(b"turnpost pseudonym 2\n", b"k7f3q", b"5f0e", b"ann")


def test_seats_are_drawn_with_the_last_stream_of_the_seed():
    seed = fairness.match_seed(SECRET, SALTS)
    assert fairness.seating(seed, 5) == Dice(seed, 2**64 - 1).shuffle([0, 1, 2, 3, 4])


def test_the_chain_starts_with_the_terms():
    written = {
        "protocol": 2,
        "game": "coloretto",
        "rules": 1,
        "match": "k7f3q",
        "options": {"edition": "modern"},
        "salts": "open",
        "secret_hash": h(SECRET),
        "players": [
            {"position": 1, "by": "player", "salt": SALTS[0], "commitment": None, "pseudonym": PSEUDONYM},
            {"position": 3, "by": "server", "salt": SALTS[1], "commitment": None, "pseudonym": PSEUDONYM},
        ],
        "started_at": "2026-11-17T14:05:09.000120Z",
    }
    assert fairness.chain_start(TERMS) == h(b"turnpost chain 2\n", canonical(written))


def test_the_leaf_of_an_event_links_it_to_the_chain():
    seed, event = fairness.match_seed(SECRET, SALTS), b'{"card":"G","event":"card_drawn","seat":1}'
    public = h(b"turnpost event 2\n", event)
    blind = hmac.new(seed, b"turnpost blind 2\n7", "sha256").digest()
    hidden = h(b"turnpost hidden event 2\n", blind, event)
    assert fairness.public_leaf(event) == public
    assert fairness.private_leaf(seed, 7, event) == hidden
    assert fairness.link(public, hidden) == h(bytes.fromhex(public), bytes.fromhex(hidden))


class Drawn(Event, frozen=True, tag="card_drawn"):
    seat: int
    card: str


def made(seat, receipt=None, by="player", move=None):
    return fairness.MadeMove(AT, by, move, receipt, seat, 4)


def test_a_move_is_linked_before_its_first_event():
    cause, _ = fairness.link_move((), made(1, move={"move": "draw", "schema": 1}), advanced=True)
    written = {
        "at": AT,
        "by": "player",
        "move": {"move": "draw", "schema": 1},
        "reveals": [],
        "seat": 1,
        "turn": 4,
    }
    chain = fairness.Chain(bytes(32), "00" * 32)
    events = chain.append((Drawn(1, "G"), Drawn(1, "B")), 5, cause)
    head = bytes(32)
    for purpose, value in (
        (b"turnpost move 2\n", written),
        (b"turnpost event 2\n", {"event": "card_drawn", "seat": 1, "card": "G"}),
        (b"turnpost event 2\n", {"event": "card_drawn", "seat": 1, "card": "B"}),
    ):
        head = hashlib.sha256(head + hashlib.sha256(purpose + canonical(value)).digest()).digest()
    assert chain.head == head.hex()
    assert [bool(event.cause) for event in events] == [True, False]


def test_a_move_without_events_leaves_no_trace():
    chain = fairness.Chain(bytes(32), "00" * 32)
    cause, _ = fairness.link_move((), made(1, "r1"), advanced=False)
    assert chain.append((), 4, cause) == []
    assert chain.head == "00" * 32


def test_the_makers_of_sealed_moves_are_named_once_all_moves_have_been_made():
    first, sealed = fairness.link_move((), made(2, "r2"), advanced=False)
    assert (first.by, first.move, first.reveals) == (None, None, ())
    _, sealed = fairness.link_move(sealed, made(0, "r0", by="time_out"), advanced=False)
    _, sealed = fairness.link_move(sealed, made(2, "r2 again"), advanced=False)
    last, sealed = fairness.link_move(sealed, made(1, "r1"), advanced=True)
    assert [(one.seat, one.by, one.receipt) for one in last.reveals] == [
        (0, "time_out", "r0"),
        (1, "player", "r1"),
        (2, "player", "r2 again"),
    ]
    assert sealed == ()


def test_an_open_move_withdraws_or_voids_sealed_moves():
    _, sealed = fairness.link_move((), made(2, "r2"), advanced=False)
    _, sealed = fairness.link_move(sealed, made(1, "r1"), advanced=False)
    _, after_withdrawal = fairness.link_move(sealed, made(2), advanced=False)
    assert [one.seat for one in after_withdrawal] == [1]
    _, after_sale = fairness.link_move(sealed, made(0), advanced=True)
    assert after_sale == ()


def test_the_end_is_a_separate_link():
    end = fairness.End(AT, (0, 2), "abandoned", 7)
    written = {"asked_by": [0, 2], "at": AT, "reason": "abandoned", "turn": 7}
    assert fairness.end_leaf(end) == h(b"turnpost end 2\n", canonical(written))


def test_a_receipt_commits_to_the_revealed_part_and_to_the_whole_move():
    shown, whole = canonical({"move": "bid"}), canonical({"move": "bid", "plan": ["red-2"]})
    shown_leaf = d(b"turnpost leaf 2\n", d(b"turnpost shown nonce 2\n", NONCE.encode()).encode(), shown)
    kept_leaf = d(b"turnpost leaf 2\n", d(b"turnpost kept nonce 2\n", NONCE.encode()).encode(), whole)
    expected = d(b"turnpost receipt 2\n", b"k7f3q", b"12", b"3", shown_leaf.encode(), kept_leaf.encode())
    assert receipts.receipt("k7f3q", 12, 3, NONCE, shown, whole) == expected


@pytest.mark.parametrize("change", [{"turn": 13}, {"seat": 2}, {"nonce": "0" * 64}, {"shown": {"move": "pass"}}])
def test_an_opened_receipt_matches_only_what_was_sealed(change):
    opened = receipts.opening("k7f3q", 12, 3, NONCE, canonical({"move": "bid"}), canonical({"move": "bid"}))
    assert receipts.opens("k7f3q", opened)
    forged = {field: getattr(opened, field) for field in opened.__struct_fields__} | change
    assert not receipts.opens("k7f3q", receipts.Opening(**forged))
