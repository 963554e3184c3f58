"""Hidden information does not change a single byte of anything that people without access to it can see.

Each test builds two worlds that differ only in hidden information, one after the other, and rolls both back. In each
world, every viewer looks at every surface in `surfaces`. Times, IDs and random numbers are the same in both worlds, so
the bytes must be equal. If notification IDs cannot be the same, `patterns` compares everything else.

The fast tests look through the eyes of one viewer of each kind, and the slow ones through everybody else's.
"""

from functools import partial

import pytest

from tests.acceptance.secrecy import situations
from tests.acceptance.secrecy.operators import figures, rows
from tests.acceptance.secrecy.patterns import patterns
from tests.acceptance.secrecy.surfaces import (
    AS_OPERATOR,
    BASIC,
    CHAT,
    COMPLETE,
    FROM_OUTSIDE,
    IN_CHATS,
    IN_THE_MAILBOX,
    OPERATOR,
    THOROUGH,
    all_seen,
    differences,
)

pytestmark = pytest.mark.any_database


def look(sandbox, act, looks):
    sandbox.figures = figures()
    with sandbox.world():
        sandbox.run(act)
        return all_seen(sandbox, looks)


def assert_alike(sandbox, acts, looks, as_seen=dict):
    first, *others = [as_seen(look(sandbox, act, looks)) for act in acts]
    for other in others:
        told = differences(first, other)
        assert not told, "\n".join(told)


def the_closest(sandbox):
    """Return what a rival, a visitor and readers of the chat see.

    This includes the owner's own mailbox, which must not contain the secret.
    """
    rival, *_ = sandbox.rivals
    owner = next(player for player in sandbox.players if player.seat == sandbox.owner)
    return {rival: COMPLETE, sandbox.outsiders[-1]: FROM_OUTSIDE, CHAT: IN_CHATS, owner: IN_THE_MAILBOX}


def everybody_else(sandbox):
    _, *rivals = sandbox.rivals
    other, spectator, _ = sandbox.outsiders
    return dict.fromkeys([other, spectator], COMPLETE) | dict.fromkeys(rivals, THOROUGH)


def a_few(sandbox):
    return {sandbox.rivals[0]: THOROUGH, CHAT: IN_CHATS} | dict.fromkeys(sandbox.outsiders, FROM_OUTSIDE)


@pytest.fixture
def sealing(sandbox):
    if not sandbox.moves:
        pytest.skip("This game has no sealed moves.")
    return sandbox


def test_hidden_information_changes_nothing_for_a_player(sandbox):
    player, *_ = sandbox.players
    assert_alike(sandbox, situations.hidden_from(sandbox, player.seat), {player: COMPLETE})


@pytest.mark.slow
def test_hidden_information_changes_nothing_for_the_other_players(sandbox):
    for player in sandbox.players[1:]:
        assert_alike(sandbox, situations.hidden_from(sandbox, player.seat), {player: THOROUGH})


def test_hidden_information_changes_nothing_for_a_spectator_or_an_operator(sandbox):
    _, spectator, nobody = sandbox.outsiders
    looks = {spectator: COMPLETE, nobody: FROM_OUTSIDE, OPERATOR: AS_OPERATOR}
    assert_alike(sandbox, situations.hidden_from(sandbox, None), looks)
    assert_alike(sandbox, situations.redealt(sandbox), {CHAT: IN_CHATS})


@pytest.mark.slow
def test_hidden_information_changes_nothing_for_players_of_other_matches(sandbox):
    other, *_ = sandbox.outsiders
    assert_alike(sandbox, situations.hidden_from(sandbox, None), {other: COMPLETE})


def test_a_rival_learns_neither_a_sealed_move_nor_that_it_was_replaced(sealing):
    assert_alike(sealing, situations.sealed(sealing), the_closest(sealing))


@pytest.mark.slow
def test_nobody_else_learns_a_sealed_move_or_that_it_was_replaced(sealing):
    assert_alike(sealing, situations.sealed(sealing), everybody_else(sealing))


def test_operators_do_not_learn_a_sealed_move(sealing):
    assert_alike(sealing, situations.sealed_with_a_key(sealing), {OPERATOR: AS_OPERATOR})


def test_a_copy_of_the_database_does_not_reveal_a_sealed_move_or_its_length(sealing):
    for acts in (situations.sealed_short_and_long(sealing), situations.sealed_short_and_long_by_mail(sealing)):
        assert_alike(sealing, acts, {OPERATOR: [rows]})


@pytest.mark.slow
def test_nobody_learns_a_move_sealed_by_mail(sealing):
    assert_alike(sealing, situations.sealed_by_mail(sealing), a_few(sealing) | {OPERATOR: AS_OPERATOR})


@pytest.mark.slow
def test_nobody_learns_that_a_move_was_replaced_by_mail(sealing):
    """The owner gets more emails, so later emails have different IDs. These IDs reveal nothing."""
    assert_alike(sealing, situations.replaced_by_mail(sealing), a_few(sealing), as_seen=patterns)


@pytest.mark.slow
def test_neither_the_reveal_nor_the_proof_shows_that_a_move_was_replaced(sealing):
    assert_alike(sealing, situations.revealed(sealing), a_few(sealing))


def test_withdrawn_and_voided_moves_stay_secret_even_in_the_proof(sealing):
    assert_alike(sealing, situations.withdrawn(sealing), a_few(sealing))


@pytest.mark.slow
def test_withdrawn_and_voided_moves_stay_secret_even_in_an_archive(sealing):
    acts = [partial(situations.archived, sealing, act) for act in situations.withdrawn(sealing)]
    assert_alike(sealing, acts, a_few(sealing))


@pytest.fixture
def ordering(sandbox):
    if sandbox.table.engine.orders is None:
        pytest.skip("This game doesn't support standing orders.")
    return sandbox


@pytest.mark.slow
def test_nobody_learns_of_standing_orders_until_they_act(ordering):
    rival, *rivals = ordering.rivals
    other, spectator, nobody = ordering.outsiders
    closely = dict.fromkeys([rival, other, spectator], COMPLETE)
    looks = closely | dict.fromkeys(rivals, THOROUGH) | {nobody: FROM_OUTSIDE, CHAT: IN_CHATS}
    assert_alike(ordering, situations.with_orders(ordering), looks)


def test_operators_and_readers_of_the_database_do_not_learn_standing_orders_or_their_length(ordering):
    acts = situations.with_short_and_long_orders(ordering)
    assert_alike(ordering, acts, {OPERATOR: [*AS_OPERATOR, rows]})


def test_nobody_learns_what_a_player_does_in_private(sandbox):
    rival, *_ = sandbox.rivals
    assert_alike(sandbox, situations.private_activity(sandbox), {rival: THOROUGH, sandbox.outsiders[-1]: BASIC})
