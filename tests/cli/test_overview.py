"""`turnpost` and `turnpost status` show everything that concerns the player, in text and as JSON."""

import re
from datetime import datetime, timedelta

import pytest
import time_machine
from django.utils import timezone

from tests.cli.shapes import check
from tests.games.builders import awaited as awaited_seat
from tests.games.builders import play_some, running_match, sitting

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def table():
    return running_match(seats=2, title="Friday")


@pytest.fixture
def to_move(table, machine_of):
    return machine_of(sitting(awaited_seat(table)).username)


@pytest.fixture
def waiting(table, machine_of):
    return machine_of(next(sitting(seat).username for seat in table.seats if not seat.awaited_since))


@pytest.mark.parametrize("command", [[], ["status"]])
def test_the_status_command_shows_turns_and_invitations_and_messages_and_proposals(table, to_move, waiting, command):
    invited = waiting.json("new", "coloretto", "--seats", "2", "--invite", to_move.name)["match"]["id"]
    waiting.ok("say", table.match.id, "Hello")
    waiting.ok("say", table.match.id, "Take your time")
    waiting.ok("propose", "pause", "3d", "--match", table.match.id)
    shown = to_move.ok(*command)
    assert "One match is waiting for you." in shown
    assert f"2 unread messages: turnpost messages {table.match.id}" in shown
    assert f"1 open proposal: turnpost proposals {table.match.id}" in shown
    assert re.search(rf"You're invited to .+: turnpost join {invited}", shown)
    data = to_move.json(*command)
    check("status", data)
    assert [match["id"] for match in data["waiting"]] == [table.match.id]
    assert [match["id"] for match in data["invitations"]] == [invited]
    assert data["unread"] == [{"match": table.match.id, "messages": 2}]
    assert data["proposals"] == [{"match": table.match.id, "proposals": 1}]


@pytest.mark.parametrize("command", [[], ["status"]])
def test_the_status_command_says_whose_turn_it_is_and_since_when(table, to_move, waiting, command):
    mover = sitting(awaited_seat(table)).name
    with time_machine.travel(timezone.now() + timedelta(hours=3), tick=False):
        mine, theirs = to_move.ok(*command), waiting.ok(*command)
        assert re.search(rf"{table.match.id} .*  3 hours  ", mine)
        assert "No matches are waiting for you." in theirs
        assert re.search(rf"{table.match.id} .*{mover}'s turn for 3 hours", theirs)
        mine, theirs = to_move.json(*command), waiting.json(*command)
    assert (mine["others"], theirs["waiting"]) == ([], [])
    for listed in (mine["waiting"], theirs["others"]):
        asked = {seat["player"]["name"]: seat["awaited_since"] for seat in listed[0]["seats"] if seat["awaited"]}
        assert list(asked) == [mover]
        assert datetime.fromisoformat(asked[mover]) == awaited_seat(table).awaited_since


def test_screen_readers_get_the_same_information(table, to_move, waiting):
    with time_machine.travel(timezone.now() + timedelta(hours=3), tick=False):
        assert "has been waiting for you for 3 hours" in to_move.ok("status", "--style", "speech")
        for command in ("status", "matches"):
            assert "'s turn for 3 hours." in waiting.ok(command, "--style", "speech")


def test_messages_count_as_read_once_they_are_shown(table, to_move, waiting):
    waiting.ok("say", table.match.id, "Hello")
    assert to_move.json("status")["unread"]
    assert "Hello" in to_move.ok("messages", table.match.id)
    assert to_move.json("status")["unread"] == []


def test_the_next_command_can_skip_the_current_match(to_move, table):
    other = running_match(seats=2)
    if sitting(awaited_seat(other)).username != to_move.name:
        play_some(other, 2)
    first = to_move.json("next")["match"]["id"]
    second = to_move.json("next", "--skip")["match"]["id"]
    assert {first, second} == {table.match.id, other.match.id}
    assert to_move.json("next", "--skip")["match"]["id"] == first


def test_the_next_command_says_if_there_is_no_other_match_to_skip_to(to_move, table):
    to_move.ok("next")
    assert to_move.ok("next", "--skip").startswith("No other match is waiting for you.")


class TestAddressing:
    def test_the_start_of_an_id_is_enough_right_after_a_list_showed_it(self, machine_of):
        match_id = machine_of("ann").json("new", "coloretto", "--seats", "3", "--title", "Sunday table")["match"]["id"]
        ben = machine_of("ben")
        assert match_id in ben.ok("matches", "open")
        assert ben.json("join", match_id[:4])["match"]["id"] == match_id

    def test_a_match_can_be_named_by_its_title(self, table, to_move):
        to_move.ok("status")
        for words in (["board", "friday"], ["moves", "Friday"], ["log", "FRIDAY"]):
            to_move.ok(*words)
        assert "drew" in to_move.ok("play", "Friday", "draw")

    def test_a_title_with_spaces_is_quoted(self, machine_of):
        ann = machine_of("ann")
        match_id = ann.json("new", "coloretto", "--bots", "1", "--title", "Sunday table")["match"]["id"]
        ann.ok("status")
        assert ann.json("board", "sunday table")["match"]["id"] == match_id
        assert ann.json("say", "Sunday table", "Hello")["text"] == "Hello"

    def test_an_ambiguous_title_is_a_usage_error_that_lists_the_ids(self, machine_of):
        ann = machine_of("ann")
        ids = [ann.json("new", "coloretto", "--title", "Friday")["match"]["id"] for _ in range(2)]
        done = ann.run("board", "Friday")
        assert done.exit_code == 2
        assert all(match_id in done.stderr for match_id in ids)
