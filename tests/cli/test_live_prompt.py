"""While the prompt is open, it shows what the others do as soon as it happens."""

import re

import pytest

from games.models import Move
from games.selectors.loading import load_match
from games.services.chat import post_message
from tests.cli.conftest import Machine
from tests.cli.terminal import Terminal
from tests.games.builders import awaited, play_some, running_match, say, sitting
from tests.stream.conftest import running_service

OPEN_PROMPT = r"Your move \(\? for help\): *$"


@pytest.fixture
def machine_at(transactional_db, tmp_path):
    """Return a function that creates the machine of a player who is logged in to a service with an event stream."""
    with running_service() as service:

        def logged_in(user):
            machine = Machine(tmp_path / user.username, service.url, user.username)
            machine.log_in(service.token(user)[1])
            return machine

        yield logged_in


def others(table, seat):
    return [one for one in table.seats if one.number != seat.number]


def test_the_prompt_waits_for_the_other_player_and_then_prompts_again(machine_at):
    table = play_some(running_match(seats=2), 1)
    seat = awaited(table)
    other = sitting(others(table, seat)[0])
    terminal = Terminal(machine_at(sitting(seat)), "next")
    terminal.shows(OPEN_PROMPT)
    terminal.press("place 1", "enter")
    terminal.shows(rf"Waiting for {other.name} … \(Enter or q to leave\): *$")
    for move in ("draw", "place 2"):
        say(load_match(table.match.id), others(table, seat)[0].number, move)
    screen = terminal.shows(OPEN_PROMPT)
    assert re.search(rf"{other.name} drew .* and placed it on row 2\.", screen)
    assert b"\a" in terminal.output
    terminal.press("q", "enter")
    assert terminal.ends() == 0


def test_enter_leaves_while_the_prompt_waits(machine_at):
    table = play_some(running_match(seats=2), 1)
    terminal = Terminal(machine_at(sitting(awaited(table))), "next")
    terminal.shows(OPEN_PROMPT)
    terminal.press("place 1", "enter")
    terminal.shows("Waiting for ")
    terminal.press("enter")
    assert terminal.ends() == 0
    assert f"turnpost watch {table.match.id} --until-my-turn" in terminal.text
    assert Move.objects.count() == 2


def test_the_prompt_says_that_there_are_no_moves_while_it_waits(machine_at):
    table = play_some(running_match(seats=2), 1)
    terminal = Terminal(machine_at(sitting(awaited(table))), "next")
    terminal.shows(OPEN_PROMPT)
    terminal.press("place 1", "enter")
    terminal.shows("Waiting for ")
    terminal.press("moves", "enter")
    terminal.shows("You have no moves to make right now.")
    terminal.press("q", "enter")
    assert terminal.ends() == 0


def test_a_new_message_appears_and_what_the_player_has_typed_stays(machine_at):
    table = play_some(running_match(seats=2), 1)
    seat = awaited(table)
    other = sitting(others(table, seat)[0])
    terminal = Terminal(machine_at(sitting(seat)), "next")
    terminal.shows(OPEN_PROMPT)
    terminal.press("pla")
    terminal.shows(r"help\): pla$")
    post_message(match_id=table.match.id, user=other, text="Take your time")
    terminal.shows(rf"{other.name}: Take your time[\s\S]*help\): pla$")
    terminal.press("ce 1", "enter")
    terminal.shows("Waiting for ")
    terminal.press("enter")
    assert terminal.ends() == 0


def test_a_sealed_bid_is_revealed_while_the_prompt_is_open(machine_at):
    table = running_match("colorado-county", seats=2)
    seat = awaited(table)
    terminal = Terminal(machine_at(sitting(seat)), "next")
    terminal.shows(OPEN_PROMPT)
    terminal.press("bid none", "enter")
    terminal.shows("type 'withdraw' to decide again: *$")
    say(table, others(table, seat)[0].number, "bid none")
    assert "is sealed" not in terminal.shows(OPEN_PROMPT)
    terminal.press("q", "enter")
    assert terminal.ends() == 0


def test_a_sealed_bid_can_be_replaced_after_reopening_the_match(machine_at):
    table = running_match("colorado-county", seats=2)
    seat = awaited(table)
    machine = machine_at(sitting(seat))
    machine.ok("play", table.match.id, "bid none")
    terminal = Terminal(machine, "board", table.match.id)
    terminal.shows("type 'withdraw' to decide again: *$")
    terminal.press("withdraw", "enter")
    terminal.shows(OPEN_PROMPT)
    terminal.press("q", "enter")
    assert terminal.ends() == 0
    loaded = load_match(table.match.id)
    assert seat.number in loaded.engine.awaiting(loaded.state)
