"""If two players' notes differ, some differences prove that the server cheated, and others a player could have
forged."""

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from cli.problems import Refused
from cli.signature_check import compare_notes, count_signed
from games.engine import fairness

MATCH = "k7m2x9q4a"
SERVER = Ed25519PrivateKey.generate()
OTHER = Ed25519PrivateKey.generate()


def notes(head, key=SERVER, events=5):
    """Create notes with one hash that is listed under event 5 but may be signed for another event."""
    statement = fairness.head_statement(MATCH, 2, events, head, ended=False)
    seen = {"turn": 2, "events": events, "head": head, "signature": key.sign(statement).hex()}
    secret = {"secret_hash": "a" * 64, "secret_signature": ""}
    return {"match": MATCH, "key": key.public_key().public_bytes_raw().hex(), "heads": {"5": seen}, **secret}


def proves_misconduct(own, other):
    with pytest.raises(Refused, match="different matches") as refused:
        compare_notes(own, other)
    return refused.value.data["proven"]


def test_two_signed_hashes_for_one_event_prove_misconduct():
    assert proves_misconduct(notes("0" * 64), notes("1" * 64))


def test_a_hash_signed_with_a_key_that_only_one_player_knows_proves_nothing():
    assert not proves_misconduct(notes("0" * 64), notes("1" * 64, key=OTHER))


def test_a_hash_signed_for_another_event_proves_nothing():
    assert not proves_misconduct(notes("0" * 64), notes("1" * 64, events=6))


def receipt(turn=3, key=SERVER):
    signature = key.sign(fairness.receipt_statement(MATCH, turn, 1, "c" * 64)).hex()
    return {"3": [{"move": "bid 12", "seat": 1, "receipt": "c" * 64, "nonce": "d" * 32, "signature": signature}]}


def test_a_receipt_counts_as_signed_only_for_its_own_turn_and_key():
    own = notes("0" * 64)
    assert count_signed(own, {}) == (1, 2)
    assert count_signed(own, receipt()) == (2, 3)
    assert count_signed(own, receipt(turn=4)) == (1, 3)
    assert count_signed(own, receipt(key=OTHER)) == (1, 3)


def test_a_move_without_a_receipt_needs_no_signature():
    assert count_signed(notes("0" * 64), {"3": [{"move": "bid 12", "seat": 1, "receipt": None}]}) == (1, 2)
