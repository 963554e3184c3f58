"""Every screen and every refusal ends with the next command, ready to copy."""

import json
import re
import sys
from datetime import timedelta

import pytest
import time_machine

from cli import config
from cli.config import Config, Profile
from tests.games.builders import awaited, running_match, sitting

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def table():
    return running_match(seats=2)


@pytest.fixture
def waiting(table, machine_of):
    """Return the machine of a player whose turn it isn't."""
    return machine_of(next(seat.user.username for seat in table.seats if not seat.awaited_since))


def test_a_hint_contains_the_id_of_the_match_in_the_request(table, waiting):
    done = waiting.run("verify", table.match.id)
    assert f"See what has happened so far: turnpost log {table.match.id}" in done.stderr


def test_a_player_who_moves_out_of_turn_learns_how_to_wait(table, waiting):
    waiting.ok("board", table.match.id)
    done = waiting.run("play", table.match.id, "draw")
    assert done.exit_code == 3
    assert f"turnpost watch {table.match.id} --until-my-turn" in done.stderr
    assert "turnpost moves" not in done.stderr


def test_the_board_suggests_play_as_the_next_command_on_your_turn_and_watch_otherwise(table, waiting, machine_of):
    assert f"turnpost watch {table.match.id} --until-my-turn" in waiting.ok("board", table.match.id)
    asked = machine_of(sitting(awaited(table)).username).ok("board", table.match.id)
    assert "--until-my-turn" not in asked
    assert f"Next: turnpost play {table.match.id} draw" in asked


class TestAStandIn:
    @pytest.fixture
    def table(self):
        from games.models.pace import Pace

        return running_match(seats=3, pace=Pace(timedelta(days=1), patience=1))

    @pytest.fixture
    def gone(self, table, machine_of):
        from clock.sweep import sweep

        left = awaited(table)
        with time_machine.travel(left.deadline):
            sweep()
        return machine_of(sitting(left).username)

    def test_the_absent_player_sees_the_stand_in_and_the_command_for_coming_back(self, table, gone):
        for style in ("plain", "speech"):
            shown = gone.ok("board", table.match.id, "--style", style)
            assert "A stand-in is playing your seat" in shown
            assert f"Take your seat back: turnpost back {table.match.id}" in shown
            assert "--until-my-turn" not in shown
        assert "a stand-in is playing for you" in gone.ok("matches")

    def test_other_players_see_whom_the_stand_in_is_playing_for(self, table, gone, waiting):
        shown = waiting.ok("board", table.match.id)
        assert f"A stand-in is playing for {gone.name.title()}." in shown
        assert "turnpost back" not in shown

    @pytest.mark.parametrize("order", [("play", "draw"), ("moves",)])
    def test_an_absent_player_can_only_come_back(self, table, gone, order):
        gone.ok("board", table.match.id)
        done = gone.run(order[0], table.match.id, *order[1:])
        assert done.exit_code == 3
        assert re.search("A stand-in (plays|is playing) your seat", done.stderr)
        assert f"Take your seat back: turnpost back {table.match.id}" in done.stderr

    def test_the_stand_in_is_gone_once_the_player_is_back(self, table, gone):
        assert "stand-in" not in gone.ok("back", table.match.id)
        assert f"turnpost watch {table.match.id} --until-my-turn" in gone.ok("board", table.match.id)


def test_other_players_see_whose_emails_are_bouncing(table, waiting, machine_of):
    from notifications.models import BouncingAddress

    unreached = sitting(awaited(table))
    BouncingAddress.objects.create(email=unreached.email, is_stopped=True)
    assert f"Emails to {unreached.name} are bouncing." in waiting.ok("board", table.match.id)
    assert "are bouncing" not in machine_of(unreached.username).ok("board", table.match.id)


def test_if_there_are_too_many_bids_to_list_one_is_shown_as_an_example(machine_of):
    table = running_match("colorado-county", seats=2)
    asked = machine_of(sitting(awaited(table)).username)
    assert f"For example: turnpost play {table.match.id} bid" in asked.ok("board", table.match.id)


