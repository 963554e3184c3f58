"""A match keeps the rules it started with, even if a release changes them."""

import msgspec
import pytest

from games.engine.errors import UnknownGame
from games.engine.proof import NewerProof, Proof, ProofFailed, verify
from games.engine.records import canonical
from games.engine.registry import engine
from games.selectors import history, proofs
from games.selectors.loading import load_match
from games.services.audit import first_difference
from tests.games.builders import play_some, running_match
from tests.toy_games.loud import Loud, LoudBefore, release

pytestmark = pytest.mark.django_db
BEFORE, NOW = LoudBefore(), Loud()


def test_new_matches_use_the_latest_rules():
    with release(NOW, BEFORE):
        assert (engine("loud"), engine("loud", 1), engine("loud", 2)) == (NOW, BEFORE, NOW)
        assert running_match("loud", 2).match.rules == 2


def test_a_match_continues_with_the_rules_it_started_with():
    with release(BEFORE):
        table = play_some(running_match("loud", 2), 3)
    with release(NOW, BEFORE):
        ended = play_some(load_match(table.match.id))
        assert ended.match.rules == 1
        assert first_difference(ended) is None
        assert verify(proofs.proof(ended)).proof.terms.rules == 1
        assert len(history.boards(ended, 0, 0, 50).boards) == ended.match.turn


def test_the_same_moves_under_other_rules_are_not_a_valid_proof():
    with release(NOW, BEFORE):
        proof = msgspec.json.decode(proofs.proof(play_some(running_match("loud", 2))), type=Proof)
        terms = msgspec.structs.replace(proof.terms, rules=1)
        with pytest.raises(ProofFailed):
            verify(canonical(msgspec.structs.replace(proof, terms=terms)))


def test_a_client_without_the_new_rules_cannot_check_the_match_but_does_not_call_it_invalid():
    with release(NOW, BEFORE):
        proof = proofs.proof(play_some(running_match("loud", 2)))
    with release(BEFORE):
        with pytest.raises(UnknownGame):
            engine("loud", 2)
        with pytest.raises(NewerProof, match="Loud has no rules version 2"):
            verify(proof)
