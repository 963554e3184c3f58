import getpass
import subprocess
import sys
from typing import Any

import pytest

from cli.commands import demo
from cli.commands.demo import player_name
from cli.interactive import Table
from cli.match_fetch import fetch_match
from cli.problems import USAGE
from cli.render import match as render
from cli.render.style import Style
from cli.session import Session
from tests.games.builders import awaited, play_some, running_match, say, sitting


@pytest.mark.parametrize(("login", "name"), [("sam", "sam"), ("Anna-Lena_2", "Anna-Lena_2"), ("o.k", "player")])
def test_the_player_is_called_by_their_login_name_if_it_is_a_valid_username(monkeypatch, login, name):
    monkeypatch.setattr(getpass, "getuser", lambda: login)
    assert player_name() == name


def test_without_a_valid_login_name_the_player_gets_a_default_name(monkeypatch):
    def nobody() -> str:
        raise KeyError("getpwuid(): uid not found")

    monkeypatch.setattr(getpass, "getuser", nobody)
    assert player_name() == "player"


def test_an_unknown_level_is_refused_before_a_server_starts(machine):
    refused = machine.run("demo", "--autoplay", "--level", "brutal")
    assert refused.exit_code == USAGE
    assert refused.stderr == "There is no level called 'brutal'.\nChoose one of: easy, normal, hard.\n"


@pytest.mark.parametrize("seconds", ["0", "61", "long"])
def test_a_thinking_time_that_is_out_of_range_is_refused_before_a_server_starts(machine, seconds):
    refused = machine.run("demo", "--autoplay", "--think", seconds)
    assert refused.exit_code == USAGE
    assert "--think" in refused.stderr


def test_other_commands_do_not_load_the_bots():
    starts = "import sys; import cli.main, cli.commands.play; print('games.bots' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", starts], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_two_steps_of_a_turn_are_shown_on_one_line():
    news = [
        "Ada drew a red card.",
        "Ada placed a red card on row 1.",
        "Ben drew a +2.",
        "Ben placed a +2 on row 2.",
        "Ada drew an orange card.",
        "Ada placed an orange card on row 3.",
        "Ben drew the golden joker.",
        "Ben placed the golden joker on row 1.",
        "Ben took row 1 (red).",
        "The round ended. Ada begins the next one.",
    ]
    assert render.one_line_per_turn(news, ["Ada", "Ben"], 78) == [
        "Ada drew a red card and placed it on row 1.",
        "Ben drew a +2 and placed it on row 2.",
        "Ada drew an orange card and placed it on row 3.",
        "Ben drew the golden joker and placed it on row 1.",
        "Ben took row 1 (red).",
        "The round ended. Ada begins the next one.",
    ]


def test_a_scored_round_is_one_line_with_each_players_points():
    text = (
        "Round 2 ended and was scored.\n"
        "  Ada: 20 points, 28 in the match so far.\n"
        "     9  border, 7 squares\n"
        "  You: 4 points, 4 in the match so far.\n"
        "     4  great domain, 4 squares"
    )
    points = "Ada: 20 points, 28 in the match so far; you: 4 points, 4 in the match so far"
    assert render.in_one_line(text) == f"Round 2 ended and was scored: {points}."
    assert render.in_one_line("Round 3 began.") == "Round 3 began."


def test_a_sentence_inside_another_begins_with_a_small_letter():
    text = "Bids were revealed.\n  You: none\n  Ada: none\n  Nobody picks a card."
    assert render.in_one_line(text) == "Bids were revealed: you: none; Ada: none; nobody picks a card."


def test_brief_text_leaves_out_details():
    picked = "Ada (bot) took card 1 (red, two stars side by side) and placed cubes on D4 and E3."
    assert render.in_one_line(picked, is_brief=True) == "Ada (bot) took card 1 and placed cubes on D4 and E3."
    text = "Round 2 ended and was scored.\n  Ada: 20 points, 28 so far.\n    9  border\n  You: 4 points, 4 so far."
    assert render.in_one_line(text, is_brief=True) == "Round 2 ended and was scored: Ada: 20 points; you: 4 points."


