import json

import pytest

from games.models import Invitation, Match, Seat
from tests.cli.shapes import check
from tests.cli.terminal import Terminal

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def match_id(ann):
    return ann.json("new", "coloretto", "--seats", "3")["match"]["id"]


def test_a_new_match_shows_how_to_invite_players(ann):
    shown = ann.ok("new", "coloretto", "--seats", "2", "--title", "Friday", "--pace", "24h")
    assert "1 of 2 seats is free." in shown
    assert "turnpost invite" in shown


def test_the_client_sends_its_own_salt(ann, ben, match_id):
    ben.ok("join", match_id)
    salts = list(Seat.objects.filter(match=match_id).values_list("salt", "salt_by"))
    assert len({salt for salt, _ in salts}) == 2
    assert all(len(salt) == 32 and by == "player" for salt, by in salts)


def test_game_options_are_sent_to_the_server(ann):
    match = ann.json("new", "coloretto", "--seats", "4", "-o", "edition=classic", "-o", "games=2", "--private")["match"]
    kept = Match.objects.get(pk=match["id"])
    assert (kept.options["edition"], kept.options["games"], kept.is_private) == ("classic", 2, True)


def test_a_malformed_option_is_a_usage_error(ann):
    done = ann.run("new", "coloretto", "-o", "edition")
    assert done.exit_code == 2
    assert "--option edition=classic" in done.stderr


def test_an_unknown_option_is_refused_and_the_known_ones_are_listed(ann):
    done = ann.run("new", "coloretto", "-o", "foo=1")
    assert done.exit_code == 3
    assert "Coloretto has no option 'foo'." in done.stderr
    assert "edition (classic or modern)" in done.stderr


@pytest.mark.parametrize(("option", "written"), [("--bank", "3"), ("--pace", "soon"), ("--bank", "3w")])
def test_an_invalid_time_is_refused_with_the_name_of_the_option_and_an_example(ann, option, written):
    done = ann.run("new", "coloretto", option, written)
    assert done.exit_code == 2
    assert f"'{written}' isn't a valid time for {option}." in done.stderr
    assert f"{option} 7d" in done.stderr


def test_an_impossible_number_of_seats_is_refused_and_the_possible_numbers_are_listed(ann):
    done = ann.run("new", "coloretto", "--seats", "9")
    assert done.exit_code == 3
    assert "2 to 5" in done.stderr


def test_an_invited_player_sees_the_invitation_and_joins(ann, ben, match_id):
    check("invite", ann.json("invite", match_id, "ben"))
    assert f"You're invited to Ann's coloretto: turnpost join {match_id}" in ben.ok()
    check("join", ben.json("join", match_id))


def test_a_failed_invitation_does_not_stop_the_others(ann, ben, machine_of, match_id):
    machine_of("cleo")
    done = ann.run("invite", match_id, "ben", "nosuch", "cleo")
    assert done.exit_code == 3
    assert done.stdout.startswith("Invited: ben, cleo.")
    assert "Couldn't invite nosuch." in done.stderr
    assert f"turnpost join {match_id}" in ben.ok()


def test_the_json_output_lists_who_was_invited_and_who_was_not(ann, ben, match_id):
    done = ann.run("invite", match_id, "nosuch", "ben", "nobody", "--json")
    told = json.loads(done.stdout)
    check("invite", told)
    assert [invitation["player"]["username"] for invitation in told["invitations"]] == ["ben"]
    assert [failed["invitee"] for failed in told["failed"]] == ["nosuch", "nobody"]
    problem = json.loads(done.stderr)
    check("problem", problem)
    assert (problem["code"], problem["exit_code"]) == ("no_such_user", 3)


def test_if_every_invitation_fails_only_the_reason_is_printed(ann, match_id):
    done = ann.run("invite", match_id, "nosuch")
    assert (done.exit_code, done.stdout) == (3, "")
    assert "Couldn't invite nosuch." in done.stderr


def test_an_invited_player_who_moves_before_joining_is_told_to_join(ann, ben):
    match_id = ann.json("new", "coloretto", "--title", "Friday")["match"]["id"]
    ann.ok("invite", match_id, "ben")
    assert f"You're invited to Ann's coloretto 'Friday': turnpost join {match_id}" in ben.ok()
    hint = ben.run("play", match_id, "draw").stderr.splitlines()[-1]
    assert hint == f"If you're invited: turnpost join {match_id}   See it: turnpost board {match_id}"


def test_an_invitation_can_be_declined(ann, ben, match_id):
    ann.ok("invite", match_id, "ben")
    check("decline", ben.json("decline", match_id))
    assert "invited" not in ben.ok()


def test_an_invitation_can_be_withdrawn(ann, ben, match_id):
    ann.ok("invite", match_id, "ben")
    assert "reserved for Ben" in ann.ok("board", match_id)
    assert ann.run("uninvite", match_id, "nobody").exit_code == 3
    check("uninvite", ann.json("uninvite", match_id, "BEN"))
    assert "invited" not in ben.ok()


def test_the_match_starts_when_the_last_player_joins(ann, ben, machine_of, match_id):
    ben.ok("join", match_id)
    assert "Row 1" in machine_of("cleo").ok("join", match_id)


@pytest.mark.parametrize("seats", ["2", "3"])
def test_every_player_who_joins_reads_what_the_salts_protect_against(ann, ben, seats):
    match_id = ann.json("new", "coloretto", "--seats", seats)["match"]["id"]
    assert "This does not protect you from an operator" in " ".join(ben.ok("join", match_id).split())


