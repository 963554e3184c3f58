"""Whatever somebody may not know changes no byte of what they get, wherever they look.

Two worlds that differ only in that are made through the front door, one after the other and each undone; then everybody
looks at everything that `surfaces` knows, in both. Times, ids and chance are the same, so bytes are compared as they
are; only where ids of notifications cannot be the same, `patterns` says what is left of them.
"""

import pytest

from tests.acceptance.secrecy import situations
from tests.acceptance.secrecy.operators import figures, rows
from tests.acceptance.secrecy.patterns import patterns
from tests.acceptance.secrecy.surfaces import (
    AS_OPERATOR,
    AT_A_GLANCE,
    CHAT,
    CLOSELY,
    FROM_OUTSIDE,
    IN_CHATS,
    IN_THE_MAILBOX,
    OPERATOR,
    WELL,
    all_seen,
    differences,
)

pytestmark = pytest.mark.any_database


def look(stage, act, looks):
    stage.figures = figures()
    with stage.world():
        stage.happen(act)
        return all_seen(stage, looks)


def assert_alike(stage, acts, looks, as_seen=dict):
    first, *others = [as_seen(look(stage, act, looks)) for act in acts]
    for other in others:
        told = differences(first, other)
        assert not told, "\n".join(told)


def everybody_else(stage):
    """One of each kind looks closely. The owner's own mailbox is not to hold the secret either."""
    rival, *rivals = stage.rivals
    other, spectator, nobody = stage.outsiders
    owner = next(player for player in stage.players if player.seat == stage.owner)
    closely = dict.fromkeys([rival, other, spectator], CLOSELY)
    return closely | dict.fromkeys(rivals, WELL) | {nobody: FROM_OUTSIDE, CHAT: IN_CHATS, owner: IN_THE_MAILBOX}


def a_few(stage):
    return {stage.rivals[0]: WELL, CHAT: IN_CHATS} | dict.fromkeys(stage.outsiders, FROM_OUTSIDE)


@pytest.fixture
def sealing(stage):
    if not stage.moves:
        pytest.skip("Nothing is sealed in this game.")
    return stage


def test_a_hidden_world_looks_the_same_to_every_player(stage):
    for player in stage.players:
        closely = player is stage.players[0]
        assert_alike(stage, situations.hidden_from(stage, player.seat), {player: CLOSELY if closely else WELL})


def test_a_hidden_world_looks_the_same_to_everybody_else(stage):
    other, spectator, nobody = stage.outsiders
    looks = {other: CLOSELY, spectator: CLOSELY, nobody: FROM_OUTSIDE, OPERATOR: AS_OPERATOR}
    assert_alike(stage, situations.hidden_from(stage, None), looks)
    assert_alike(stage, situations.dealt_anew(stage), {CHAT: IN_CHATS})


def test_nobody_learns_what_was_sealed_or_that_it_was_replaced(sealing):
    assert_alike(sealing, situations.sealed(sealing), everybody_else(sealing))


def test_not_even_the_operator_learns_what_was_sealed(sealing):
    assert_alike(sealing, situations.sealed_with_a_key(sealing), {OPERATOR: AS_OPERATOR})


def test_not_even_a_copy_of_the_database_tells_what_was_sealed_or_how_long_it_was(sealing):
    for acts in (situations.sealed_short_and_long(sealing), situations.sealed_short_and_long_by_mail(sealing)):
        assert_alike(sealing, acts, {OPERATOR: [rows]})


def test_nobody_learns_what_was_sealed_by_mail(sealing):
    assert_alike(sealing, situations.sealed_by_mail(sealing), a_few(sealing) | {OPERATOR: AS_OPERATOR})


def test_nobody_learns_that_a_move_was_replaced_by_mail(sealing):
    """Then there are more letters of the owner's, so those that follow have other ids. They tell nothing."""
    assert_alike(sealing, situations.replaced_by_mail(sealing), a_few(sealing), as_seen=patterns)


def test_even_after_the_reveal_and_in_the_proof_nobody_learns_that_a_move_was_replaced(sealing):
    assert_alike(sealing, situations.revealed(sealing), a_few(sealing))


def test_what_was_taken_back_or_never_took_effect_stays_unknown_in_the_proof_too(sealing):
    assert_alike(sealing, situations.taken_back(sealing), a_few(sealing))


def test_what_a_player_does_alone_is_nobody_elses_business(stage):
    rival, *_ = stage.rivals
    assert_alike(stage, situations.busy_alone(stage), {rival: WELL, stage.outsiders[-1]: AT_A_GLANCE})
