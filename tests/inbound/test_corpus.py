"""What people send from the mail programs they use is read as they mean it."""

import pytest

from inbound.parsing import read
from tests.inbound.corpus import EXPECTED, MAILS


def test_every_mail_has_its_expectation():
    assert MAILS.keys() == EXPECTED.keys()
    assert len(MAILS) >= 60


@pytest.mark.parametrize("name", MAILS)
def test_a_mail_is_read_right(name):
    reply, expected = read(MAILS[name]), EXPECTED[name]
    assert list(reply.lines) == expected["lines"]
    assert reply.automatic == expected.get("automatic", "")
    assert reply.attachments == expected.get("attachments", 0)
