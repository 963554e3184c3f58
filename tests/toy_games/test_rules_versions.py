"""A match keeps the rules it started with, through releases that change them."""

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


def test_the_latest_rules_are_for_new_matches():
    with release(NOW, BEFORE):
        assert (engine("loud"), engine("loud", 1), engine("loud", 2)) == (NOW, BEFORE, NOW)
        assert running_match("loud", 2).match.rules == 2


def test_a_match_goes_on_with_the_rules_it_started_with():
    with release(BEFORE):
        table = play_some(running_match("loud", 2), 3)
    with release(NOW, BEFORE):
        ended = play_some(load_match(table.match.id))
        assert ended.match.rules == 1
        assert first_difference(ended) is None
        assert verify(proofs.proof(ended)).proof.terms.rules == 1
        assert len(history.boards(ended, 0, 0, 50).boards) == ended.match.turn


def test_the_same_moves_with_other_rules_are_no_proof():
    with release(NOW, BEFORE):
        proof = msgspec.json.decode(proofs.proof(play_some(running_match("loud", 2))), type=Proof)
        terms = msgspec.structs.replace(proof.terms, rules=1)
        with pytest.raises(ProofFailed):
            verify(canonical(msgspec.structs.replace(proof, terms=terms)))


def test_a_client_that_does_not_have_the_rules_yet_says_nothing_against_the_match():
    with release(NOW, BEFORE):
        proof = proofs.proof(play_some(running_match("loud", 2)))
    with release(BEFORE):
        with pytest.raises(UnknownGame):
            engine("loud", 2)
        with pytest.raises(NewerProof, match="no version 2 of the rules of Loud"):
            verify(proof)