def test_steps_are_not_joined_if_the_first_already_contains_and():
    news = ["Ada took card 2 (green, one star) and placed a cube on D2.", "Ada put D2 up for sale."]
    assert render.one_line_per_turn(news, ["Ada"], 120) == news


def test_steps_are_not_joined_if_the_first_has_two_sentences():
    news = ["Ada gave up D2. It is free land again.", "Ada drew 2 cowboys from the bag."]
    assert render.one_line_per_turn(news, ["Ada"], 120) == news


def test_steps_are_not_joined_if_the_line_would_be_too_long():
    news = ["Ada drew a red card.", "Ada placed a red card on row 1."]
    assert render.one_line_per_turn(news, ["Ada"], 40) == news


@pytest.mark.django_db(transaction=True)
def test_after_a_sealed_move_the_demo_continues_with_the_bots(machine_of):
    table = running_match("colorado-county", seats=2)
    machine = machine_of(sitting(awaited(table)).username)
    session = Session(Style(), is_demo=True, environment=machine.environment)
    at_table = Table(session, fetch_match(session, table.match.id))
    at_table.make_move("bid none", is_certain=True)
    assert at_table.is_sealed
    assert at_table.has_left


@pytest.mark.django_db(transaction=True)
def test_the_last_player_to_bid_sees_all_bids(machine_of):
    table = running_match("colorado-county", seats=2)
    own = awaited(table)
    machine = machine_of(sitting(own).username)
    session = Session(Style(), is_demo=True, environment=machine.environment)
    say(table, next(seat for seat in table.seats if seat != own).number, "bid none")
    at_table = Table(session, fetch_match(session, table.match.id))
    at_table.make_move("bid none", is_certain=True)
    assert any("Bids were revealed" in one.text for one in at_table.fetched.news)


@pytest.fixture
def at_the_end(transactional_db, machine_of):
    """Return a guest at a table whose match has just ended, and the match."""
    table = play_some(running_match(seats=2))
    machine = machine_of(sitting(table.seats[0]).username)
    guest = Session(Style(drawn=True), is_demo=True, environment=machine.environment)
    server: Any = None
    return demo.Table(guest, server, "coloretto", "easy", 1.0, autoplay=False), fetch_match(guest, table.match.id)


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("log", "Game 1 was dealt"),
        ("board", "Where the points come from"),
        ("rules", "Golden joker"),
        ("help", "play again, against bots of this level"),
        ("?", "show what happened in the match"),
    ],
)
def test_players_can_look_back_before_they_answer_whether_to_play_again(at_the_end, monkeypatch, capsys, typed, shown):
    answers = iter([typed, "n"])
    monkeypatch.setattr(demo, "ask", lambda question, at_end: next(answers))
    assert not demo.wants_rematch(*at_the_end)
    assert shown in capsys.readouterr().out


def test_the_final_screen_of_a_wide_window_has_the_log_of_the_match(at_the_end, monkeypatch):
    table, fetched = at_the_end
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("LINES", "40")
    column = [line[83:] for line in demo.final_screen(table, fetched, ["one"]).splitlines()]
    assert column[0] == "Log"
    assert len(list(filter(None, column))) > 25


def test_the_final_screen_shows_where_everyones_points_come_from(at_the_end):
    table, fetched = at_the_end
    shown = demo.final_screen(table, fetched, ["one"])
    assert all(f"  {fetched.names.subject(seat)}: +" in shown for seat in range(2))


@pytest.mark.django_db(transaction=True)
def test_bots_bid_before_the_player_is_asked(machine_of):
    table = running_match("colorado-county", seats=2)
    own = awaited(table)
    machine = machine_of(sitting(own).username)
    session = Session(Style(), is_demo=True, environment=machine.environment)
    say(table, next(seat for seat in table.seats if seat != own).number, "bid none")
    at_table = Table(session, fetch_match(session, table.match.id))
    at_table.make_move(f"bid {at_table.fetched.match['view']['cowboys'][0]}", is_certain=True)
    assert not at_table.has_left
    at_table.make_move("pick 1 nothing", is_certain=True)
    assert at_table.fetched.is_my_turn
    assert at_table.has_left
    assert not at_table.has_quit
