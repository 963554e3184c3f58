"""A bid on its own line is never posted as part of the message above it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.registry import engine
from inbound.parsing import read
from inbound.reading import reply
from inbound.reading.commands import PlayMove, Say
from inbound.reading.position import Position
from tests.inbound.quoting import mail

COUNTY = engine("colorado-county")
BIDS = ["bid 5", "Bid 12 45.", "bid none", "bid 12 45 6o", "bid 12 45 plan 1 C3 / 2 D7 E9", "withdraw"]
BROKEN_AS_TYPED = [
    "<pre>{}\n{}</pre>",
    "<PRE class=x>{}\r\n{}</PRE>",
    '<div style="white-space: pre-wrap;"><div>hi</div>{}\n{}</div>',
    "<div style='white-space:pre'>{}\n\n{}</div>",
    '<span style="white-space:pre-line">{}\n{}</span>',
]
HTML = [
    *BROKEN_AS_TYPED,
    "<div>{}</div><div>{}</div>",
    "<p>{}<br>{}</p>",
    "<p>{}</p>{}",
    "<pre>{}\r{}</pre>",
    "<pre>{}\u2028{}</pre>",
    "<div>{}\n{}</div>",
    '<span style="display: block">{}</span><span style="display:block">{}</span>',
    "<details><summary>{}</summary>{}</details>",
]

sentence = st.lists(st.sampled_from(["a", "merry", "Christmas", "to", "all", "of", "you"]), min_size=1, max_size=20)


def told_and_played(raw):
    written = read(raw)
    found = reply.read(written.lines, Position(COUNTY), written.rests)
    return [order.text for order in found if isinstance(order, Say)], [o for o in found if isinstance(o, PlayMove)]


def is_safe(raw, words):
    """Check that the message is posted as written, or that nothing is done."""
    told, played = told_and_played(raw)
    return told == [words] or (told, played) == ([], [])


@given(
    sentence.map(" ".join),
    st.sampled_from(BIDS),
    st.sampled_from(["\n", "\r\n", " \n", " \r\n", "\r", "\x0b", "\x85", "\u2028", "\n ", "\n\n", " \n\n", "\n- "]),
    st.sampled_from(["plain", "plain; format=flowed", "plain; format=flowed; delsp=yes"]),
)
def test_a_bid_below_a_message_in_a_text_email_is_never_posted(words, bid, between, kind):
    assert is_safe(mail(f"say {words}{between}{bid}", kind), words)


@pytest.mark.parametrize("form", HTML)
@given(sentence.map(" ".join), st.sampled_from(BIDS))
def test_a_bid_below_a_message_in_an_html_email_is_never_posted(form, words, bid):
    assert is_safe(mail(form.format(f"say {words}", bid), "html"), words)


@pytest.mark.parametrize("form", BROKEN_AS_TYPED)
def test_lines_that_are_separate_in_the_html_part_stay_separate(form):
    told, played = told_and_played(mail(form.format("say Hello", "bid 5") + "<p>bid\n6</p>", "html"))
    assert (told, played) == (["Hello"], [PlayMove("bid 5"), PlayMove("bid 6")])
