"""The names of the demo's players, the bots' levels, and the news."""

import getpass
import subprocess
import sys

import pytest

from cli.commands.demo import player_name
from cli.match_fetch import FetchedMatch
from cli.problems import USAGE
from cli.render import match as render
from cli.render.style import Style


@pytest.mark.parametrize(("login", "name"), [("sam", "sam"), ("Anna-Lena_2", "Anna-Lena_2"), ("o.k", "player")])
def test_the_player_is_called_by_their_login_name_if_it_is_a_valid_username(monkeypatch, login, name):
    monkeypatch.setattr(getpass, "getuser", lambda: login)
    assert player_name() == name


def test_without_a_valid_login_name_the_player_is_called_player(monkeypatch):
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
        "Ben took row 1 (red).",
        "The round ended. Ada begins the next one.",
    ]
    assert render.one_line_per_turn(news, ["Ada", "Ben"], 78) == [
        "Ada drew a red card and placed a red card on row 1.",
        "Ben drew a +2 and placed a +2 on row 2.",
        "Ben took row 1 (red).",
        "The round ended. Ada begins the next one.",
    ]


def test_steps_are_not_joined_if_the_line_would_be_too_long():
    news = ["Ada drew a red card.", "Ada placed a red card on row 1."]
    assert render.one_line_per_turn(news, ["Ada"], 40) == news


@pytest.mark.parametrize(("lines_of_news", "order"), [(2, "board news choices"), (9, "news board choices")])
def test_long_news_comes_before_the_board_so_that_the_board_stays_on_the_screen(lines_of_news, order):
    picture = "\n".join(["board"] * 17)
    seat = {"seat": 0, "player": {"name": "sam"}}
    match = {"game": "newer", "rules": 1, "view": {}, "picture": picture, "seats": [seat], "you": 0, "outcome": None}
    choices = {"moves": [{"notation": "draw"}], "forms": []}
    fetched = FetchedMatch(match, choices, news=("Ada did something.",) * lines_of_news)
    screen = render.demo_screen(fetched, Style(height=24))
    places = {"board": screen.index("board"), "news": screen.index("Since"), "choices": screen.index("Your moves")}
    assert " ".join(sorted(places, key=lambda part: places[part])) == order
