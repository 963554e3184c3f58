import json
import threading
from contextlib import contextmanager
from datetime import timedelta
from unittest.mock import patch

import pytest
import requests
from django.db import connections

from accounts.models import Token
from config.wsgi import application
from core.web_server import WebServer
from demo.ports import free_port
from stream import hub
from stream.listening import EmbeddedStreams


class Connection:
    def __init__(self, url, **headers):
        self.answer = requests.get(url, headers=headers, stream=True, timeout=20)
        self.lines = self.answer.iter_lines(chunk_size=1)

    def next_line(self):
        return next(self.lines, None)

    def next_event(self):
        """Return the next event, or None at the end."""
        line = next((line for line in self.lines if line), None)
        return line and json.loads(line.removeprefix(b"data: "))

    def kinds_until(self, kind):
        found: list[str] = []
        while not found or found[-1] != kind:
            found.append(self.next_event()["kind"])
        return found


class Service:
    """The web server and the streams of `manage.py serve`, with the test's database."""

    def __init__(self, port, streams):
        self.url, self.streams = f"http://127.0.0.1:{port}", streams
        self.opened = []

    def token(self, user, name="test"):
        return Token.objects.create(user, timedelta(days=1), name=name)

    def follow(self, user, path="/api/v1/stream", token="", **headers):
        secret = token or self.token(user)[1]
        return self.open(path, Authorization=f"Bearer {secret}", **headers)

    def open(self, path, **headers):
        connection = Connection(self.url + path, **headers)
        self.opened.append(connection)
        return connection


@contextmanager
def running_service():
    port, streams = free_port(), EmbeddedStreams()
    web = WebServer(application, host="127.0.0.1", port=port, threads=2, takeover=streams)
    thread = threading.Thread(target=web.run, daemon=True)
    service = Service(port, streams)
    with patch.dict(connections.settings["default"], CONN_MAX_AGE=0):  # Threads must leave no connection open.
        streams.launch()
        thread.start()
        try:
            yield service
        finally:
            for connection in service.opened:
                connection.answer.close()
            web.stop()
            thread.join()
            streams.halt()


@pytest.fixture
def service(transactional_db, monkeypatch):
    monkeypatch.setattr(hub, "CHECK_SECONDS", 0.1)
    with running_service() as service:
        yield service
