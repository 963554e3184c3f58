"""Delivery reports from common mail servers are understood."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inbound import bounce_reports
from notifications.smtp_replies import MailOutcome
from tests.not_none import not_none

SAMPLES = Path(__file__).parents[1] / "notifications" / "bounces" / "samples"
FATES = {
    "postfix_unknown_user": (MailOutcome.HARD, "550 5.1.1 <ann@example.net>: Recipient address rejected: User unknown"),
    "postfix_delayed": (MailOutcome.DELAYED, "4.4.1 connect to mail.example.net[192.0.2.25]:25: Connection timed out"),
    "postfix_expired": (MailOutcome.SOFT, "4.4.1 connect to mail.example.net[192.0.2.25]:25: Connection timed out"),
    "postfix_delivered": (MailOutcome.DELIVERED, ""),
    "exim_unknown_user": (MailOutcome.HARD, "5.0.0 550 No such user here"),
    "exim_old_unrouteable": (MailOutcome.HARD, "Unrouteable address"),
    "exim_quota": (MailOutcome.SOFT, "mailbox is full: retry timeout exceeded"),
    "exchange_unknown_user": (MailOutcome.HARD, "550 5.1.10 RESOLVER.ADR.RecipientNotFound;"),
    "exchange_full": (MailOutcome.SOFT, "554 5.2.2 mailbox full;"),
    "gmail_unknown_user": (MailOutcome.HARD, "550-5.1.1 The email account that you tried to reach does not exist."),
    "gmail_blocked": (MailOutcome.SOFT, "550-5.7.26 This mail has been blocked"),
    "yahoo_no_account": (MailOutcome.HARD, "554: delivery error: dd This user doesn't have a yahoo.com account"),
    "yahoo_deferred": (MailOutcome.SOFT, "421 4.7.0 [TSS04] Messages from 192.0.2.9 temporarily deferred"),
    "qmail_no_mailbox": (MailOutcome.HARD, "Sorry, no mailbox here by that name. (#5.1.1)"),
    "sendmail_unknown_user": (MailOutcome.HARD, "5.1.1 User unknown"),
    "sendmail_domain_unknown": (MailOutcome.HARD, "5.1.2 550 Host unknown"),
    "vacation_answer": None,
    "read_receipt": None,
    "spam": None,
}


def test_every_sample_has_an_expected_result():
    assert {path.stem for path in SAMPLES.glob("*.eml")} == set(FATES)


@pytest.mark.parametrize("name", FATES)
def test_a_report_is_parsed_as_expected(name):
    report = bounce_reports.read((SAMPLES / f"{name}.eml").read_bytes())
    expected = FATES[name]
    if expected is None:
        assert report is None
    else:
        outcome, why = expected
        assert (not_none(report).outcome, not_none(report).why[: len(why)]) == (outcome, why)


def test_the_reason_in_a_report_is_a_single_printable_line():
    raw = (SAMPLES / "postfix_unknown_user.eml").read_bytes().replace(b"User unknown", b"User \x1b[31munknown\x07")
    assert not_none(bounce_reports.read(raw)).why.isprintable()


@given(st.binary(max_size=400))
def test_parsing_a_report_never_raises(noise):
    sample = (SAMPLES / "sendmail_unknown_user.eml").read_bytes()
    for raw in (noise, sample.replace(b"Action: failed", noise), sample[:900] + noise, noise + sample):
        report = bounce_reports.read(raw)
        assert report is None or report.why.isprintable()
