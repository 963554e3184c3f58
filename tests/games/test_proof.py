"""A proof is valid, and any changed byte is detected."""

import msgspec
import pytest

from clock import proposals
from core.refusals import Refused
from games.engine.errors import EngineError
from games.engine.proof import NewerProof, Proof, ProofFailed, verify
from games.engine.records import canonical
from games.engine.registry import engines
from games.selectors import proofs
from games.selectors.loading import load_match
from tests.games.builders import play_some, running_match, say, sitting

pytestmark = pytest.mark.django_db


@pytest.fixture
def proof(hush):
    table = running_match("hush", 3)
    for seat in range(3):
        say(table, seat, "name 2")
    return proofs.proof(play_some(table))


def test_the_proof_is_refused_while_the_match_is_running(hush):
    with pytest.raises(Refused) as refused:
        proofs.proof(running_match("hush", 3))
    assert refused.value.code == "not_over"


def test_a_valid_proof_reports_what_was_checked(proof):
    verified = verify(proof)
    assert len(verified.checks) == 5
    assert all(check.endswith(".") for check in verified.checks)
    assert "Every sealed move matches its receipt (9 receipts)." in verified.checks


def test_without_sealed_moves_no_receipts_are_counted():
    assert "No move was sealed." in verify(proofs.proof(play_some(running_match("coloretto", 2)))).checks


def test_any_flipped_byte_is_found(proof):
    for place in range(len(proof)):
        for bit in (1, 2, 128):
            tampered = bytearray(proof)
            tampered[place] ^= bit
            with pytest.raises(EngineError):
                verify(bytes(tampered))


@pytest.mark.parametrize("game", [engine.slug for engine in engines()])
def test_flipped_bytes_are_found_in_the_proof_of_every_game(game):
    proof = proofs.proof(play_some(running_match(game)))
    verify(proof)
    for place in range(0, len(proof), len(proof) // 150):
        tampered = bytearray(proof)
        tampered[place] ^= 1
        with pytest.raises(EngineError):
            verify(bytes(tampered))


def test_a_missing_move_is_found(proof):
    whole = msgspec.json.decode(proof, type=Proof)
    shorter = msgspec.structs.replace(whole, moves=whole.moves[:-1])
    with pytest.raises(ProofFailed):
        verify(canonical(shorter))


def test_a_sealed_move_that_took_effect_cannot_be_left_unknown(proof):
    whole = msgspec.json.decode(proof, type=Proof)
    hidden = msgspec.structs.replace(whole.moves[0], by=None, move=None, nonce=None, receipt=None)
    with pytest.raises(ProofFailed) as failed:
        verify(canonical(msgspec.structs.replace(whole, moves=(hidden, *whole.moves[1:]))))
    assert "missing from the proof" in failed.value.message


def test_only_the_hash_of_the_secret_is_public_during_the_match_and_it_matches_the_secret_afterwards(hush):
    table = running_match("hush", 3)
    hash_before = table.match.secret_hash
    ended = msgspec.json.decode(proofs.proof(play_some(table)), type=Proof)
    assert ended.terms.secret_hash == hash_before
    assert verify(canonical(ended)).proof.terms.secret_hash == hash_before


def test_an_abandoned_match_has_a_proof(hush):
    table = play_some(running_match("hush", 3), 4)
    for seat in table.seats:
        proposals.abandon(table.match.id, sitting(seat), agreed=True)
    verify(proofs.proof(load_match(table.match.id)))


def test_a_deeply_nested_proof_is_refused():
    with pytest.raises(ProofFailed, match="match proof"):
        verify(b'{"schema":' * 100_000)


def test_a_proof_for_a_later_version_is_distinguished_from_an_invalid_one(proof):
    for before, after in ((b'"game":"hush"', b'"game":"quiet"'), (b'"schema":2', b'"schema":3')):
        with pytest.raises(NewerProof):
            verify(proof.replace(before, after))
