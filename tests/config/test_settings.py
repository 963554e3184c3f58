import os
import subprocess
import sys
from pathlib import Path
from stat import S_IMODE

import pytest
from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.db import connection
from django.test import override_settings

from config import settings as service
from config.celery import app

ROOT = Path(__file__).parents[2]


MODES_OF_JOURNALS = """
from pathlib import Path
from django.conf import settings
from core.models import RateCount
RateCount.objects.create(key="a", count=1, until="2026-11-18T00:00Z")
folder = Path(settings.DATABASES["default"]["NAME"]).parent
print(*[oct(file.stat().st_mode)[-3:] for file in folder.glob("*.sqlite3-*")])
"""


def manage(*words, **variables):
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    command = [sys.executable, ROOT / "manage.py", *words]
    return subprocess.run(command, env=kept | variables, capture_output=True, text=True, timeout=60)


@pytest.mark.slow
def test_only_the_owner_can_read_the_database_even_in_an_open_folder(tmp_path):
    tmp_path.chmod(0o755)
    database = tmp_path / "turnpost.sqlite3"
    assert manage("migrate", TURNPOST_DATA=str(tmp_path)).returncode == 0
    assert S_IMODE(database.stat().st_mode) == 0o600
    journals = manage("shell", "--no-imports", "-c", MODES_OF_JOURNALS, TURNPOST_DATA=str(tmp_path))
    assert journals.stdout.split() == ["600", "600"], journals.stderr
    database.chmod(0o644)
    assert manage("check", "--database", "default", TURNPOST_DATA=str(tmp_path)).returncode == 0
    assert S_IMODE(database.stat().st_mode) == 0o600


def test_by_default_everything_is_stored_in_the_data_folder(tmp_path):
    script = "from django.core.mail import send_mail; send_mail('Your turn', 'Play.', None, ['ann@example.org'])"
    migrated = manage("migrate", TURNPOST_DATA=str(tmp_path))
    mailed = manage("shell", "--no-imports", "-c", script, TURNPOST_DATA=str(tmp_path))
    assert (migrated.returncode, mailed.returncode) == (0, 0), migrated.stderr + mailed.stderr
    assert {path.name for path in tmp_path.iterdir()} == {
        "turnpost.sqlite3",
        "secret_key",
        "vault_key",
        "signing_key",
        "mail",
    }
    assert "Subject: Your turn" in next((tmp_path / "mail").iterdir()).read_text()


@pytest.mark.slow
@pytest.mark.parametrize(
    "program",
    [
        ["manage.py", "serve"],
        ["-m", "gunicorn", "-c", "deploy/gunicorn.conf.py"],
        ["-m", "celery", "-A", "config", "worker"],
    ],
    ids=" ".join,
)
def test_an_invalid_value_stops_every_program_with_a_message(tmp_path, program):
    refused = subprocess.run(
        [sys.executable, *program],
        cwd=ROOT,
        env={"TURNPOST_DATA": str(tmp_path), "BROKER_URL": "pigeon://loft"},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert refused.returncode != 0
    (sentence,) = refused.stderr.splitlines()
    assert sentence.startswith("BROKER_URL must begin with one of")


@pytest.mark.slow
def test_emails_are_fetched_only_if_a_mailbox_is_configured(tmp_path):
    script = "from config.celery import app; print(app.conf.beat_schedule.get('fetch', {}).get('task'))"
    mailbox = {"INBOUND_IMAP_URL": "imaps://ann:pw@mail.example", "TURNPOST_REPLY_DOMAIN": "play.example.org"}
    for variables, task in ({}, "None"), (mailbox, "inbound.fetch"):
        told = manage("shell", "--no-imports", "-c", script, TURNPOST_DATA=str(tmp_path), **variables)
        assert told.stdout.strip() == task, told.stderr


def test_a_configured_provider_can_call_its_endpoint(tmp_path):
    script = "from django.urls import resolve; print(resolve('/mail/providers/postmark/mime').view_name)"
    variables = {"INBOUND_PROVIDERS": "postmark", "INBOUND_WEBHOOK_SECRET": "user:password"}
    told = manage("shell", "--no-imports", "-c", script, TURNPOST_DATA=str(tmp_path), **variables)
    assert told.stdout.strip() == "inbound.providers.PostmarkMail", told.stderr


def test_models_and_migrations_agree(tmp_path):
    checked = manage("makemigrations", "--check", "--dry-run", TURNPOST_DATA=str(tmp_path))
    assert checked.returncode == 0, checked.stdout


@pytest.mark.slow
def test_the_deploy_check_passes_behind_https(tmp_path):
    checked = manage("check", "--fail-level", "WARNING", TURNPOST_DATA=str(tmp_path), TURNPOST_URL="https://a.example")
    assert checked.returncode == 0, checked.stderr


def test_passwords_are_hashed_with_argon2():
    with override_settings(PASSWORD_HASHERS=service.PASSWORD_HASHERS):
        assert make_password("correct horse").startswith("argon2$argon2id$")


def test_celery_uses_the_configured_broker():
    assert app.conf.broker_url == settings.CELERY_BROKER_URL == "memory://localhost"


@pytest.mark.django_db
def test_the_test_database_has_the_production_options():
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("PRAGMA journal_mode")
            assert cursor.fetchone() == ("wal",)
        else:
            cursor.execute("SHOW timezone")
            assert cursor.fetchone() == ("UTC",)
