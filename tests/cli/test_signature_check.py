"""Some differences between two players' notes prove that the server cheated.

Others could have been forged by a player.
"""

import json

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from cli.local_store import Recorded
from cli.notes_file import others_notes, shareable
from cli.problems import Refused
from cli.signature_check import compare_notes, count_signed
from games.engine import fairness

MATCH = "k7m2x9q4a"
SERVER = Ed25519PrivateKey.generate()
OTHER = Ed25519PrivateKey.generate()


def public(key):
    return key.public_key().public_bytes_raw().hex()


def handover(old, new, signer=None):
    signed = (signer or old).sign(fairness.statement("key", key=public(new))).hex()
    return {"key": public(old), "hands_over_to": public(new), "signature": signed}


def notes(head, key=SERVER, events=5):
    """Create notes with one hash, which is listed under event 5 but may be signed for another event."""
    statement = fairness.head_statement(MATCH, 2, events, head, ended=False)
    seen = {"turn": 2, "events": events, "head": head, "signature": key.sign(statement).hex()}
    secret = {"secret_hash": "a" * 64, "secret_signature": ""}
    return {"match": MATCH, "key": public(key), "heads": {"5": seen}, "handovers": [], "receipts": [], **secret}


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


class TestChangeOfKey:
    def test_a_signature_by_the_next_key_counts_if_the_first_key_handed_over_to_it(self):
        own = notes("0" * 64, key=OTHER) | {"key": public(SERVER)}
        assert count_signed(own, {}) == (0, 2)
        assert count_signed(own | {"handovers": [handover(SERVER, OTHER)]}, {}) == (1, 2)
        assert count_signed(own | {"handovers": [handover(SERVER, OTHER, signer=OTHER)]}, {}) == (0, 2)

    def test_two_hashes_prove_misconduct_even_if_the_key_changed_between_them(self):
        later = notes("1" * 64, key=OTHER)
        assert proves_misconduct(notes("0" * 64) | {"handovers": [handover(SERVER, OTHER)]}, later)
        assert proves_misconduct(notes("0" * 64), later | {"handovers": [handover(SERVER, OTHER)]})

    def test_a_player_cannot_forge_a_key_that_hands_over_to_the_servers_key(self):
        forged = notes("1" * 64, key=OTHER) | {"handovers": [handover(OTHER, SERVER)]}
        assert not proves_misconduct(notes("0" * 64), forged)


class TestReceiptsForOthers:
    def test_the_notes_for_others_include_signed_receipts_of_past_turns(self):
        own = notes("0" * 64)
        own["heads"]["5"]["turn"] = 4
        (shown,) = shareable(Recorded(own, receipt()))["receipts"]
        assert set(shown) == {"turn", "seat", "receipt", "signature"}
        assert "all signed by the server" in compare_notes(own, others_notes(as_file(own, receipt())))

    def test_a_receipt_of_a_move_that_can_still_be_replaced_is_not_shown(self):
        own = notes("0" * 64)
        own["heads"]["5"]["turn"] = 3
        assert shareable(Recorded(own, receipt()))["receipts"] == []

    def test_the_move_and_its_nonce_are_shown_once_the_match_is_over(self):
        own = notes("0" * 64)
        own["heads"]["end"] = own["heads"]["5"]
        (shown,) = shareable(Recorded(own, receipt()))["receipts"]
        assert (shown["move"], shown["nonce"]) == ("bid 12", "d" * 32)

    def test_a_forged_receipt_does_not_count_as_signed(self):
        own = notes("0" * 64)
        own["heads"]["5"]["turn"] = 4
        assert "1 receipt, 0 of them signed" in compare_notes(own, others_notes(as_file(own, receipt(key=OTHER))))

    @pytest.mark.parametrize("broken", [{"receipts": [1]}, {"receipts": [{"seat": 1}]}, {"receipts": {"a": 1}}])
    def test_notes_with_malformed_receipts_are_refused(self, broken):
        with pytest.raises(Refused, match="doesn't contain a player's notes"):
            others_notes(json.dumps(notes("0" * 64) | broken).encode())


def as_file(own, sealed):
    return json.dumps(shareable(Recorded(own, sealed))).encode()
