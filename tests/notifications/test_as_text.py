"""A line break in plain text never splits a command."""

import pytest

from notifications.letters.as_html import as_html
from notifications.letters.as_text import COLUMNS, as_text
from notifications.letters.blocks import Letter, Offer, Offers, Words, unbroken
from notifications.letters.parts import by_mail
from tests.games.builders import awaited, running_match
from tests.notifications.test_letters import context_of


def written(block):
    return as_text(Letter("Your turn", "Hello Ann,", [block]))


@pytest.mark.parametrize("room", range(COLUMNS))
@pytest.mark.parametrize("move", ["bid none", "pick 2 A1 D1", "bid 12 45 plan 2 D7 E9 / 1 C3 only"])
def test_no_line_break_splits_a_move(room, move):
    before = ("x " * COLUMNS)[:room].strip()
    for text in (f"{before} {unbroken(move)}", f"{before} or '{move}', if you like"):
        for block in (Words(text), Offers("", [Offer("Yes", "turnpost join")], hint=text)):
            lines = written(block).splitlines()
            assert any(move in line for line in lines)
            assert max(map(len, lines)) <= COLUMNS


def test_a_long_command_goes_on_the_line_below_its_move():
    offers = Offers("", [Offer("bid none", "commit no cowboy"), Offer("bid 12", "commit this cowboy " * 5)])
    assert written(offers).splitlines()[2:] == [
        "  bid none    commit no cowboy",
        "  bid 12",
        "      commit this cowboy commit this cowboy commit this cowboy commit this",
        "      cowboy commit this cowboy",
    ]


def test_an_apostrophe_is_not_mistaken_for_a_quotation_mark():
    said = " ".join(["It is Ann's turn, and not Ben's:"] * 9)
    assert min(map(len, written(Words(said)).splitlines()[2:-1])) > COLUMNS - 10


def test_commands_copied_from_text_or_html_contain_only_plain_spaces():
    letter = Letter("Your turn", "Hello Ann,", [Words(f"For example: {unbroken('pick 2 A1 D1')}")])
    assert "example: pick 2 A1 D1" in as_text(letter)
    assert "example: pick 2 A1 D1" in as_html(letter)


@pytest.mark.django_db
@pytest.mark.parametrize("game", ["coloretto", "colorado-county"])
def test_the_example_move_is_not_split_by_a_line_break(settings, game):
    settings.REPLY_DOMAIN = "play.example.org"
    table = running_match(game)
    (words,) = by_mail(context_of(table, awaited(table)), ["pick 2 A1 D1"])
    assert any("pick 2 A1 D1" in line for line in written(words).splitlines())
