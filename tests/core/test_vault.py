"""Encrypted data reveals nothing, neither through its content nor through its length."""

import pytest
from cryptography.fernet import Fernet
from django.conf import settings
from django.db import transaction
from hypothesis import given
from hypothesis import strategies as st

from core import vault
from games.models import Match, StoredResult
from inbound.receiving import STEP_OF_SIZES
from tests.games.builders import running_match, send, sitting

LENGTHS = [0, 1, 62, 63, 64, 65, 500, *range(4_090, 4_098), 100_000]


def test_content_of_fixed_length_is_not_padded():
    unfilled = Fernet(settings.VAULT_KEYS[0]).encrypt(b"x" * 32)
    assert len(vault.encrypt(b"x" * 32, step=16)) == len(unfilled)


@given(st.binary(max_size=300) | st.binary(max_size=9).map(lambda end: b"x" + end + b"\x80\0\0"))
def test_encrypted_content_is_decrypted_unchanged(content):
    assert vault.decrypt(vault.encrypt(content)) == content
    assert vault.decrypt(vault.reencrypt(vault.encrypt(content))) == content


@given(st.binary(max_size=300))
def test_a_new_key_does_not_change_the_length(content):
    assert len(vault.reencrypt(vault.encrypt(content))) == len(vault.encrypt(content))


def test_lengths_increase_in_steps():
    assert len({len(vault.encrypt(b"x" * length)) for length in range(63)}) == 1
    assert len({len(vault.encrypt(b"x" * length)) for length in range(127)}) == 2
    assert len({len(vault.encrypt(b"x" * length, step=256)) for length in range(255)}) == 1


@pytest.mark.parametrize("length", LENGTHS)
def test_padding_is_small(length):
    assert length < vault.padded_length(length) <= length + max(64, length // 8 + 1)


@pytest.mark.parametrize("length", LENGTHS)
def test_all_content_that_fits_into_the_capacity_has_the_same_length(length):
    locked = vault.encrypt(b"x" * length)
    room = vault.capacity(locked)
    assert room >= length
    assert len(vault.encrypt(b"", at_least=room)) == len(locked) == len(vault.encrypt(b"x" * room, at_least=room))


def test_short_emails_all_have_the_same_padded_length():
    sizes = {vault.padded_length(len(b"x" * length), STEP_OF_SIZES) for length in range(4_000)}
    assert len(sizes) == 1


def bids(table, seat):
    """Yield bids with every number of cowboys, using the shortest and the longest numbers in the hand."""
    hand = sorted(table.engine.view(table.state, seat).cowboys)
    for count in range(1, len(hand) + 1):
        yield from ("bid " + " ".join(map(str, some)) for some in (hand[:count], hand[-count:]))


def stored_after(table, bid, others=()):
    """Return the lengths of everything that is stored about a match after these bids."""
    with transaction.atomic():
        for seat, said in enumerate([bid, *others]):
            done = send(table.match.id, sitting(table.seats[seat]), said, table.match.turn, key="k" * 32)
            assert done.status == 200, done.body
        lengths = [len(Match.objects.get(pk=table.match.pk).encrypted_state)]
        lengths += [len(text) for move in table.match.moves.values_list("content", "nonce") for text in move]
        kept = StoredResult.objects.filter(match=table.match).order_by("made_at").values_list("content", flat=True)
        assert len(kept) == 1 + len(others)
        lengths += [len(content) for content in kept]
        transaction.set_rollback(True)
    return tuple(lengths)


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["Ann", "A" * 60])
def test_all_possible_bids_have_the_same_length_in_the_database(name):
    table = running_match("colorado-county", 3)
    for seat in table.seats:
        sitting(seat).display_name = name
        sitting(seat).save()
    assert len({stored_after(table, bid) for bid in bids(table, 0)}) == 1
    assert len({stored_after(table, bid, [next(bids(table, 1))]) for bid in bids(table, 0)}) == 1
