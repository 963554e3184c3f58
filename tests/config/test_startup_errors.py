import sys
from pathlib import Path

import pytest
from cryptography.fernet import Fernet
from django.core.exceptions import ImproperlyConfigured
from django.db import OperationalError, ProgrammingError, connection

from config.startup_errors import readable_errors
from tests.deploy.services import manage

SHELL = ["shell", "--no-imports", "-c"]
BEGIN_A_MATCH = [*SHELL, "from tests.games.builders import running_match; running_match()"]
OPEN_THE_MATCH = [
    *SHELL,
    "from games.selectors.loading import Match, load_match; load_match(Match.objects.get().pk).state",
]


@pytest.mark.django_db
def test_a_database_that_cannot_be_reached_is_a_sentence_of_one_line():
    with (
        pytest.raises(SystemExit, match=r"database: connection refused\. Check DATABASE_URL"),
        readable_errors(),
    ):
        raise OperationalError("connection refused\n\tIs the server running?")


@pytest.mark.django_db
def test_a_database_without_tables_is_a_sentence():
    with pytest.raises(SystemExit, match=r"no_such_table.* run: manage\.py migrate"), readable_errors():
        connection.cursor().execute("SELECT * FROM no_such_table")


def test_a_wrong_query_is_our_mistake_and_has_its_traceback():
    with pytest.raises(ProgrammingError), readable_errors():
        raise ProgrammingError('column "x" does not exist')


def test_whoever_asks_for_a_traceback_gets_it(monkeypatch):
    monkeypatch.setattr(sys, "argv", ["manage.py", "check", "--traceback"])
    with pytest.raises(ImproperlyConfigured), readable_errors():
        raise ImproperlyConfigured("PORT is no number.")


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """Of a service in which a match has begun."""
    folder = str(tmp_path_factory.mktemp("data"))
    manage("migrate", TURNPOST_DATA=folder)
    begun = manage(*BEGIN_A_MATCH, TURNPOST_DATA=folder)
    assert begun.returncode == 0, begun.stderr
    return folder


@pytest.mark.parametrize("command", [["reencrypt"], ["audit"], OPEN_THE_MATCH], ids=["reencrypt", "audit", "shell"])
def test_every_command_tells_of_a_lost_key_in_a_sentence(data, command):
    told = manage(*command, TURNPOST_DATA=data, TURNPOST_VAULT_KEYS=Fernet.generate_key().decode())
    assert told.returncode == 1
    assert "TURNPOST_VAULT_KEYS" in told.stderr
    assert "Traceback" not in told.stderr


def test_whoever_puts_the_key_back_can_lock_everything_anew(data):
    kept = Path(data, "vault_key").read_text().strip()
    told = manage("reencrypt", TURNPOST_DATA=data, TURNPOST_VAULT_KEYS=f"{Fernet.generate_key().decode()},{kept}")
    assert told.returncode == 0, told.stderr
