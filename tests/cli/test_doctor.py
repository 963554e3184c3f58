import pytest

from cli.commands import doctor
from tests.cli.faulty_server import answer, faulty

pytestmark = pytest.mark.django_db(transaction=True)


def test_every_check_passes_if_nothing_is_wrong(machine_of):
    shown = machine_of("ann").ok("doctor")
    assert shown.count("✓") == 6
    assert "logged in as ann" in shown


def test_an_unreachable_server_is_the_first_thing_to_fix(machine):
    done = machine.run("doctor")
    assert done.exit_code == 5
    assert "✗ server" in done.stdout
    assert "Fix this first: server" in done.stderr
    assert "turnpost doctor" not in done.stdout + done.stderr


def test_without_a_login_the_server_is_still_checked(machine, live_server):
    machine.url = live_server.url
    done = machine.run("doctor")
    assert done.exit_code == 4
    assert "✓ server" in done.stdout
    assert "✗ token" in done.stdout


def test_a_clock_that_is_off_is_reported(machine):
    late = {"Date": "Mon, 01 Jan 2001 00:00:00 GMT"}
    with faulty(answer(200, {"status": "ok"}, **late)) as server:
        machine.url = server.url
        assert "compared with the server" in machine.run("doctor").stdout


@pytest.mark.parametrize(
    "date", ["", "yesterday", "Mon, 01 Jan 99999999999999 00:00:00 GMT", "Mon, 99 Jan 2020 00:00:00 GMT"]
)
def test_the_clock_is_not_compared_with_a_malformed_date(machine, date):
    with faulty(answer(200, {"status": "ok"}, Date=date)) as server:
        machine.url = server.url
        assert "✓ clock: the server didn't send its time" in machine.run("doctor").stdout


def test_a_token_that_others_can_read_is_reported_together_with_the_fix(machine_of):
    ann = machine_of("ann")
    (ann.folder / "profiles.json").chmod(0o644)
    done = ann.run("doctor")
    assert done.exit_code == 5
    assert "chmod 600" in done.stdout


def test_the_check_is_skipped_on_systems_without_file_modes(machine_of, monkeypatch):
    ann = machine_of("ann")
    (ann.folder / "profiles.json").chmod(0o666)
    monkeypatch.setattr(doctor, "HAS_FILE_MODES", False)
    assert "✓ settings" in ann.ok("doctor")


def test_undelivered_mail_is_reported_with_its_reason(machine_of):
    from notifications.models import Notification
    from tests.games.builders import running_match

    ann = machine_of("ann")
    running_match(seats=2)
    Notification.objects.update(delivery="dead", why="550 no such mailbox")
    done = ann.run("doctor")
    assert "didn't reach ann@example.org: 550 no such mailbox" in done.stdout
    assert "turnpost notify log" in done.stderr
