"""Profiles are accounts saved on a machine. Players can list them and switch between them."""

import re

import pytest

from cli import config
from cli.config import Config, Profile
from tests.cli.shapes import check

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def two(machine_of):
    """Return Ann's machine, with Ben's account in the profile ben."""
    ann, ben = machine_of("ann"), machine_of("ben")
    accounts = {"default": Profile(ann.url, ann.token, "ann"), "ben": Profile(ben.url, ben.token, "ben")}
    config.save(Config(ann.folder, profiles=accounts))
    ann.token = ""
    return ann


def test_profiles_are_listed_with_their_accounts_and_the_current_one_is_marked(two):
    shown = two.ok("profiles").splitlines()
    assert shown[:2] == [f"* default  ann at {two.url}", f"  ben      ben at {two.url}"]
    listed = two.json("profiles")
    check("profiles", listed)
    assert [(one["name"], one["username"], one["logged_in"]) for one in listed["profiles"]] == [
        ("default", "ann", True),
        ("ben", "ben", True),
    ]


def test_switching_to_another_profile_is_remembered(two):
    assert two.json("profiles", "ben")["current"] == "ben"
    assert two.json("whoami")["username"] == "ben"
    assert two.json("whoami", "--profile", "default")["username"] == "ann"
    two.ok("profiles", "default")
    assert two.json("whoami")["username"] == "ann"


def test_the_environment_overrides_the_chosen_profile_with_a_warning(two):
    done = two.run("profiles", "default", TURNPOST_PROFILE="ben")
    assert "TURNPOST_PROFILE is set" in done.stderr
    assert '"username": "ben"' in two.ok("whoami", "--json", TURNPOST_PROFILE="ben")


def test_logging_out_keeps_the_profile(two):
    two.ok("logout", "--profile", "ben")
    assert f"  ben      not logged in at {two.url}" in two.ok("profiles")


def test_a_player_who_is_logged_in_with_another_profile_is_pointed_to_it(two, machine):
    two.ok("logout")
    assert "turnpost profiles" in two.ok()
    assert "turnpost profiles" not in machine.ok()


@pytest.mark.parametrize("words", [["profiles", "bne"], ["--profile", "bne"], ["status", "--profile", "bne"]], ids=str)
def test_the_error_for_an_unknown_profile_lists_the_known_ones(two, words):
    done = two.run(*words)
    assert done.exit_code == 4
    assert "There is no profile 'bne'. Your profiles: ben, default." in done.stderr
    assert re.search(": turnpost (--profile bne login|login --profile bne)$", done.stderr, re.MULTILINE)
    assert two.json("profiles")["current"] == "default"
    assert len(two.json("profiles")["profiles"]) == 2


def test_an_unknown_profile_in_the_environment_is_an_error_as_well(two):
    assert "There is no profile 'bne'." in two.run("whoami", TURNPOST_PROFILE="bne").stderr
    assert two.run("whoami", TURNPOST_PROFILE="bne", TURNPOST_TOKEN="turnpost_other").exit_code == 4


def test_logging_in_creates_a_profile(two):
    two.ok("login", "ann", "--profile", "second", "--password-stdin", typed="correct horse\n")
    assert [one["name"] for one in two.json("profiles")["profiles"]] == ["default", "ben", "second"]


def test_a_failed_login_creates_no_profile(two):
    assert two.run("login", "ann", "--profile", "second", "--password-stdin", typed="wrong\n").exit_code == 4
    assert len(two.json("profiles")["profiles"]) == 2


def test_before_the_first_login_there_is_only_the_default_profile(machine):
    assert machine.ok("profiles").startswith("* default  not logged in at http://localhost:8000\n")
