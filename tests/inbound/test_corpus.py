"""Replies from common mail programs are parsed as their authors meant them."""

import pytest

from inbound.parsing import read
from tests.inbound.corpus import EXPECTED, MAILS


def test_every_email_in_the_corpus_has_an_expected_result():
    assert MAILS.keys() == EXPECTED.keys()
    assert len(MAILS) >= 60


@pytest.mark.parametrize("name", MAILS)
def test_an_email_is_parsed_as_expected(name):
    reply, expected = read(MAILS[name]), EXPECTED[name]
    assert list(reply.lines) == expected["lines"]
    assert not reply.unproven
    assert reply.automatic == expected.get("automatic", "")
    assert reply.attachments == expected.get("attachments", 0)
