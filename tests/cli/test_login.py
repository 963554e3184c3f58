import json
import stat

import pytest

from accounts import links
from accounts.models import Registration, Token
from cli import environment
from tests.cli.faulty_server import answer, faulty
from tests.cli.shapes import check

pytestmark = pytest.mark.django_db(transaction=True)
PASSWORD = "Gr33n cowboys ride\n"


def begin(stranger, *more):
    who = ("--username", "dora", "--email", "dora@example.org")
    return stranger.run("register", *who, "--password-stdin", *more, typed=PASSWORD)


def code():
    return links.confirmation_code(Registration.objects.get())


def saved(stranger):
    return json.loads((stranger.folder / "profiles.json").read_text())["profiles"]["default"]


def test_a_new_player_registers_and_confirms_the_address_and_is_logged_in(stranger):
    begun = begin(stranger)
    assert begun.exit_code == 0
    assert "turnpost register --code" in begun.stdout
    done = stranger.run("register", "--code", code(), "--password-stdin", typed=PASSWORD)
    assert "Welcome, dora." in done.stdout
    assert stranger.json("whoami")["username"] == "dora"


def test_registering_shows_the_detected_time_zone(stranger, monkeypatch):
    monkeypatch.setenv("TZ", "Europe/Berlin")
    assert "Your time zone: Europe/Berlin." in begin(stranger).stderr
    assert Registration.objects.get().time_zone == "Europe/Berlin"


def test_registering_without_a_known_time_zone_says_how_to_set_it(stranger, monkeypatch, tmp_path):
    monkeypatch.delenv("TZ", raising=False)
    monkeypatch.setattr(environment, "LOCALTIME_LINK", tmp_path / "a copy")
    monkeypatch.setattr(environment, "TIME_ZONE_FILE", tmp_path / "not there")
    told = begin(stranger).stderr
    assert "so times are in UTC." in told
    assert "turnpost account --time-zone" in told
    assert Registration.objects.get().time_zone == "UTC"


def test_the_time_zone_is_also_read_from_a_file(monkeypatch, tmp_path):
    monkeypatch.delenv("TZ", raising=False)
    monkeypatch.setattr(environment, "LOCALTIME_LINK", tmp_path / "a copy")
    monkeypatch.setattr(environment, "TIME_ZONE_FILE", tmp_path / "timezone")
    environment.TIME_ZONE_FILE.write_text("America/Denver\n")
    assert environment.local_time_zone() == "America/Denver"


def test_only_the_owner_can_read_the_saved_token(stranger):
    begin(stranger)
    stranger.run("register", "--code", code(), "--password-stdin", typed=PASSWORD)
    assert saved(stranger)["token"].startswith("turnpost_")
    assert stat.S_IMODE((stranger.folder / "profiles.json").stat().st_mode) == 0o600


def test_a_wrong_code_is_refused_and_the_right_one_still_works(stranger):
    begin(stranger)
    wrong = "000000" if code() != "000000" else "111111"
    assert stranger.run("register", "--code", wrong, "--password-stdin", typed=PASSWORD).exit_code == 3
    assert stranger.run("register", "--code", code(), "--password-stdin", typed=PASSWORD).exit_code == 0


def test_a_mistyped_password_with_the_right_code_still_creates_the_account(stranger):
    begin(stranger)
    done = stranger.run("register", "--code", code(), "--password-stdin", typed="mistyped\n")
    assert done.exit_code == 4
    assert "Your account dora is ready, but you're not logged in. The password is wrong." in done.stderr
    assert "Log in: turnpost login dora" in done.stderr
    assert "Welcome, dora." in stranger.ok("login", "dora", "--password-stdin", typed=PASSWORD)


def test_a_code_is_not_used_up_while_the_password_is_missing(stranger):
    begin(stranger)
    assert stranger.run("register", "--code", code()).exit_code == 2
    assert "Welcome, dora." in stranger.ok("register", "--code", code(), "--password-stdin", typed=PASSWORD)


def test_a_code_without_a_registration_is_a_usage_error(stranger):
    done = stranger.run("register", "--code", "123456", "--password-stdin", typed=PASSWORD)
    assert done.exit_code == 2
    assert "Register: turnpost register   Already confirmed? turnpost login" in done.stderr


def test_a_weak_password_is_refused_with_a_reason(stranger):
    who = ("--username", "dora", "--email", "dora@example.org")
    done = stranger.run("register", *who, "--password-stdin", typed="12345\n")
    assert done.exit_code == 3
    assert "password" in done.stderr


def test_without_a_terminal_the_error_names_the_missing_values(stranger):
    assert "--username" in stranger.run("register").stderr
    assert "--password-stdin" in stranger.run("login", "ann").stderr
    assert stranger.run("login", "ann").exit_code == 2


def test_players_can_log_in_by_username_or_email_address(stranger, machine_of):
    machine_of("ann")
    for login in ("ann", "ANN@example.org"):
        done = stranger.run("login", login, "--password-stdin", typed="correct horse\n")
        assert "Welcome, Ann." in done.stdout


def test_a_wrong_password_exits_with_4_and_prints_a_hint(stranger, machine_of):
    machine_of("ann")
    done = stranger.run("login", "ann", "--password-stdin", typed="wrong\n")
    assert done.exit_code == 4
    assert "turnpost login" in done.stderr


def test_hints_include_a_server_that_is_not_saved_yet(stranger, machine_of, live_server):
    machine_of("ann")
    done = stranger.run("login", "ann", "--server", live_server.url, "--password-stdin", typed="wrong\n")
    assert f"Try again: turnpost login --server {live_server.url} " in done.stderr
    assert not (stranger.folder / "profiles.json").exists()


