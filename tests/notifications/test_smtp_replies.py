"""Interpreting replies from mail servers."""

import pytest

from notifications.smtp_replies import Fate, severity


@pytest.mark.parametrize(
    ("said", "outcome"),
    [
        ("550 5.1.1 User unknown", Fate.HARD),
        ("550 No such user", Fate.HARD),
        ("550 Requested action not taken: mailbox unavailable", Fate.HARD),
        ("553 Invalid recipient", Fate.HARD),
        ("550 5.4.1 Recipient address rejected: Access denied", Fate.HARD),
        ("550 5.2.1 The account has been disabled", Fate.HARD),
        ("552 5.2.2 Mailbox full", Fate.SOFT),
        ("552 Quota exceeded", Fate.SOFT),
        ("450 4.2.1 User unknown, try again", Fate.SOFT),
        ("451 Greylisted: recipient unknown to us yet", Fate.SOFT),
        ("554 5.7.1 Relay access denied", Fate.SOFT),
        ("550 5.7.1 Recipient unknown to our policy", Fate.SOFT),
        ("550 5.1.8 Bad sender address: domain not found", Fate.SOFT),
        ("552 5.3.4 Message too big", Fate.SOFT),
        ("550 rejected", Fate.SOFT),
        ("", Fate.SOFT),
    ],
)
def test_only_problems_with_the_address_are_hard_bounces(said, outcome):
    assert severity("", said) == outcome
