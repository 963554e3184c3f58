"""No quoted line is ever read as the author's own, no matter how it is quoted."""

import re
from itertools import islice
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inbound import parsing
from inbound.parsing import read
from inbound.parsing.lines import LONGEST_LINE, MOST_LINES
from tests.inbound import quoting
from tests.inbound.corpus import MAILS
from tests.inbound.fuzzing import KEPT, damaged_mails

MUTATIONS = 1200


@pytest.fixture(autouse=True, scope="module")
def no_safety_net():
    """Fail on exceptions that reach the parser's last handler.

    The handler keeps the parser from raising them, but each one is a bug.
    """
    with patch.object(parsing.logger, "exception", side_effect=AssertionError):
        yield


own_lines = st.lists(st.sampled_from(["draw", "place 1", "place 2", "bid 12 45", "bid none"]), min_size=1, max_size=4)
# Quoted text can be anything, and often looks like a move.
sign = st.characters(exclude_characters="\n", exclude_categories=["Cs"])
told = st.one_of(
    st.sampled_from(["take 1", "take 2", "take 3", "", "say take 1", "On Monday Ann wrote:", "-- ", "help", "mute"]),
    st.text(sign, max_size=60),
    st.builds("{}\r{}\u2028{}\x0b{}\x85{}".format, *[st.sampled_from(["take 1", "take 2", "Ann"])] * 5),
    st.lists(st.sampled_from(["take", "1", "wrote", "somebody", "and", "then", "take 2", "a"]), max_size=40).map(
        " ".join
    ),
)
quoted_lines = st.lists(told, max_size=8)
introduction = st.sampled_from(quoting.INTRODUCTIONS)
mark = st.sampled_from(quoting.MARKS)


@given(own_lines, introduction, quoted_lines, mark)
def test_a_reply_above_a_quotation_with_quote_marks_is_read(own, introduction, quoted, mark):
    assert list(read(quoting.above(own, introduction, quoted, mark)).lines) == own


@given(own_lines, introduction, quoted_lines.filter(any), mark)
def test_a_reply_below_a_quotation_with_quote_marks_is_read(own, introduction, quoted, mark):
    assert list(read(quoting.below(own, introduction, quoted, mark)).lines) == own


@pytest.mark.parametrize("build", [quoting.above, quoting.below])
@pytest.mark.parametrize(
    "introduction",
    ["Dňa 16. 11. 2026 o 9:12 Turnpost napísal(a):", "16.11.2026 09:12, Turnpost пишет:", "Quoting Turnpost:"],
)
def test_an_introduction_in_any_language_is_recognized_by_the_quotation_below_it(build, introduction):
    assert read(build(["draw"], introduction, ["take 1"], "> ")).lines == ("draw",)


@pytest.mark.parametrize("line", ["Turnpost, my move:", "12:30 works for me:"])
def test_a_line_with_a_colon_is_kept_if_nothing_is_quoted_below_it(line):
    assert read(quoting.mail(f"{line}\ndraw")).lines == (line, "draw")


@given(own_lines, introduction, quoted_lines, st.integers(30, 80))
def test_the_rest_of_a_wrapped_quoted_line_is_still_quoted(own, introduction, quoted, width):
    plain = [" ".join(re.findall(r"[\w ]+", line)) for line in quoted]
    assert set(read(quoting.below_broken_off(own, introduction, plain, width)).lines) <= set(own)


@given(own_lines, st.sampled_from(quoting.BLOCKS), quoted_lines)
def test_nothing_below_a_quotation_without_quote_marks_is_read(own, beginning, quoted):
    assert list(read(quoting.unmarked(own, beginning, quoted)).lines) == own


@given(own_lines, st.sampled_from(quoting.HTML_QUOTES), quoted_lines)
def test_quotations_in_html_are_left_out(own, form, quoted):
    assert list(read(quoting.in_html(own, form, quoted)).lines) == own


@given(own_lines, st.sampled_from(quoting.HTML_QUOTES), st.lists(st.sampled_from(["take 1", "take 2", "mute"])))
def test_text_that_only_the_html_part_marks_as_quoted_is_left_out(own, form, quoted):
    reply = read(quoting.in_both(own, form, "Turnpost, the other day", quoted))
    assert list(reply.lines) == own


def is_bounded(reply):
    return len(reply.lines) <= MOST_LINES and all(
        0 < len(line) <= LONGEST_LINE
        and line == line.strip()
        and line.replace("\u200d", "").replace("\u200c", "").isprintable()
        for line in reply.lines
    )


@given(st.binary(max_size=2000))
def test_any_bytes_can_be_parsed(raw):
    assert is_bounded(read(raw))


@given(
    st.sampled_from(
        ["text/plain", "text/html", "text/plain; format=flowed", "multipart/mixed; boundary=b", "x", "text/"]
    ),
    st.sampled_from(
        ["utf-8", "utf-16", "gb2312", "utf-7", "unknown-8bit", "rot13", "idna", "zlib", "", '"', "hz", "\0"]
    ),
    st.sampled_from(["7bit", "8bit", "base64", "quoted-printable", "x-uuencode", "nonsense"]),
    st.binary(max_size=500),
)
def test_any_body_with_any_charset_can_be_parsed(kind, charset, encoding, body):
    head = f"Content-Type: {kind}; charset={charset}\r\nContent-Transfer-Encoding: {encoding}\r\n\r\n"
    assert is_bounded(read(head.encode() + body))


@pytest.mark.parametrize("part", range(4))
def test_damaged_emails_can_be_parsed(part):
    for raw in islice(damaged_mails(f"damage {part}", list(MAILS.values())), MUTATIONS // 4):
        assert is_bounded(read(raw))


@pytest.mark.parametrize("name", KEPT)
def test_stored_fuzzing_results_can_be_parsed(name):
    assert is_bounded(read(KEPT[name]))


@pytest.mark.parametrize(
    "raw",
    [
        b"Content-Type: text/html\r\n\r\n" + b"<!--" * 50_000,
        b"Content-Type: text/html\r\n\r\n" + b"<a" * 100_000,
        b"Content-Type: text/plain" + b'; a="' * 40_000 + b"\r\n\r\ndraw",
        b"Subject: " + b" - " * 60_000 + b"\r\n\r\ndraw",
        b"".join(b"Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n" % (n, n) for n in range(3000)),
        b"Content-Type: text/plain\r\n\r\n" + b"On Monday wrote\n" * 20_000,
    ],
    ids=["comments", "tags", "parameters", "subject", "nested", "introductions"],
)
def test_emails_designed_to_be_slow_are_parsed_quickly(raw):
    """Without limits, each of these emails would take minutes or end in a recursion error."""
    assert is_bounded(read(raw))
