"""Parsing is fast even for hostile emails."""

import pytest

from inbound import bounce_reports
from inbound.parsing import read
from inbound.parsing.safe_mime import MOST_CONTAINERS, MOST_LINES, parse

IN_ONE_ANOTHER = {
    "parts": b"".join(b"Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n" % (n, n) for n in range(3000)),
    "messages": b"Content-Type: message/rfc822\r\n\r\n" * 3000,
    "reports": b"Content-Type: message/delivery-status\r\n\r\n" * 3000,
}
BESIDE_ONE_ANOTHER = {
    "parts": b"Content-Type: multipart/mixed; boundary=b\r\n\r\n" + b"--b\n\n" * 100_000,
    "blocks": b"Content-Type: message/delivery-status\r\n\r\n" + b"a:b\n\n" * 100_000,
    "blocks by an old Mac": b"Content-Type: message/delivery-status\r\n\r\n" + b"a:b\r\r" * 100_000,
}


@pytest.mark.parametrize("kind", IN_ONE_ANOTHER)
def test_mail_with_too_many_nested_parts_is_reduced_to_its_headers(kind):
    """Without the limit, these emails would end in a recursion error."""
    raw = IN_ONE_ANOTHER[kind] + b"draw"
    assert not parse(raw).is_multipart()
    assert bounce_reports.read(raw) is None
    assert read(raw).lines == ()


@pytest.mark.parametrize("kind", BESIDE_ONE_ANOTHER)
def test_in_an_email_with_too_many_parts_only_the_first_ones_count(kind):
    assert 0 < len(parse(BESIDE_ONE_ANOTHER[kind]).get_payload()) <= MOST_LINES
    assert bounce_reports.read(BESIDE_ONE_ANOTHER[kind]) is None


def test_only_the_beginning_of_a_very_long_email_is_parsed():
    assert read(b"Subject: x\r\n\r\ndraw\r\n" + b"\r\n" * 200_000 + b"place 1").lines == ("draw",)


def test_an_email_with_ordinary_nesting_is_parsed_completely():
    raw = b"Content-Type: message/rfc822\r\n\r\n" * (MOST_CONTAINERS // 2) + b"Subject: innermost\r\n\r\nHello"
    assert [part["Subject"] for part in parse(raw).walk()][-1] == "innermost"
