import json
from datetime import UTC, datetime

import pytest
import time_machine

from tests.cli.shapes import check
from tests.games.builders import play_some, running_match, sitting

pytestmark = pytest.mark.django_db(transaction=True)


def test_the_log_is_grouped_by_turn(machine_of, running):
    shown = machine_of("ann").ok("log", running)
    assert shown.startswith("Turn 1\n  Game 1 was dealt")
    assert "drew" in shown


def test_the_log_omits_events_that_the_player_is_not_allowed_to_see(machine_of):
    table = running_match("colorado-county", seats=2)
    watcher = machine_of(sitting(table.seats[0]).username)
    watcher.ok("board", table.match.id)
    match_id = play_some(table, 60).match.id
    assert [event for event in watcher.json("log", match_id)["events"] if not event["text"]]
    for shown in (watcher.ok("board", match_id), watcher.ok("log", match_id), watcher.ok("history", match_id)):
        assert "may not see" not in shown
        assert "None" not in shown


class TestSince:
    @pytest.fixture
    def table(self):
        """Create a match that was started on 2026-03-01 and continued on 2026-03-05."""
        with time_machine.travel(datetime(2026, 3, 1, 12, tzinfo=UTC)):
            table = play_some(running_match(seats=2), 2)
        with time_machine.travel(datetime(2026, 3, 5, 12, tzinfo=UTC)):
            return play_some(table, 2)

    def since(self, machine, table, written):
        return machine.json("log", table.match.id, "--since", written)["events"]

    def test_the_log_can_start_at_a_turn(self, machine_of, table):
        ann = machine_of("ann")
        events = ann.json("log", table.match.id)["events"]
        check("log", {"match": table.match.id, "events": events})
        assert self.since(ann, table, "3") == [event for event in events if event["turn"] >= 3] != []
        assert self.since(ann, table, "0") == events
        assert ann.ok("log", table.match.id, "--since", "99") == "Nothing has happened since turn 99.\n"

    @pytest.mark.parametrize("written", ["2026-03-03", "2026-03-05", "2026-03-05T12:00+00:00", "2026-03-05 11:59Z"])
    def test_the_log_can_start_at_a_date(self, machine_of, table, monkeypatch, written):
        monkeypatch.setenv("TZ", "UTC")
        events = self.since(machine_of("ann"), table, written)
        assert {event["at"][:10] for event in events} == {"2026-03-05"}

    def test_a_date_later_than_all_events_shows_no_events(self, machine_of, table):
        assert self.since(machine_of("ann"), table, "yesterday") == []
        assert self.since(machine_of("ann"), table, "2026-03-01")

    @pytest.mark.parametrize("written", ["soon", "-1", "2026-13-01", "1.5", "0001-01-01"])
    def test_text_that_is_neither_a_turn_nor_a_date_is_a_usage_error(self, machine, written, monkeypatch):
        monkeypatch.setenv("TZ", "UTC")
        done = machine.run("log", "k7m2x9q4a", "--since", written)
        assert done.exit_code == 2
        assert f"'{written}' is neither a turn nor a date." in done.stderr

    def test_the_last_minute_of_the_calendar_is_a_date(self, machine, monkeypatch):
        """The command fails only because there is no server."""
        monkeypatch.setenv("TZ", "UTC")
        assert machine.run("log", "k7m2x9q4a", "--since", "9999-12-31T23:59").exit_code == 5


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
