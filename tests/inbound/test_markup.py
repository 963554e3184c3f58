"""The text of an HTML mail, without what it hides, strikes out or quotes."""

import pytest

from inbound.parsing import read
from tests.inbound.quoting import mail


def lines(html):
    return read(mail(html, "html")).lines


@pytest.mark.parametrize("tag", ["s", "del", "strike", "q", "blockquote", "template"])
def test_struck_out_and_quoted_text_is_left_out(tag):
    assert lines(f"<p>draw</p><p><{tag}>place 1</{tag}></p><p>place 2</p>") == ("draw", "place 2")


@pytest.mark.parametrize(
    "style",
    [
        "display: none",
        "visibility:hidden",
        "visibility: collapse",
        "opacity:0",
        "opacity: 0.0;",
        "opacity:0%",
        "font-size:0",
        "font-size: 0px",
        "font-size:.0em",
        "FONT-SIZE:0.0pt",
        "max-height:0",
        "text-decoration: line-through",
        "text-decoration:underline line-through",
        "text-decoration-line:line-through",
    ],
)
def test_text_that_a_style_hides_or_strikes_out_is_left_out(style):
    assert lines(f'<p>draw</p><p style="color:black;{style}">place 1</p><p>place 2</p>') == ("draw", "place 2")
    page = '<p>draw</p><p class="a b">place 1</p><p id="c">place 3</p><p class="d">place 2</p>'
    rules = f".d {{color:black}} @media screen {{ p.x, p.b {{color:black;{style}}} #c{{{style}}} }} .d{{margin:0}}"
    assert lines(f"<style>{rules}</style>{page}") == ("draw", "place 2")
    assert lines(f"<style><!-- {rules} --></style>{page}") == ("draw", "place 2")


@pytest.mark.parametrize(
    "style", ["font-size:0.9em", "opacity:0.87", "opacity:.5", "max-height:0.5em", "font-size:01em"]
)
def test_small_or_pale_text_counts(style):
    assert lines(f'<p style="{style}">draw</p>') == ("draw",)


def test_a_strike_out_inside_a_move_splits_the_line():
    assert lines("<p>bid <s>12</s> 45</p>") == ("bid", "45")


@pytest.mark.parametrize(
    "rules", ["{" * 100_000, "}" * 100_000, ".a{" * 60_000, ".a" * 90_000, "text-decoration" * 13_000]
)
def test_style_rules_built_to_be_slow_are_parsed_quickly(rules):
    assert lines(f"<style>{rules}</style><p>draw</p>") in [("draw",), ()]


@pytest.mark.parametrize(
    "first",
    [
        '<span style="display:block">say hi</span>',
        '<span style="color:red; DISPLAY : block">say hi</span>',
        '<a style="display:table-row">say hi</a>',
        '<b><span style="display:block">say hi</span></b>',
        '<span style="display:block">say <span>hi</span></span>',
        '<span style="display:block">say <b>hi</span>',
        "<div>say hi</div>",
        "<p>say hi</p>",
        "say hi<br>",
        "<table><tr><td>say</td><td>hi</td></tr></table>",
        "<ul><li>say hi</li></ul>",
    ],
)
def test_a_block_element_starts_and_ends_a_line(first):
    assert lines(f"{first}bid 5") == ("say hi", "bid 5")


@pytest.mark.parametrize("display", ["inline", "inline-block", "table-cell", "contents"])
def test_an_inline_element_does_not_break_a_line(display):
    assert lines(f'<span style="display:{display}">bid</span> 5') == ("bid 5",)


@pytest.mark.parametrize("junk", ["<b>" * 40_000 + "</i>" * 10_000, '<i style="display:block">' * 7000 + "</i>" * 7000])
def test_elements_built_to_be_slow_are_parsed_quickly(junk):
    assert lines(f"{junk}<p>draw</p>") in [("draw",), ()]
