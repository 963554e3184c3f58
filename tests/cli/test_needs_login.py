"""Every command exits with 4 if logging in would help, that is, without a token or with an invalid one."""

import shlex
from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import Token
from cli.command import EXAMPLE_MATCH
from tests.cli.all_commands import all_commands
from tests.games.builders import play_some, running_match

pytestmark = pytest.mark.django_db(transaction=True)

WITHOUT_AN_ACCOUNT = {"demo", "games", "rules", "help", "profiles", "register", "login"}
"""Commands for which an account makes no difference."""
FOR_EVERYONE = {"board", "use", "watch", "log", "history", "verify", "export", "matches"}
"""Commands that also work without a token, for public matches."""
OTHERWISE = {"logout": 0, "retry": 3}
"""With an invalid token, `logout` still deletes the token, and `retry` has nothing to resend."""


def example(name):
    """Return the words of an example that needs no input."""
    lines = [line for line in all_commands()[name].callback.examples if "--forgotten" not in line]
    line = next((line for line in lines if EXAMPLE_MATCH in line), lines[0])
    more = {"password": ["--password-stdin"], "matches": ["mine"]}.get(name, [])
    return [*shlex.split(line.partition(" < ")[0])[1:], *more, "--yes"]


NEEDING_AN_ACCOUNT = sorted(set(all_commands()) - WITHOUT_AN_ACCOUNT)


@pytest.mark.parametrize("name", NEEDING_AN_ACCOUNT)
def test_commands_exit_with_4_without_a_token_or_with_an_unknown_one(stranger, name):
    """Without a token, a match that isn't found may be private, so logging in may help."""
    for token, expected in (("", 4), ("turnpost_" + "0" * 64, OTHERWISE.get(name, 4))):
        stranger.token = token
        done = stranger.run(*example(name), typed="old password\nnew password\n")
        assert done.exit_code == expected, done.output
        assert expected != 4 or "turnpost login" in done.stderr


def test_commands_exit_with_4_with_an_expired_or_revoked_token(machine_of):
    ann = machine_of("ann")
    match_id = running_match(seats=2).match.id
    Token.objects.update(expiry=timezone.now() - timedelta(days=1))
    for words in (["status"], ["board", match_id], ["log", match_id], ["matches", "open"], ["doctor"], []):
        done = ann.run(*words)
        assert done.exit_code == 4
        assert "turnpost login" in done.stderr
    Token.objects.all().delete()
    assert ann.run("status").exit_code == 4


def test_commands_exit_with_4_with_a_token_that_contains_invalid_characters(stranger):
    for words in (["status"], ["doctor"], ["matches", "open"]):
        assert stranger.run(*words, TURNPOST_TOKEN="two words").exit_code == 4


@pytest.mark.parametrize("name", sorted(FOR_EVERYONE))
def test_public_matches_need_no_token(stranger, name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    match_id = play_some(running_match(seats=2), None if name == "verify" else 4).match.id
    words = {"matches": ["open"], "watch": [match_id, "--once"]}.get(name, [match_id])
    stranger.ok(name, *words)
