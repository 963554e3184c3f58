import pytest

from notifications.smtp_replies import MailOutcome, severity


@pytest.mark.parametrize(
    ("said", "outcome"),
    [
        ("550 5.1.1 User unknown", MailOutcome.HARD),
        ("550 No such user", MailOutcome.HARD),
        ("550 Requested action not taken: mailbox unavailable", MailOutcome.HARD),
        ("553 Invalid recipient", MailOutcome.HARD),
        ("550 5.4.1 Recipient address rejected: Access denied", MailOutcome.HARD),
        ("550 5.2.1 The account has been disabled", MailOutcome.HARD),
        ("552 5.2.2 Mailbox full", MailOutcome.SOFT),
        ("552 Quota exceeded", MailOutcome.SOFT),
        ("450 4.2.1 User unknown, try again", MailOutcome.SOFT),
        ("451 Greylisted: recipient unknown to us yet", MailOutcome.SOFT),
        ("554 5.7.1 Relay access denied", MailOutcome.SOFT),
        ("550 5.7.1 Recipient unknown to our policy", MailOutcome.SOFT),
        ("550 5.1.8 Bad sender address: domain not found", MailOutcome.SOFT),
        ("552 5.3.4 Message too big", MailOutcome.SOFT),
        ("550 rejected", MailOutcome.SOFT),
        ("", MailOutcome.SOFT),
    ],
)
def test_only_problems_with_the_address_are_hard_bounces(said, outcome):
    assert severity("", said) == outcome
