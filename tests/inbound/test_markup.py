"""The text of an HTML email, without what it hides, strikes out or quotes."""

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
        "height:0;overflow:hidden",
        "max-width:0px",
        "line-height:0",
        "font-size:1px",
        "font: 1px Arial",
        "opacity:0.01",
        "position:absolute;left:-9999px",
        "position: fixed; top: -100em",
        "position:absolute;left:20000px",
        "text-indent:-5000px",
        "margin-left:-3000px",
        "clip:rect(0,0,0,0)",
        "clip-path: inset(100%)",
        "transform:scale(0)",
        "display:/**/none",
        "display:none!important",
        "filter:opacity(0)",
    ],
)
def test_text_that_a_style_hides_or_strikes_out_is_left_out(style):
    assert lines(f'<p>draw</p><p style="color:black;{style}">place 1</p><p>place 2</p>') == ("draw", "place 2")
    page = '<p>draw</p><p class="a b">place 1</p><p id="c">place 3</p><p class="d">place 2</p>'
    rules = f".d {{color:black}} @media screen {{ p.x, p.b {{color:black;{style}}} #c{{{style}}} }} .d{{margin:0}}"
    assert lines(f"<style>{rules}</style>{page}") == ("draw", "place 2")
    assert lines(f"<style><!-- {rules} --></style>{page}") == ("draw", "place 2")


UNREADABLE = [
    "color:#ffffff",
    "color: white !important",
    "color:rgb(255, 255, 255)",
    "color:#fefefe",
    "color:hsl(0, 0%, 99%)",
    "color:#fff8",
    "color:transparent",
    "color:rgba(0,0,0,0)",
    "color:rgba(0, 0, 0, 1%)",
    "-webkit-text-fill-color:transparent",
    "background:#111;color:#000",
    "color:#fff;background:url(black.png)",
    "color:#fff;background-color:rgba(0,0,0,0)",
    "color:#fff;background-color:#00000000",
]


@pytest.mark.parametrize("style", UNREADABLE)
def test_text_in_the_color_of_its_background_is_left_out(style):
    assert lines(f'<p>draw</p><p style="{style}">place 1</p><p>place 2</p>') == ("draw", "place 2")
    assert lines(f"<style>.a {{{style}}}</style><p>draw</p><p class=a>place 1</p><p>place 2</p>") == ("draw", "place 2")


@pytest.mark.parametrize(
    "hidden",
    [
        '<font color="white">place 1</font>',
        '<div style="color:#fff;background:#000"><span style="background:#fff">place 1</span></div>',
        '<table bgcolor="black"><tr><td bgcolor="#ffffff" style="color:white">place 1</td></tr></table>',
        "<style>h4 {display:none}</style><h4>place 1</h4>",
    ],
)
def test_inherited_colors_and_rules_for_elements_count(hidden):
    assert lines(f"<p>draw</p>{hidden}<p>place 2</p>") == ("draw", "place 2")


@pytest.mark.parametrize(
    "page",
    [
        '<body bgcolor="#000000" text="#ffffff"><p>draw</p>',
        '<div style="background-color:#1e1e1e"><p style="color:#eeeeee">draw</p></div>',
        '<p style="color:#888">draw</p>',
        '<p style="color: var(--text); margin: 0 0 0 40pt; width: 100%; left: 10px">draw</p>',
        "<style>@media (prefers-color-scheme: dark) { body, p { color: #fff } }</style><p>draw</p>",
        '<p style="color:windowtext;background:white">draw</p>',
        '<div style="color:#fff;background:#333"><b>x</b></div><p>draw</p>',
        '<p style="font-size:10pt;line-height:1;max-width:none;transform:none;clip:auto">draw</p>',
    ],
)
def test_text_that_can_be_read_counts_in_any_colors(page):
    assert lines(page)[-1] == "draw"


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
