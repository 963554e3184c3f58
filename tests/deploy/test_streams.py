"""In production, event streams are served by a separate process behind nginx.

With SQLite, that process polls for the moves of the others.
"""

import signal
import subprocess
import sys

import pytest
import requests

from demo.ports import free_port
from tests.deploy.proxies import nginx_in
from tests.deploy.services import ROOT, ask, environment, manage, running
from tests.waiting import until

MAKE_PLAYERS = """
from datetime import timedelta
from accounts.models import Token
from tests.games.builders import player
for name in ("ann", "ben"):
    print(Token.objects.create(player(name), timedelta(days=1), name="test")[1])
"""


class Table:
    def __init__(self, url, tokens):
        self.url, self.tokens = url, tokens

    def post(self, player, path, body):
        headers = {"Authorization": f"Bearer {self.tokens[player]}"}
        return requests.post(f"{self.url}/api/v1/{path}", json=body, headers=headers, timeout=30)

    def follow(self, player):
        headers = {"Authorization": f"Bearer {self.tokens[player]}"}
        answer = requests.get(f"{self.url}/api/v1/stream", headers=headers, stream=True, timeout=30)
        return answer, answer.iter_lines(chunk_size=1)


@pytest.fixture(scope="module")
def production(tmp_path_factory):
    """Yield a client of the proxy, the port of the stream process, that process, and the port of the web server."""
    folder, web, streams = tmp_path_factory.mktemp("streams"), free_port(), free_port()
    variables = {"TURNPOST_DATA": str(folder / "data"), "TURNPOST_BIND": f"127.0.0.1:{web}", "WEB_CONCURRENCY": "1"}
    assert manage("migrate", **variables).returncode == 0
    command = [sys.executable, "manage.py", "shell", "-v0", "-c", MAKE_PLAYERS]
    tokens = subprocess.check_output(command, cwd=ROOT, env=environment(**variables), text=True).split()
    gunicorn = [sys.executable, "-m", "gunicorn", "-c", str(ROOT / "deploy" / "gunicorn.conf.py")]
    stream = [sys.executable, str(ROOT / "manage.py"), "stream", "--port", str(streams)]
    with (
        running(gunicorn, web, folder / "web.log", **variables),
        running(stream, streams, folder / "stream.log", **variables) as process,
        nginx_in(folder, web, streams) as port,
    ):
        yield Table(f"http://127.0.0.1:{port}", tokens), streams, process, web
    assert "Traceback" not in (folder / "stream.log").read_text()


@pytest.mark.slow
def test_moves_made_in_web_processes_reach_streams_through_the_proxy(production):
    table, *_ = production
    _, lines = table.follow(0)
    assert b"connected" in next(lines)
    match = table.post(0, "matches", {"game": "coloretto", "seats": 2}).json()["id"]
    assert table.post(1, f"matches/{match}/join", {}).status_code == 200
    assert b"match_started" in next(line for line in lines if line)


def test_without_the_stream_process_clients_get_past_events_and_are_disconnected(production):
    table, *_, web = production
    direct = Table(f"http://127.0.0.1:{web}", table.tokens)
    answer, lines = direct.follow(0)
    assert b"connected" in next(lines)
    assert next(lines, None) is None
    assert answer.status_code == 200


def test_the_stream_process_serves_only_streams_and_health_checks(production):
    _, port, *_ = production
    assert [ask(port, path)[0] for path in ("/healthz", "/readyz", "/", "/api/v1/games")] == [200, 200, 404, 404]
    assert ask(port, "/api/v1/stream")[0] == 401
    assert ask(port, "/api/v1/stream", Host="elsewhere.example.org")[0] == 400


def test_sigterm_ends_all_streams_and_the_process(production):
    table, _, process, _ = production
    _, lines = table.follow(0)
    assert b"connected" in next(lines)
    process.send_signal(signal.SIGTERM)
    assert all(line == b"" for line in lines)
    assert until(lambda: process.poll() is not None)
    assert process.returncode == 0
