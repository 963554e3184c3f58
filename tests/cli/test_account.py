import json

import pytest

from accounts import links
from accounts.announcements import AccountChanged
from accounts.models import User
from core.announcements import announce
from notifications import letters
from notifications.context import load
from notifications.letters.as_text import as_text
from notifications.models import Notification
from tests.cli.shapes import check
from tests.cli.terminal import Terminal

pytestmark = pytest.mark.django_db(transaction=True)
OLD, NEW = "correct horse\n", "Br0wn ranchers sleep\n"


def mailed():
    return as_text(letters.write(load([Notification.objects.latest("created_at").pk])[0]))


def log_in(machine, password):
    return machine.run("login", "ann", "--password-stdin", typed=password)


def test_the_command_in_the_email_replaces_a_forgotten_password(ann, stranger):
    forgotten = log_in(stranger, "wrong\n").stderr
    assert "Forgot it? turnpost password --forgotten" in forgotten
    asked = stranger.ok("password", "--forgotten", "--email", "ann@example.org")
    assert "turnpost password --code CODE" in asked
    code = mailed().partition("turnpost password --code ")[2].split()[0]
    assert "turnpost login" in stranger.ok("password", "--code", code, "--password-stdin", typed=NEW)
    assert log_in(stranger, OLD).exit_code == 4
    assert "Welcome, Ann." in log_in(stranger, NEW).stdout


def test_nobody_can_find_out_whether_an_address_has_an_account(ann, stranger):
    told = [
        stranger.ok("password", "--forgotten", "--email", address).replace(address, "ADDRESS")
        for address in ("ann@example.org", "nobody@example.org")
    ]
    assert told[0] == told[1]


def test_the_hint_for_a_used_code_says_how_to_get_a_new_one(ann, stranger):
    code = links.reset_token(User.objects.get())
    stranger.ok("password", "--code", code, "--password-stdin", typed=NEW)
    done = stranger.run("password", "--code", code, "--password-stdin", typed=OLD)
    assert done.exit_code == 3
    assert "Get another: turnpost password --forgotten" in done.stderr


def test_changing_the_password_logs_out_all_other_machines(ann, stranger):
    log_in(stranger, OLD)
    assert "all other machines are logged out" in ann.ok("password", "--password-stdin", typed=OLD + NEW)
    ann.ok("whoami")
    assert stranger.run("whoami").exit_code == 4
    assert log_in(stranger, NEW).exit_code == 0


def test_a_wrong_current_password_changes_nothing_and_offers_a_reset(ann, stranger):
    done = ann.run("password", "--password-stdin", typed="wrong\n" + NEW)
    assert done.exit_code == 3
    assert "turnpost password --forgotten" in done.stderr
    assert log_in(stranger, OLD).exit_code == 0


def test_the_options_for_a_forgotten_password_and_a_code_cannot_be_combined(stranger):
    done = stranger.run("password", "--forgotten", "--code", "1-a-b")
    assert done.exit_code == 2
    assert "turnpost password --code CODE" in done.stderr


def test_changes_to_name_and_time_zone_take_effect_immediately(ann):
    changed = ann.json("account", "--name", "Ann B.", "--time-zone", "Asia/Tokyo")
    assert (changed["name"], changed["time_zone"]) == ("Ann B.", "Asia/Tokyo")
    assert ann.json("whoami")["name"] == "Ann B."


def test_a_new_address_takes_effect_when_its_link_is_opened(ann):
    told = ann.ok("account", "--email", "ann@new.example", "--password-stdin", typed=OLD)
    assert "open the link in the email to ann@new.example" in told
    assert ann.json("whoami")["email"] == "ann@example.org"
    assert Notification.objects.filter(email="ann@new.example").exists()


def test_a_wrong_password_changes_nothing(ann):
    both = ("--name", "Ann B.", "--email", "ann@new.example")
    assert ann.run("account", *both, "--password-stdin", typed="wrong\n").exit_code == 3
    assert ann.json("whoami")["name"] == "Ann"


class TestDeletion:
    def test_the_account_is_deleted_and_forgotten_on_this_machine(self, ann):
        ann.ok("new", "coloretto")
        ann.token = ""
        deleted = json.loads(ann.ok("account", "--delete", "--yes", "--password-stdin", "--json", typed=OLD))
        check("account --delete", deleted)
        assert deleted == {"deleted": "ann"}
        assert not User.objects.filter(username="ann").exists()
        assert ann.run("whoami").exit_code == 4
        written = [path for path in ann.folder.rglob("*") if path.is_file()]
        assert [path.name for path in written] == ["profiles.json"]
        assert "turnpost_" not in written[0].read_text()

    def test_deleting_the_account_needs_its_password(self, ann):
        done = ann.run("account", "--delete", "--yes", "--password-stdin", typed="wrong\n")
        assert done.exit_code == 3
        assert "turnpost password --forgotten" in done.stderr
        assert ann.json("whoami")["username"] == "ann"

    @pytest.mark.parametrize(
        "words",
        [
            ["--password-stdin"],
            ["--yes"],
            ["--name", "Anna", "--yes", "--password-stdin"],
            ["--bot", "--yes", "--password-stdin"],
        ],
        ids=" ".join,
    )
    def test_deleting_the_account_needs_confirmation_and_cannot_be_combined_with_other_changes(self, ann, words):
        assert ann.run("account", "--delete", *words, typed=OLD).exit_code == 2
        user = User.objects.get(username="ann")
        assert (user.display_name, user.is_bot) == ("Ann", False)

    @pytest.mark.slow
    def test_in_a_terminal_the_question_names_the_account(self, ann, live_server):
        refused = Terminal(ann, "account", "--delete")
        refused.shows(rf"Delete the account ann at {live_server.url}\? This can't be undone. \[y/N\]")
        refused.press("enter")
        assert refused.ends() == 0
        assert User.objects.filter(username="ann").exists()
        meant = Terminal(ann, "account", "--delete")
        meant.shows(r"\[y/N\]")
        meant.press("y", "enter")
        meant.shows("Password:")
        meant.press(OLD.strip(), "enter")
        meant.shows("Your account ann has been deleted.")
        assert meant.ends() == 0
        assert not User.objects.filter(username="ann").exists()


def test_changing_nothing_is_a_usage_error(ann):
    done = ann.run("account")
    assert done.exit_code == 2
    assert "turnpost account --help" in done.stderr


def test_account_commands_print_their_documented_json(ann):
    check("password", ann.json("password", "--forgotten", "--email", "ann@example.org"))
    check("account", ann.json("account", "--name", "Ann B."))


@pytest.mark.parametrize("what", ["password", "log_in", "address_change_requested", "webhook"])
def test_a_warning_email_says_how_to_reset_the_password(ann, what):
    announce(AccountChanged(User.objects.get(), what, where="turnpost on laptop"))
    assert "/reset" in mailed()
