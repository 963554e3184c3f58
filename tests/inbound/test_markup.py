"""The text of an HTML email, without anything that is hidden, struck out or quoted."""

import pytest

from inbound.parsing import read
from tests.inbound.quoting import mail


def lines(html):
    """Return the lines that are certain to be visible."""
    reply = read(mail(html, "html"))
    return tuple(line for line in reply.lines if line not in reply.unproven)


def unproven(html):
    return read(mail(html, "html")).unproven


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
        "font-size:1px",
        "font: 1px Arial",
        "opacity:0.01",
        "display:/**/none",
        "display:none!important",
        "d\\isplay:none",
    ],
)
def test_text_that_a_style_hides_or_strikes_out_is_left_out(style):
    assert lines(f'<p>draw</p><p style="color:black;{style}">place 1</p><p>place 2</p>') == ("draw", "place 2")
    page = '<p>draw</p><p class="a b">place 1</p><p id="c">place 3</p><p class="d">place 2</p>'
    rules = f".d {{color:black}} @media screen {{ p.x, p.b {{color:black;{style}}} #c{{{style}}} }} .d{{margin:0}}"
    assert lines(f"<style>{rules}</style>{page}") == ("draw", "place 2")
    assert lines(f"{page}<style>{rules}</style>") == ("draw", "place 2")
    assert lines(f"<style><!-- {rules} --></style>{page}") == ("draw", "place 2")


MAY_HIDE = [
    "height:0;overflow:hidden",
    "height:20px",
    "max-width:0px",
    "line-height:0",
    "font:16px/0 Arial",
    "position:absolute;left:-9999px",
    "position: fixed; top: -100em",
    "position:absolute;inset:-1000px",
    "text-indent:-5000px",
    "margin-left:-3000px",
    "padding-left:9999px",
    "clip:rect(0,0,0,0)",
    "clip-path: inset(100%)",
    "transform:scale(0)",
    "translate:-9999px",
    "filter:opacity(0)",
    "mask:linear-gradient(transparent,transparent)",
    "mix-blend-mode:screen",
    "content-visibility:hidden",
    "display:table-column",
    "display:none;display:block",
    "display:block !important;display:none",
    "opacity:0.3",
    "font-size:calc(1px - 1px)",
    "font-size:5px",
    "font-size:1vw",
    "letter-spacing:-1em",
    "vertical-align:-900px",
    "zoom:0.01",
    "columns:2",
    "overflow:hidden",
    "direction:rtl;unicode-bidi:bidi-override",
    "writing-mode:vertical-rl",
    "color:var(--ink)",
    "color:oklch(1 0 0)",
    "color:color-mix(in srgb, white, white)",
    "color:white;color:black",
    "background:url(black.png)",
    "background-image:linear-gradient(black, black)",
    "-webkit-background-clip:text",
    "all:initial",
    "a-property-of-the-future:7",
    "& b{color:white}",
]


@pytest.mark.parametrize("style", MAY_HIDE)
def test_text_that_a_style_might_hide_is_in_doubt(style):
    pages = [
        f'<p style="{style}">place 1</p>',
        f'<p style="color:black" style="{style}">place 1</p>',
        f"<style>p.a {{{style}}}</style><p class=A>place 1</p>",
        f"<p class=a>place 1</p><style>@media screen {{ body > .x ~ .a:not(.b) {{{style}}} }}</style>",
        f"<style>[id] {{{style}}}</style><p id=b>place 1</p>",
        f'<div style="{style}"><p>place 1</p></div>',
    ]
    assert [lines(page) for page in pages] == [()] * len(pages)
    assert [unproven(page) for page in pages] == [{"place 1"}] * len(pages)


@pytest.mark.parametrize(
    "hidden",
    [
        "<details><summary>hello</summary><p>place 1</p></details>",
        "<dialog>place 1</dialog>",
        "<p popover>place 1</p>",
        "<video>place 1</video>",
        "<bdo dir=rtl>place 1</bdo>",
        "<datalist><option>place 1</option></datalist>",
        '<td background="white.png">place 1</td>',
        '<p>hello <font color="white"></p>place 1',
        '<div style="color:white"><table><tr><td></div>place 1',
        '<span style="color:white"><div></span>place 1',
        '<span style="display:none"><div></span>place 1',
        '<div style="display:none"><table><tr><td></div>place 1',
        '<div style="background:black;color:white"><table><tr><td>place 1</td></tr></table></div>',
        '<div style="background:#0000ee"><a href="/">place 1</a></div>',
        '<p>place 1</p><div style="position:absolute;top:0;width:100%;height:100%;background:white">hi</div>',
        '<p>place 1</p><blockquote><img style="margin-top:-40px" src="white.png"></blockquote>',
        "<iframe></iframe><p>place 1</p>",
        '<body style="color:white"><body style="color:black"><p>place 1</p>',
        f"{'<small>' * 8}place 1",
        '<p style="font-family:Arial, Wingdings">place 1</p>',
        '<p style="font:16px Webdings">place 1</p>',
        '<font face="Symbol">place 1</font>',
        "<style>@font-face{font-family:Arial;src:url(blank.woff)}</style><p>place 1</p>",
        '<p style="border:4000px solid white">place 1</p>',
        '<link rel="stylesheet" href="https://example.org/a.css"><p>place 1</p>',
        "<style>@import 'a.css';</style><p>place 1</p>",
        f"<style>{'.a{margin:0}' * 600}</style><p>place 1</p>",
        f"<style>{'a' * 70_000}</style><p>place 1</p>",
        '<p style="' + "margin:0;" * 400 + '">place 1</p>',
        "<p>place 1</p>" + " " * 200_000,
    ],
)
def test_text_in_elements_that_might_hide_it_is_in_doubt(hidden):
    assert "place 1" not in lines(hidden)
    assert "place 1" in unproven(hidden)


