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
def test_an_unreachable_database_is_reported_in_one_line():
    with (
        pytest.raises(SystemExit, match=r"database: connection refused\. Check DATABASE_URL"),
        readable_errors(),
    ):
        raise OperationalError("connection refused\n\tIs the server running?")


@pytest.mark.django_db
def test_a_database_without_tables_is_reported_with_a_message():
    with pytest.raises(SystemExit, match=r"no_such_table.* run: manage\.py migrate"), readable_errors():
        connection.cursor().execute("SELECT * FROM no_such_table")


def test_a_wrong_query_is_a_bug_and_shows_a_traceback():
    with pytest.raises(ProgrammingError), readable_errors():
        raise ProgrammingError('column "x" does not exist')


def test_a_traceback_is_shown_on_request(monkeypatch):
    monkeypatch.setattr(sys, "argv", ["manage.py", "check", "--traceback"])
    with pytest.raises(ImproperlyConfigured), readable_errors():
        raise ImproperlyConfigured("PORT is no number.")


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """Create the data folder of a service with a running match."""
    folder = str(tmp_path_factory.mktemp("data"))
    manage("migrate", TURNPOST_DATA=folder)
    begun = manage(*BEGIN_A_MATCH, TURNPOST_DATA=folder)
    assert begun.returncode == 0, begun.stderr
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("command", [["reencrypt"], ["audit"], OPEN_THE_MATCH], ids=["reencrypt", "audit", "shell"])
def test_every_command_reports_a_lost_key_in_one_message(data, command):
    told = manage(*command, TURNPOST_DATA=data, TURNPOST_VAULT_KEYS=Fernet.generate_key().decode())
    assert told.returncode == 1
    assert "TURNPOST_VAULT_KEYS" in told.stderr
    assert "Traceback" not in told.stderr


@pytest.mark.slow
def test_the_reencrypt_command_works_once_the_old_key_is_back(data):
    kept = Path(data, "vault_key").read_text().strip()
    told = manage("reencrypt", TURNPOST_DATA=data, TURNPOST_VAULT_KEYS=f"{Fernet.generate_key().decode()},{kept}")
    assert told.returncode == 0, told.stderr
