import json
import os
import subprocess
import sys
import threading
from datetime import timedelta

import pytest
import time_machine

from cli.commands import board
from cli.render.style import Style
from cli.session import Session
from tests.cli.faulty_server import answer, faulty
from tests.cli.shapes import check
from tests.games.builders import awaited, play_some, running_match
from tests.not_none import not_none

pytestmark = pytest.mark.django_db(transaction=True)


def test_the_next_command_shows_the_board_and_the_possible_moves_and_what_to_type(match, awaited):
    shown = awaited.ok("next")
    assert "Row 1" in shown
    assert "a  draw" in shown
    assert f"turnpost play {match.match.id} draw" in shown


def test_a_move_without_an_id_is_played_in_the_match_set_by_the_use_command(match, awaited):
    awaited.ok("use", match.match.id)
    assert "drew" in awaited.ok("draw")


def test_the_use_command_shows_the_board_that_the_next_move_is_for(match, awaited):
    shown = awaited.ok("use", match.match.id)
    assert "Row 1" in shown
    assert "a  draw" in shown
    check("use", awaited.json("use", match.match.id))


def test_the_board_shows_what_happened_since_the_player_last_looked(match, awaited):
    awaited.ok("board", match.match.id)
    play_some(match, 2)
    shown = awaited.ok("board", match.match.id)
    assert "Since you last looked:" in shown
    assert "placed" in shown


def test_an_unknown_match_is_refused_with_a_hint(awaited):
    done = awaited.run("board", "zzzzzzzzz")
    assert done.exit_code == 3
    assert "There is no match 'zzzzzzzzz', or you can't see it." in done.stderr


def test_the_watch_command_with_the_once_option_shows_the_board_once(machine_of):
    match = running_match(seats=2)
    assert "Row 1" in machine_of("ann").ok("watch", match.match.id, "--once")


@pytest.fixture
def no_stream(monkeypatch):
    """Watch a match as if the server had no event stream."""
    monkeypatch.setattr(board, "news_of", lambda session, match_id: None)


def test_the_watch_command_prints_one_line_of_json_for_each_change_until_the_match_ends(
    machine_of, monkeypatch, no_stream
):
    """The other players move between requests."""
    match = running_match(seats=2)

    class Meanwhile(threading.Event):
        def wait(self, timeout=None):
            play_some(match_now(match), 15)
            return False

    monkeypatch.setattr(board, "timer", Meanwhile())
    lines = [json.loads(line) for line in machine_of("ann").ok("watch", match.match.id, "--json").splitlines()]
    for line in lines:
        check("watch", line)
    turns = [line["match"]["turn"] for line in lines]
    assert turns == sorted(set(turns))
    assert lines[-1]["match"]["phase"] == "finished"


def test_a_response_that_is_not_a_stream_counts_as_no_stream(match, awaited):
    """Some proxies answer every request with a page of their own."""
    with faulty(answer(200, b"<html>Welcome to the hotel network</html>")) as server:
        awaited.url = server.url
        assert board.news_of(Session(Style(), environment=awaited.environment), match.match.id) is None


def match_now(match):
    from games.selectors.loading import load_match

    return load_match(match.match.id)


def test_the_watch_command_shows_nothing_while_nothing_changes(machine_of, monkeypatch, no_stream):
    match = running_match(seats=2)
    waits = []

    class Patience(threading.Event):
        def wait(self, timeout=None):
            waits.append(timeout)
            if len(waits) == 3:
                play_some(match_now(match))
            return False

    monkeypatch.setattr(board, "timer", Patience())
    shown = machine_of("ann").ok("watch", match.match.id, "--json", "--every", "0.5")
    assert len(shown.splitlines()) == 2
    assert waits == [0.5] * 3


def test_the_watch_command_with_the_until_my_turn_option_ends_when_it_is_the_players_turn(machine_of):
    match = running_match(seats=2)
    awaited = machine_of(match.seats[match.state.to_move].user.username)
    assert "Row 1" in awaited.ok("watch", match.match.id, "--until-my-turn")


def test_the_watch_command_with_the_until_my_turn_option_ends_when_a_stand_in_takes_the_seat(
    machine_of, monkeypatch, no_stream
):
    """The player waits for the other player's move, and then runs out of time."""
    from clock.sweep import sweep
    from games.models.pace import Pace

    match = running_match(seats=2, pace=Pace(timedelta(days=1), patience=1))
    gone = match.seats[1 - match.state.to_move]
    looks = []

    class Absence(threading.Event):
        def wait(self, timeout=None):
            looks.append(timeout)
            assert len(looks) == 1, "The command waits for a turn that never comes."
            with time_machine.travel(awaited(play_some(match, moves=2)).deadline):  # the opponent draws and places
                sweep()
            return False

    monkeypatch.setattr(board, "timer", Absence())
    shown = machine_of(gone.user.username).ok("watch", match.match.id, "--until-my-turn")
    assert "A stand-in is playing your seat" in shown


def test_interrupting_the_watch_command_ends_it_quietly(machine_of):
    match = running_match(seats=2)
    waiting = machine_of(match.seats[1 - match.state.to_move].user.username)
    program = [
        sys.executable,
        "-c",
        "from cli.main import app; app()",
        "watch",
        match.match.id,
        "--every",
        "30",
    ]
    process = subprocess.Popen(
        program,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**waiting.environment, **path()},
    )
    assert "coloretto" in not_none(process.stdout).readline()
    process.send_signal(2)
    _, said = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "Traceback" not in said


def path():
    import os

    return {"PATH": os.environ["PATH"], "PYTHONPATH": os.pathsep.join(sys.path)}


@pytest.mark.slow
def test_a_chosen_style_keeps_its_colors_in_a_pipe(match, awaited):
    program = [sys.executable, "-c", "from cli.main import app; app(prog_name='turnpost')", "board", match.match.id]
    variables = os.environ | awaited.environment
    by_option = subprocess.check_output([*program, "--style", "color"], env=variables, text=True)
    by_variable = subprocess.check_output(program, env=variables | {"TURNPOST_STYLE": "Colour"}, text=True)
    assert "\x1b[" in by_option
    assert by_variable == by_option
    assert "\x1b[" not in subprocess.check_output(program, env=variables, text=True)


def test_the_error_for_an_unknown_style_names_it_as_typed_and_lists_the_styles(machine):
    done = machine.run("games", "--style", "Colorful")
    assert done.exit_code == 2
    assert "'Colorful' isn't a style." in done.stderr
    assert "Choose one of: color, plain, speech" in done.stderr