@pytest.mark.parametrize(
    "page",
    [
        '<p class=MsoListParagraph style="margin-left:36.0pt;text-indent:-18.0pt;mso-list:l0 level1 lfo1">draw</p>',
        '<table style="width:12pt"><tr style="height:15pt"><td style="height:15pt;padding:0cm 5.4pt">draw</td></table>',
        '<div style="caret-color: rgb(0, 0, 0); -webkit-text-stroke-width: 0px; float: none; '
        'display: inline !important; font-variant-caps: normal; word-spacing: 0px; orphans: auto">draw</div>',
        "<style>@font-face {font-family:Aptos; panose-1:2 11} @page WordSection1 {size:612.0pt 792.0pt} "
        "@list l0 {mso-list-id:1} a:link {mso-style-priority:99; color:#0563C1; text-decoration:underline} "
        "div.WordSection1 {page:WordSection1} ol {margin-bottom:0cm}</style><div class=WordSection1>draw</div>",
        '<body link="#0563C1" vlink="#954F72"><p>draw</p>',
        '<div style="background-color:rgba(255,255,255,1)"><span style="color:hwb(200 0% 40%)">draw</span></div>',
        "<p>hello<p>draw",
        "<div><b>hello</div></b>draw",
        "<tail>draw</tail>",
        "<details open>draw</details>",
    ],
)
def test_text_written_by_mail_programs_is_certain_to_be_visible(page):
    assert lines(page)[-1:] == ("draw",)


UNREADABLE = [
    "color:#ffffff",
    "color: white !important",
    "color:hwb(0 100% 0%)",
    "color:rgb(255, 255, 255)",
    "color:#fefefe",
    "color:hsl(0, 0%, 99%)",
    "color:#fff8",
    "color:transparent",
    "color:rgba(0,0,0,0)",
    "color:rgba(0, 0, 0, 1%)",
    "-webkit-text-fill-color:transparent",
    "background:#111;color:#000",
    "color:#fff;background-color:rgba(0,0,0,0)",
    "color:#fff;background-color:#00000000",
]


@pytest.mark.parametrize("style", UNREADABLE)
def test_text_in_the_same_color_as_its_background_is_left_out(style):
    assert lines(f'<p>draw</p><p style="{style}">place 1</p><p>place 2</p>') == ("draw", "place 2")
    assert lines(f"<style>.a {{{style}}}</style><p>draw</p><p class=a>place 1</p><p>place 2</p>") == ("draw", "place 2")


@pytest.mark.parametrize(
    "hidden",
    [
        '<font color="white">place 1</font>',
        '<div style="color:#fff;background:#000"><span style="background:#fff">place 1</span></div>',
        '<table bgcolor="black"><tr><td bgcolor="#ffffff" style="color:white">place 1</td></tr></table>',
        "<style>h4 {display:none}</style><h4>place 1</h4>",
        "<style>@media (prefers-color-scheme:dark),all{h4{color:#fff}}</style><h4>place 1</h4>",
        "<style>@media not all and (prefers-color-scheme:dark){h4{color:#fff}}</style><h4>place 1</h4>",
        '<body link="white"><a href="/">place 1</a>',
    ],
)
def test_inherited_colors_and_rules_for_elements_are_taken_into_account(hidden):
    assert lines(f"<p>draw</p>{hidden}<p>place 2</p>") == ("draw", "place 2")


@pytest.mark.parametrize(
    "page",
    [
        '<body bgcolor="#000000" text="#ffffff"><p>draw</p>',
        '<div style="background-color:#1e1e1e"><p style="color:#eeeeee">draw</p></div>',
        '<p style="color:#888">draw</p>',
        '<p style="margin: 0 0 0 40pt; width: 100%">draw</p>',
        "<style>@media (prefers-color-scheme: dark) { body, p { color: #fff } }</style><p>draw</p>",
        '<p style="color:windowtext;background:white">draw</p>',
        '<div style="color:#fff;background:#333"><b>x</b></div><p>draw</p>',
        '<p style="font-size:10pt;line-height:1;transform:none;clip:auto;position:relative;top:0">draw</p>',
    ],
)
def test_readable_text_counts_in_any_color(page):
    assert lines(page)[-1] == "draw"


@pytest.mark.parametrize("style", ["font-size:0.9em", "opacity:0.87", "opacity:.5", "font-size:01em"])
def test_small_or_pale_text_still_counts(style):
    assert lines(f'<p style="{style}">draw</p>') == ("draw",)


def test_text_struck_out_inside_a_move_splits_the_line():
    assert lines("<p>bid <s>12</s> 45</p>") == ("bid", "45")


@pytest.mark.parametrize(
    "rules", ["{" * 100_000, "}" * 100_000, ".a{" * 60_000, ".a" * 90_000, "text-decoration" * 13_000]
)
def test_style_rules_designed_to_be_slow_are_parsed_quickly(rules):
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


@pytest.mark.parametrize(
    "junk",
    [
        "<b>" * 40_000 + "</i>" * 10_000,
        '<i style="display:block">' * 7000 + "</i>" * 7000,
        f"<style>{'.x{color:red;a:b}' * 490}</style>{'<b class=x></b>' * 12_000}",
    ],
)
def test_elements_designed_to_be_slow_are_parsed_quickly(junk):
    assert lines(f"{junk}<p>draw</p>") in [("draw",), ()]
