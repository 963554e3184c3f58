"""`manage.py serve` prints useful information before it starts to serve."""

import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from config.management.commands.serve import client
from demo.ports import free_port
from tests.deploy.services import ROOT, ask, manage, running
from tests.waiting import until

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def test_a_port_that_is_in_use_causes_an_error_instead_of_the_greeting(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        refused = manage("serve", "--port", port, TURNPOST_DATA=str(tmp_path))
    assert (refused.returncode, refused.stdout) == (1, "")
    assert re.fullmatch(rf"CommandError: Cannot listen on 127.0.0.1:{port}: .*\. Choose .*\n", refused.stderr)


def test_running_a_python_without_django_causes_an_error_that_says_which_python_to_use():
    refused = subprocess.run([sys.executable, "-S", "manage.py", "audit"], cwd=ROOT, capture_output=True, text=True)
    assert (refused.returncode, refused.stdout) == (1, "")
    assert "is missing django. Use the Python that Turnpost is installed in: .venv/bin/python manage.py audit" in (
        refused.stderr
    )


@pytest.mark.parametrize("port", ["70000", "-1", "http"])
def test_an_invalid_port_is_refused(port):
    with pytest.raises(CommandError, match="is not a port"):
        call_command("serve", "--port", port)


def test_the_public_url_uses_the_port_unless_it_is_set(settings, monkeypatch, capsys):
    monkeypatch.setattr("config.management.commands.serve.serve", lambda _, when_ready: when_ready())
    settings.URL_IS_GIVEN = False
    call_command("serve", "--port", "8012")
    assert "Turnpost is running at http://localhost:8012\n" in capsys.readouterr().out
    settings.URL_IS_GIVEN, settings.PUBLIC_URL = True, "https://play.example.org"
    call_command("serve", "--port", "8012")
    assert "Turnpost is running at https://play.example.org\n" in capsys.readouterr().out


def test_the_greeting_is_logged_immediately_and_the_home_page_loads(tmp_path):
    port, log = free_port(), tmp_path / "log"
    command = [sys.executable, str(ROOT / "manage.py"), "serve", "--port", str(port)]
    with running(command, port, log, TURNPOST_DATA=str(tmp_path / "data")):
        assert until(lambda: f"Turnpost is running at http://localhost:{port}\n" in log.read_text())
        status, _, page = ask(port, "/")
    assert status == 200
    assert f"turnpost register --server http://localhost:{port}" in page.decode()


def test_the_commands_in_the_greeting_work(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert Path(client()).resolve() == Path(sys.executable).with_name("turnpost").resolve()
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent))
    assert client() == "turnpost"