def test_logging_out_revokes_and_removes_the_token(machine_of):
    ann = machine_of("ann")
    check("logout", ann.json("logout"))
    assert not Token.objects.exists()
    assert ann.run("status").exit_code == 4


def test_logging_out_everywhere_needs_confirmation(machine_of):
    ann, elsewhere = machine_of("ann"), machine_of("ann")
    assert ann.run("logout", "--everywhere").exit_code == 2
    ann.ok("logout", "--everywhere", "--yes")
    assert elsewhere.run("whoami").exit_code == 4


def test_logging_out_offline_removes_the_token_and_warns_that_it_is_still_valid(machine_of):
    ann = machine_of("ann")
    ann.url = "http://127.0.0.1:9"
    assert "is still valid on the server" in ann.ok("logout")
    assert saved(ann)["token"] == ""


def test_logging_out_with_an_invalid_token_removes_it(machine_of):
    ann = machine_of("ann")
    Token.objects.all().delete()
    assert "Logged out. Your token was no longer valid." in ann.ok("logout")
    assert saved(ann)["token"] == ""


def test_logging_out_everywhere_with_an_invalid_token_says_that_no_machine_was_logged_out(machine_of):
    ann = machine_of("ann")
    Token.objects.all().delete()
    done = ann.run("logout", "--everywhere", "--yes")
    assert done.exit_code == 4
    assert "No other machine was logged out." in done.stderr
    assert "turnpost login" in done.stderr
    assert saved(ann)["token"] == ""


def test_the_hint_for_an_invalid_token_is_to_log_in(machine_of):
    ann = machine_of("ann")
    Token.objects.all().delete()
    done = ann.run("status")
    assert done.exit_code == 4
    assert "turnpost login" in done.stderr


def test_the_token_and_the_server_can_be_set_in_the_environment(machine_of, machine, live_server):
    ann = machine_of("ann")
    token = saved(ann)["token"]
    assert machine.ok("whoami", TURNPOST_TOKEN=token, TURNPOST_URL=live_server.url).startswith("Ann (ann")
    assert not (machine.folder / "profiles.json").exists()


def test_a_token_from_the_environment_is_never_saved(machine_of, machine, live_server):
    from tests.games.builders import running_match

    match = running_match(seats=2)
    machine.url, machine.token = live_server.url, saved(machine_of("ann"))["token"]
    machine.ok("use", match.match.id)
    assert machine.json("whoami")["current"] == match.match.id
    written = [path.read_text() for path in machine.folder.rglob("*") if path.is_file()]
    assert written
    assert not any(machine.token in content for content in written)


def test_each_server_has_its_own_current_match(machine_of, machine, live_server):
    from tests.games.builders import running_match

    match_id, ann = running_match(seats=2).match.id, machine_of("ann")
    with faulty(answer(200, {"results": [], "next": None, "previous": None})) as elsewhere:
        machine.url = elsewhere.url
        machine.log_in("turnpost_elsewhere")
        machine.ok("use", match_id, TURNPOST_TOKEN=ann.token, TURNPOST_URL=live_server.url)
        done = machine.run("board")
    assert done.exit_code == 2
    assert "Which match?" in done.stderr
    assert match_id not in str(elsewhere.requests)


def test_each_user_has_their_own_current_match(stranger, machine_of):
    from tests.games.builders import running_match

    match_id = running_match(seats=2).match.id
    for name in ("ann", "ben"):
        stranger.ok("login", name, "--password-stdin", typed="correct horse\n")
        assert stranger.json("whoami")["current"] is None
        stranger.ok("use", match_id)


def test_several_accounts_can_be_used_side_by_side(stranger, machine_of):
    machine_of("ann"), machine_of("ben")
    for name in ("ann", "ben"):
        stranger.run("login", name, "--profile", name, "--password-stdin", typed="correct horse\n")
    assert stranger.json("whoami", "--profile", "ann")["username"] == "ann"
    assert stranger.json("whoami", "--profile", "ben")["username"] == "ben"


def test_logging_in_as_another_user_says_how_to_keep_the_first_account(stranger, machine_of):
    machine_of("ann"), machine_of("ben")
    first = stranger.run("login", "ann", "--password-stdin", typed="correct horse\n")
    again = stranger.run("login", "Ann", "--password-stdin", typed="correct horse\n")
    other = stranger.run("login", "ben", "--password-stdin", typed="correct horse\n")
    assert "You're logged in as" not in first.stderr + again.stderr
    assert "You're logged in as ann. To keep that account, use --profile NAME." in other.stderr
    assert saved(stranger)["username"] == "ben"


def test_registering_while_logged_in_says_how_to_keep_the_account(machine_of):
    ann = machine_of("ann")
    assert "You're logged in as ann. To keep that account, use --profile NAME." in begin(ann).stderr
    assert "You're logged in as" not in begin(ann, "--profile", "dora").stderr


def test_a_local_server_says_where_to_read_its_mail(stranger, settings):
    assert f"Your code is at {settings.PUBLIC_URL}/mail/\nThen: turnpost register --code CODE" in begin(stranger).stdout
    settings.MAIL_PAGE = False
    assert "We've emailed a code to dora@example.org.\nThen: " in begin(stranger).stdout


def test_an_invalid_address_is_a_usage_error(stranger):
    assert stranger.run("login", "ann", "--server", "play.example.org").exit_code == 2


def test_login_commands_print_their_documented_json(machine_of):
    ann = machine_of("ann")
    check("whoami", ann.json("whoami"))
    check("doctor", ann.json("doctor"))