def test_the_heading_shows_a_pause(table, waiting, machine_of):
    asked = machine_of(sitting(awaited(table)).username)
    waiting.ok("propose", "pause", "3d", "--match", table.match.id)
    asked.ok("agree", table.match.id)
    heading = asked.ok("board", table.match.id).partition("\n\n")[0]
    assert heading.endswith("running, turn 1, paused for another 3 days)")


def test_the_list_of_open_matches_shows_how_to_join(machine_of):
    ann = machine_of("ann")
    ann.ok("new", "coloretto")
    assert "Take a seat: turnpost join ID" in ann.ok("matches", "open")
    assert "turnpost join" not in ann.ok("matches")


def test_a_display_name_equal_to_the_username_is_shown_once(machine_of):
    from accounts.models import User

    ann = machine_of("ann")
    assert ann.ok("whoami").startswith("Ann (ann, ann@example.org) at ")
    User.objects.update(display_name="")
    assert ann.ok("whoami").startswith("ann (ann@example.org) at ")


class TestWithAProfile:
    @pytest.fixture
    def two(self, machine_of):
        """Return Ann's machine, with Ben's account in the profile ben."""
        ann, ben = machine_of("ann"), machine_of("ben")
        accounts = {"default": Profile(ann.url, ann.token, "ann"), "ben": Profile(ben.url, ben.token, "ben")}
        config.save(Config(ann.folder, profiles=accounts))
        ann.token = ""
        return ann

    @pytest.mark.parametrize("words", [("--profile", "ben", "whoami"), ("whoami", "--profile", "ben")], ids=" ".join)
    def test_the_profile_option_can_come_before_or_after_the_command(self, two, words):
        assert two.json(*words)["username"] == "ben"
        assert two.json("whoami")["username"] == "ann"

    def test_a_profile_option_after_the_command_takes_precedence(self, two):
        assert two.json("--profile", "ann", "whoami", "--profile", "ben")["username"] == "ben"

    @pytest.mark.parametrize(
        "words",
        [("--profile", "ben", "notify"), ("notify", "--profile", "ben"), ("notify", "show", "--profile", "ben")],
    )
    def test_command_groups_accept_the_profile_option_too(self, two, words):
        assert two.json(*words)["email"] == "ben@example.org"

    def test_the_profile_option_without_a_command_lists_that_accounts_matches(self, two):
        two.ok("new", "coloretto", "--invite", "ben")
        invited = r"You're invited to .*: turnpost --profile ben join \w+"
        assert re.search(invited, two.ok("--profile", "ben"))
        assert "invited" not in two.ok()

    def test_suggested_commands_include_the_profile_option(self, two, table):
        shown = two.ok("board", table.match.id, "--profile", "ben")
        assert re.search(rf": turnpost --profile ben (play|watch) {table.match.id}", shown)
        assert "--profile" not in two.ok("board", table.match.id)

    def test_hints_in_error_messages_include_the_profile_option(self, two, table):
        done = two.run("--profile", "ben", "verify", table.match.id)
        assert f"See what has happened so far: turnpost --profile ben log {table.match.id}" in done.stderr
        as_json = json.loads(two.run("--profile", "ben", "verify", table.match.id, "--json").stderr)
        assert as_json["hint"] == f"See what has happened so far: turnpost --profile ben log {table.match.id}"

    def test_a_name_with_a_space_is_quoted(self, two):
        assert "Log in: turnpost --profile 'my club' login" in two.run("status", "--profile", "my club").stderr

    def test_text_written_by_players_is_not_changed(self, two, table):
        two.ok("say", table.match.id, "I use turnpost, and turnpost board is fine")
        shown = two.ok("messages", table.match.id, "--profile", "ben")
        assert "I use turnpost, and turnpost board is fine" in shown


def test_suggested_commands_use_the_clients_path_if_it_is_not_on_the_search_path(machine, monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "argv", [".venv/bin/turnpost"])
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "Create an account:  .venv/bin/turnpost register\n" in machine.ok()
    assert "All commands:       .venv/bin/turnpost --help\n" in machine.ok()
    (tmp_path / "turnpost").touch(mode=0o755)
    assert "Create an account:  turnpost register\n" in machine.ok()