def test_leaving_frees_the_seat(ann, ben, match_id):
    ben.ok("join", match_id)
    check("leave", ben.json("leave", match_id, "--yes"))
    assert Seat.objects.filter(match=match_id).count() == 1


def test_without_a_terminal_irreversible_commands_need_the_yes_option(ann, ben, match_id):
    ben.ok("join", match_id)
    for machine_of, verb in ((ben, "leave"), (ann, "start"), (ann, "cancel")):
        done = machine_of.run(verb, match_id)
        assert done.exit_code == 2
        assert "--yes" in done.stderr
    assert Seat.objects.filter(match=match_id).count() == 2


def test_the_owner_can_start_early_and_everyone_can_agree_to_abandon_the_match(ann, ben, match_id):
    ben.ok("join", match_id)
    check("start", ann.json("start", match_id, "--yes"))
    check("abandon", ann.json("abandon", match_id, "--yes"))
    ann.ok("abandon", match_id, "--no-agree", "--yes")
    ben.ok("abandon", match_id, "--yes")
    assert Match.objects.get(pk=match_id).phase == "running"
    ann.ok("abandon", match_id, "--yes")
    assert Match.objects.get(pk=match_id).phase == "abandoned"
    shown = ann.ok("board", match_id)
    assert "The match has ended." in shown
    assert "draw a card" not in shown


def test_no_free_seats_are_shown_for_a_canceled_match(ann, match_id):
    ann.ok("cancel", match_id, "--yes")
    shown = ann.ok("board", match_id)
    assert "The owner canceled it before it started." in shown
    assert "free" not in shown


def test_the_owner_can_cancel_the_match(ann, match_id):
    check("cancel", ann.json("cancel", match_id, "--yes"))
    assert "You're not in any matches." in ann.ok("matches")


def test_open_matches_can_be_listed_without_an_account(ann, machine, live_server, match_id):
    machine.url = live_server.url
    assert match_id in machine.ok("matches", "open")


def test_lists_print_their_documented_json_and_say_so_if_they_are_empty(ann, ben, match_id):
    for which in ("mine", "waiting", "open", "finished", "invited"):
        check("matches", ann.json("matches", which))
        assert ben.ok("matches", which)


def test_a_title_cannot_control_the_terminal(ann, ben):
    match = ann.json("new", "coloretto", "--seats", "2")["match"]
    Match.objects.filter(pk=match["id"]).update(title="\x1b[2J\x1b[1mgone\u202e")
    for words in (("matches", "open"), ("board", match["id"]), ("matches", "open", "--json")):
        shown = ben.ok(*words)
        assert "\x1b" not in shown
        assert "\u202e" not in shown


@pytest.mark.parametrize("more", [[], ["--yes"], ["--json"]])
def test_without_a_terminal_a_typo_in_a_name_creates_nothing(ann, ben, more):
    done = ann.run("new", "coloretto", "--invite", "ben", "--invite", "bne", *more)
    assert done.exit_code == 3
    assert "There is no user named 'bne'. No match was created." in done.stderr
    assert not Match.objects.exists()
    assert not Invitation.objects.exists()


def test_inviting_more_players_than_there_is_room_for_creates_nothing(ann, ben):
    done = ann.run("new", "coloretto", "--seats", "3", "--bots", "1", "-i", "ben", "-i", "cleo@example.org")
    assert done.exit_code == 2
    assert "You're inviting 2 players, but there is room for 1. No match was created." in done.stderr
    done = ann.run("new", "coloretto", "--bots", "2", "-i", "ben")
    assert "You're inviting 1 player, but there is no room. No match was created." in done.stderr
    assert not Match.objects.exists()


@pytest.mark.slow
def test_in_a_terminal_a_mistyped_name_can_be_corrected_or_left_out(ann, ben):
    terminal = Terminal(ann, "new", "coloretto", "--seats", "3", "--invite", "bne", "--invite", "cleo")
    terminal.shows(r"There is no user named 'bne'.\s+Who do you want to invite\?")
    assert not Match.objects.exists()
    terminal.press("nbe", "enter")
    terminal.shows("There is no user named 'nbe'.")
    terminal.press("ben", "enter")
    terminal.shows("There is no user named 'cleo'.")
    terminal.press("enter")
    assert terminal.ends() == 0
    assert list(Invitation.objects.values_list("user__username", flat=True)) == ["ben"]


@pytest.mark.slow
@pytest.mark.parametrize("key", ["ctrl-c", "ctrl-d"])
def test_leaving_instead_of_correcting_a_name_creates_nothing(ann, key):
    terminal = Terminal(ann, "new", "coloretto", "--invite", "bne")
    terminal.shows("There is no user named 'bne'")
    terminal.press(key)
    assert terminal.ends() != 0
    assert not Match.objects.exists()


def test_the_allowed_number_of_time_outs_is_set_when_the_match_is_created(ann):
    assert ann.json("new", "coloretto", "--patience", "2")["match"]["pace"]["patience"] == 2


def test_the_error_names_a_file_that_cannot_be_written(ann, match_id, tmp_path):
    done = ann.run("export", match_id, "--output", str(tmp_path / "nowhere" / "match.json"))
    assert done.exit_code == 3
    assert "can't be written" in done.stderr
