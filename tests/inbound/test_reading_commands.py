"""Commands are read from the lines of a reply, and other lines are ignored."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.registry import engine
from inbound.reading import reply
from inbound.reading.commands import (
    Back,
    Board,
    Help,
    ListMoves,
    Log,
    Mute,
    MuteOff,
    OrderOff,
    PlayMove,
    Rules,
    Say,
    Settings,
    Unreadable,
    Vacation,
    VacationOff,
)
from inbound.reading.position import Position

COLORETTO = engine("coloretto")
COUNTY = engine("colorado-county")


def read(*lines, game=COLORETTO, rests=()):
    return reply.read(lines, Position(game), rests)


def test_any_line_that_the_engine_can_parse_is_a_move():
    assert read("take 2") == (PlayMove("take 2"),)
    assert read("bid 12 45 60", game=COUNTY) == (PlayMove("bid 12 45 60"),)


def test_each_step_of_a_turn_is_on_its_own_line():
    assert read("draw", "place 2") == (PlayMove("draw"), PlayMove("place 2"))


@pytest.mark.parametrize(
    ("line", "order"),
    [
        ("help", Help()),
        ("Board", Board()),
        ("LOG.", Log()),
        ("mute!", Mute()),
        ("Help?", Help()),
        ("Mute off", MuteOff()),
        ("unmute", MuteOff()),
        ("vacation off", VacationOff()),
        ("Vacation  Off.", VacationOff()),
        ("Back!", Back()),
        ("Mute this match, please.", Mute()),
        ("My settings", Settings()),
        ("Cancel my orders", OrderOff(None)),
        ("I'm on vacation from 2026-12-20 to 2027-01-05", Vacation(date(2026, 12, 20), date(2027, 1, 5))),
        ("What are my options?", ListMoves()),
        ("Which moves can I make?", ListMoves()),
        ("How do I play?", Rules()),
        ("What happened?", Log()),
    ],
)
def test_our_commands_are_not_case_sensitive(line, order):
    assert read(line) == (order,)


def test_a_message_is_posted_as_typed():
    assert read("Say “Well played” – Ann… see You tomorrow.") == (Say("“Well played” – Ann… see You tomorrow."),)


@pytest.mark.parametrize(
    "rest",
    ["bid 5", "Bid 12 45.", "bid none", "bid 12 45 6o", "bid 12 45 plan", "withdraw", "mute", "vacation 2026-12-24"],
)
def test_a_line_that_may_be_a_command_is_neither_posted_nor_run(rest):
    (order,) = read("withdraw", f"say Merry Christmas! {rest}", "board", game=COUNTY, rests=[rest])
    assert "empty line between" in order.hint


@pytest.mark.parametrize(
    "rest", ["and a happy new year", "bid farewell", "pick me up", "say it again", "vacation soon"]
)
def test_a_wrapped_message_is_posted_as_one_message(rest):
    assert read(f"say Well, {rest}", game=COUNTY, rests=[rest]) == (Say(f"Well, {rest}"),)


def test_a_wrapped_move_is_read_as_one_move():
    assert read("bid 12 45 plan 1 C3", game=COUNTY, rests=["1 C3"]) == (PlayMove("bid 12 45 plan 1 C3"),)


def test_a_wrapped_move_below_a_message_is_still_played():
    assert read("say Hello", "bid 5 6", game=COUNTY, rests=["6"]) == (Say("Hello"), PlayMove("bid 5 6"))


def test_a_say_command_without_a_message_is_reported():
    (order,) = read("say")
    assert order == Unreadable("say", "Put your message after 'say', for example: say Good luck!")


@pytest.mark.parametrize(
    "days",
    [
        "2026-12-20..2027-01-05",
        "2026-12-20 to 2027-01-05",
        "2026-12-20 – 2027-01-05",
        "2026-12-20…2027-01-05.",
        "from 2026-12-20 until 2027-1-5",
    ],
)
def test_a_vacation_has_a_first_and_a_last_day(days):
    assert read(f"vacation {days}") == (Vacation(date(2026, 12, 20), date(2027, 1, 5)),)


def test_a_vacation_may_be_a_single_day():
    assert read("Vacation 2026-12-24") == (Vacation(date(2026, 12, 24), date(2026, 12, 24)),)


@pytest.mark.parametrize("days", ["", "next week", "2026-13-01..2027-01-05", "2027-01-05..2026-12-20", "2026-02-30"])
def test_invalid_days_are_reported_even_below_a_move(days):
    *understood, reported = read("draw", f"vacation {days}".strip(), "place 1")
    assert understood == [PlayMove("draw")]
    assert isinstance(reported, Unreadable)
    assert "2026-12-20..2027-01-05" in reported.hint


@pytest.mark.parametrize(
    "line",
    [
        "Bid 12 45",
        "bid 12 45.",
        "“bid 12 45”",
        "*bid 12 45*",
        "- bid 12 45",
        "1. bid 12 45",
        "bid\u00a012\u00a045",
        "bid １２ ４５",
        "`bid 12 45`",
    ],
)
def test_typographic_changes_made_by_mail_programs_are_undone(line):
    (order,) = read(line, game=COUNTY)
    assert COUNTY.parse(order.text) == COUNTY.parse("bid 12 45")


@pytest.mark.parametrize(
    ("line", "game"),
    [
        ("bid 5²", COUNTY),
        ("bid ５²", COUNTY),
        ("bid 1½", COUNTY),
        ("bid ⑤", COUNTY),
        ("bid ٥", COUNTY),
        ("take ²", COLORETTO),
        ("take 1₂", COLORETTO),
        ("dra\u24e6", COLORETTO),
    ],
)
def test_look_alike_characters_are_not_accepted_in_moves(line, game):
    (order,) = read(line, game=game)
    assert isinstance(order, Unreadable)


@pytest.mark.parametrize("closing", ["Cheers, Ann", "thanks!", "Take care", "Viele Grüße", "I hope this is right"])
def test_text_below_a_move_is_ignored(closing):
    assert read("take 2", closing) == (PlayMove("take 2"),)


@pytest.mark.parametrize("greeting", ["Hi,", "Hello Turnpost!", "Hallo zusammen,", "Bonjour", "Ciao a tutti", "Olá,"])
def test_a_greeting_above_a_move_is_skipped(greeting):
    assert read(greeting, "take 2") == (PlayMove("take 2"),)


def test_a_line_that_states_no_move_is_reported():
    (order,) = read("I like the second row")
    assert order.line == "I like the second row"
    assert order.is_about_a_move


def test_an_email_without_lines_has_no_commands():
    assert read() == ()


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("I want to resign", "Resign"),
        ("I am back", "Back"),
        ("mute please", "Mute"),
        ("settings please", "Settings"),
        ("what are my moves?", "ListMoves"),
        ("Can you send me the board again?", "Board"),
        ("Can I see the rules?", "Rules"),
    ],
)
def test_commands_can_be_written_in_everyday_english(text, command):
    assert [type(each).__name__ for each in read(text)] == [command]


def test_the_number_of_commands_in_a_reply_is_limited():
    assert len(read(*["draw", "board"] * 250)) == reply.MOST_COMMANDS


word = st.sampled_from(
    ["draw", "place", "take", "bid", "pick", "plan", "say", "vacation", "2026-12-20", "..", "12", "D7"]
)
line = st.one_of(st.text(max_size=80), st.lists(word, max_size=8).map(" ".join))


@pytest.mark.parametrize("game", [COLORETTO, COUNTY])
@given(st.lists(line, max_size=6))
def test_any_line_is_a_command_or_is_reported_and_every_move_can_be_parsed(game, lines):
    understood = reply.read(lines, Position(game))
    assert bool(understood) <= bool(lines)
    assert [order for order in understood[:-1] if isinstance(order, Unreadable)] == []
    for order in understood:
        if isinstance(order, PlayMove):
            game.parse(order.text)
