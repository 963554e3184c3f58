from hypothesis import given
from hypothesis import strategies as st

from inbound.smtp_content import Content, Pool

PIECES = st.lists(st.sampled_from([b"\r", b"\n", b".", b"a", b"\r\n", b"\r\n.", b"..", b"\r\n.\r"]), max_size=30)


def fed(content, data, cuts=()):
    """Feed the data in chunks, and return what follows the end of the message."""
    for start, stop in zip([0, *cuts], [*cuts, len(data)], strict=True):
        rest = content.feed(data[start:stop])
        if content.is_complete:
            return rest + data[stop:]
    return b""


def test_a_message_ends_with_a_lone_dot_and_what_follows_is_the_next_command():
    content = Content(1000)
    assert fed(content, b"draw\r\n.\r\nQUIT\r\n") == b"QUIT\r\n"
    assert content.message() == b"draw\r\n"


def test_an_empty_message_consists_only_of_its_end_marker():
    content = Content(1000)
    assert fed(content, b".\r\nQUIT\r\n") == b"QUIT\r\n"
    assert content.message() == b""


def test_a_dot_that_was_added_for_transport_is_removed():
    content = Content(1000)
    fed(content, b"..a\r\n...\r\nb.\r\n.\r\n")
    assert content.message() == b".a\r\n..\r\nb.\r\n"


def test_a_lone_line_feed_does_not_end_a_message():
    content = Content(1000)
    fed(content, b"a\n.\nb\r\n.\n")
    assert not content.is_complete


@given(pieces=PIECES, cuts=st.lists(st.integers(0, 60), max_size=8))
def test_a_message_may_be_split_anywhere_by_the_network(pieces, cuts):
    data = b"".join(pieces) + b"x\r\n.\r\nNOOP\r\n"
    whole, cut = Content(1000), Content(1000)
    rest = fed(whole, data)
    assert fed(cut, data, sorted({min(place, len(data)) for place in cuts})) == rest
    assert (whole.message(), whole.size) == (cut.message(), cut.size)


def test_bytes_above_the_limit_are_counted_and_dropped():
    content = Content(10)
    fed(content, b"a" * 100 + b"\r\n.\r\n", cuts=[7, 50])
    assert (len(content), content.size, content.is_cut_off) == (10, 105, True)


def test_if_memory_is_short_the_largest_message_is_dropped_and_the_others_arrive():
    pool, hostile, reply = Pool(100), Content(1000), Content(1000)
    pool.add(hostile)
    pool.add(reply)
    hostile.feed(b"a" * 95)
    pool.trim()
    reply.feed(b"draw\r\n.\r\n")
    pool.trim()
    assert (hostile.is_dropped, reply.is_dropped) == (True, False)
    hostile.feed(b"a" * 95)
    assert len(hostile) == 0
    assert reply.message() == b"draw\r\n"
