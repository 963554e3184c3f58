"""Simulate players on their own machines. Each has a configuration folder and talks to the live test server."""

import json
import os
import socket
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from cli import config
from cli.config import Config, Profile
from cli.main import app

TERMINAL = {"COLUMNS": "80", "TERM": "xterm-256color", "COLORTERM": "truecolor"}


@dataclass
class Machine:
    folder: Path
    url: str
    name: str = ""
    token: str = ""

    @property
    def environment(self) -> dict[str, str]:
        """The environment in which commands run.

        The server's address may change between commands, for example to that of a faulty server, while the token stays
        the same.
        """
        return {
            **TERMINAL,
            "TURNPOST_CONFIG": str(self.folder),
            "TURNPOST_URL": self.url,
            **({"TURNPOST_TOKEN": self.token} if self.token else {}),
        }

    def run(self, *words: str, typed: str | None = None, **environment: str) -> Any:
        """Run a command on this machine, without a terminal."""
        return CliRunner().invoke(app, words, input=typed, env=self.environment | environment, prog_name="turnpost")

    def ok(self, *words: str, **more: str) -> str:
        done = self.run(*words, **more)
        assert done.exit_code == 0, done.output + repr(done.exception)
        return str(done.stdout)

    def json(self, *words: str) -> Any:
        return json.loads(self.ok(*words, "--json"))

    def log_in(self, token: str) -> None:
        self.token = token
        config.save(Config(self.folder, profiles={"default": Profile(self.url, token, self.name)}))


@pytest.fixture(autouse=True)
def _own_environment(monkeypatch):
    for name in list(os.environ):
        if name.startswith("TURNPOST_") and name != "TURNPOST_SECRET_KEY":
            monkeypatch.delenv(name)
    monkeypatch.delenv("NO_COLOR", raising=False)


@pytest.fixture
def machine(tmp_path):
    """Return a machine without a login or a server address."""
    return Machine(tmp_path / "machine", "http://127.0.0.1:9")


@pytest.fixture
def machine_of(tmp_path, live_server):
    """Return a function that creates the machine of a logged-in player."""
    from accounts.models import Token
    from tests.games.builders import player

    def logged_in(name: str) -> Machine:
        _, token = Token.objects.create(user=player(name), expiry=timedelta(days=1), name="test")
        machine = Machine(tmp_path / name, live_server.url, name)
        machine.log_in(token)
        return machine

    return logged_in


@pytest.fixture
def called_at_once(monkeypatch):
    """Send all webhook calls to a local listener immediately."""
    from notifications import outbox
    from notifications.webhooks import http, sender, service, targets
    from tests.notifications.webhooks.listener import Listener

    def connect(where, addresses, until):
        return http.Line(socket.create_connection(("127.0.0.1", listener.port)), until)

    with Listener() as listener:
        monkeypatch.setattr(targets, "resolve", lambda host, port: ["1.1.1.1"])
        monkeypatch.setattr(http, "connect", connect)
        for module in (outbox, service):
            monkeypatch.setattr(module, "wake", lambda kind: kind == outbox.WEBHOOKS and sender.deliver_due())
        yield listener


def pytest_collection_modifyitems(items):
    """Run these tests only with SQLite, because the client doesn't depend on the database."""
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.any_database)


@pytest.fixture
def stranger(machine, live_server):
    """Return a machine with a server address but no login."""
    machine.url = live_server.url
    return machine


@pytest.fixture
def ann(machine_of):
    return machine_of("ann")


@pytest.fixture
def ben(machine_of):
    return machine_of("ben")


@pytest.fixture
def match():
    """Create a two-player match that has just started."""
    from tests.games.builders import running_match

    return running_match(seats=2, title="Friday")


@pytest.fixture
def awaited(match, machine_of):
    """Return the machine of the player whose turn it is."""
    return machine_of(match.seats[match.state.to_move].user.username)


@pytest.fixture
def other(match, machine_of):
    """Return the machine of the other player, who has to wait."""
    return machine_of(match.seats[1 - match.state.to_move].user.username)


@pytest.fixture
def running():
    """Return the ID of a match in which some moves have been made."""
    from tests.games.builders import play_some, running_match

    return play_some(running_match(seats=2), 4).match.id


@pytest.fixture
def finished():
    """Return the ID of a finished match."""
    from tests.games.builders import play_some, running_match

    return play_some(running_match(seats=2)).match.id
