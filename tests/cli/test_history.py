"""The log and the history of a match."""

import json

import pytest

from tests.cli.shapes import check
from tests.games.builders import play_some, running_match, sitting

pytestmark = pytest.mark.django_db(transaction=True)


def test_the_log_is_grouped_by_turn(machine_of, running):
    shown = machine_of("ann").ok("log", running)
    assert shown.startswith("Turn 1\n  Game 1 was dealt")
    assert "drew" in shown


def test_the_log_leaves_out_what_the_player_may_not_see(machine_of):
    table = running_match("colorado-county", seats=2)
    watcher = machine_of(sitting(table.seats[0]).username)
    watcher.ok("board", table.match.id)
    match_id = play_some(table, 60).match.id
    assert [event for event in watcher.json("log", match_id)["events"] if not event["text"]]
    for shown in (watcher.ok("board", match_id), watcher.ok("log", match_id), watcher.ok("history", match_id)):
        assert "may not see" not in shown
        assert "None" not in shown


def test_the_log_can_start_at_a_later_event(machine_of, running):
    ann = machine_of("ann")
    events = ann.json("log", running)["events"]
    assert ann.json("log", running, "--since", "2")["events"] == events[2:]
    check("log", ann.json("log", running))


def test_a_spectator_without_an_account_can_read_a_public_match(machine, live_server, running):
    machine.url = live_server.url
    assert "drew" in machine.ok("log", running)
    assert "Row 1" in machine.ok("board", running)


def test_the_history_of_a_running_match_shows_its_events(machine_of, running):
    ann = machine_of("ann")
    check("history", ann.json("history", running))
    assert "Turn 1" in ann.ok("history", running)


def test_the_history_of_a_finished_match_shows_every_board(machine_of, finished):
    ann = machine_of("ann")
    turns = ann.json("history", finished)["turns"]
    check("history", {"match": finished, "turns": turns})
    assert all(turn["view"] for turn in turns)
    assert turns[-1]["view"]["over"]
    assert "Row 1" in ann.ok("history", finished, "--turn", "1")


def test_an_unknown_turn_is_a_usage_error(machine_of, finished):
    assert machine_of("ann").run("history", finished, "--turn", "9999").exit_code == 2


def test_the_history_of_a_running_match_shows_the_boards_as_the_player_saw_them(machine_of):
    table = play_some(running_match(seats=2), 6)
    ann = machine_of("ann")
    turns = ann.json("history", table.match.id)["turns"]
    check("history", {"match": table.match.id, "turns": turns})
    assert [turn["turn"] for turn in turns] == list(range(1, 8))
    assert turns[-1]["view"] == ann.json("board", table.match.id)["match"]["view"]
    assert "Row 1" in ann.ok("history", table.match.id, "--turn", "3")


def test_the_history_can_be_read_without_logging_in(machine, live_server):
    table = play_some(running_match(seats=2), 6)
    machine.url = live_server.url
    turns = json.loads(machine.ok("history", table.match.id, "--json"))["turns"]
    assert {turn["view"] for turn in turns} == {None}
    assert turns[2]["events"]
