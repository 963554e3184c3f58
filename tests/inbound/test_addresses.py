"""Reply and bounce addresses are signed, and look-alikes are rejected."""

import string
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from notifications import reply_addresses
from notifications.models import random_id
from notifications.reply_addresses import Forged, Purpose, bounce_address, is_ours, read, reply_address

NOW = datetime(2026, 11, 16, 12, 0, tzinfo=UTC)
ANN = "ann@example.org"
TOKEN = 56
"""The number of characters that are signed."""
notifications = st.integers(1, 2**63 - 1)
turns = st.integers(0, 2**31 - 1)
emails = st.emails()


@given(notifications, turns, emails)
def test_an_address_encodes_its_notification_and_turn_and_recipient(notification, turn, email):
    content = read(reply_address(notification, turn, email, NOW))
    assert (content.purpose, content.notification_id, content.turn) == (Purpose.REPLY, notification, turn)
    assert content.was_mailed_to(email)
    assert timedelta(0) <= NOW + reply_addresses.GOOD_FOR[Purpose.REPLY] - content.good_until < timedelta(hours=1)


def test_ids_and_addresses_do_not_reveal_the_order_of_notifications():
    ids = [random_id() for _ in range(50)]
    assert sorted(ids) != ids
    assert max(ids) < 2**63


@given(notifications, turns)
def test_an_address_fits_mail_server_limits_and_is_not_case_sensitive(notification, turn):
    address = reply_address(notification, turn, ANN, NOW)
    assert len(address.partition("@")[0]) <= 64
    assert set(address) <= set(string.ascii_lowercase + string.digits + "+@.")
    for changed in (address.upper(), address.title(), address.swapcase()):
        assert is_ours(changed)
        assert read(changed) == read(address)


@given(notifications, turns, st.integers(0, TOKEN - 1), st.sampled_from("abcdefghijklmnopqrstuvwxyz234567"))
def test_an_address_with_any_letter_changed_counts_as_forged(notification, turn, place, letter):
    address = reply_address(notification, turn, ANN, NOW)
    at = len("reply+") + place
    changed = address[:at] + letter + address[at + 1 :]
    if changed != address:
        with pytest.raises(Forged):
            read(changed)


@given(st.text("abcdefghijklmnopqrstuvwxyz234567", min_size=TOKEN, max_size=TOKEN))
def test_an_address_in_the_right_format_with_a_wrong_signature_counts_as_forged(token):
    address = f"reply+{token}@play.example.org"
    assert is_ours(address)
    with pytest.raises(Forged):
        read(address)


@given(st.text())
def test_an_address_in_a_different_format_is_not_ours(text):
    assert not is_ours(text)
    with pytest.raises(Forged):
        read(text)


@pytest.mark.parametrize("letter", ["\u212a", "ſ", "ｋ"])
def test_look_alike_letters_are_not_accepted(letter):
    address = reply_address(7, 3, ANN, NOW)
    for at in (len("reply+"), len("reply+") + TOKEN - 1):
        assert not is_ours(address[:at] + letter + address[at + 1 :])
        with pytest.raises(Forged):
            read(address[:at] + letter + address[at + 1 :])


@given(notifications)
def test_a_bounce_address_is_not_a_reply_address(notification):
    address = bounce_address(notification, ANN, NOW)
    assert read(address).purpose == Purpose.BOUNCE
    with pytest.raises(Forged):
        read(address.replace("bounce+", "reply+"))


@given(notifications, turns, notifications, turns)
def test_every_notification_has_its_own_address(notification, turn, other, other_turn):
    alike = (notification, turn) == (other, other_turn)
    same = reply_address(notification, turn, ANN, NOW) == reply_address(other, other_turn, ANN, NOW)
    assert same == alike


def test_an_address_belongs_to_one_mailbox_only():
    assert not read(reply_address(7, 3, ANN, NOW)).was_mailed_to("ann@elsewhere.example")


def test_an_address_signed_with_another_key_counts_as_forged(settings):
    address = reply_address(7, 3, ANN, NOW)
    settings.SECRET_KEY = "another"
    with pytest.raises(Forged):
        read(address)


def test_an_address_at_another_domain_is_not_ours(settings):
    address = reply_address(7, 3, ANN, NOW)
    settings.REPLY_DOMAIN = "elsewhere.example"
    assert not is_ours(address)


def test_without_a_reply_domain_there_are_no_addresses(settings):
    settings.REPLY_DOMAIN = ""
    assert reply_address(7, 3, ANN, NOW) == bounce_address(7, ANN, NOW) == ""
    assert not is_ours("reply+" + "a" * TOKEN + "@")
