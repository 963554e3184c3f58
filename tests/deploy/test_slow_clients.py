"""Clients that send slowly, or nothing at all, do not block others."""

import os
import shutil
import socket
import subprocess
import sys
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from demo.ports import free_port
from tests.deploy.services import PRODUCTION, ROOT, ask, running
from tests.waiting import until

GUNICORN = [sys.executable, "-m", "gunicorn", "-c", str(ROOT / "deploy" / "gunicorn.conf.py")]
SLOW_HEADER = b"POST /api/v1/tokens HTTP/1.1\r\nHost: localhost\r\n"
SLOW_BODY = SLOW_HEADER + b"Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"
ENOUGH = 600
"""Enough connections to reach every limit of the embedded server."""


@contextmanager
def connections(port: int, count: int, sent: bytes = b""):
    """Open connections whose requests never end."""
    with ExitStack() as stack:
        yield [stack.enter_context(connected(port, sent)) for _ in range(count)]


def connected(port: int, sent: bytes) -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", port), 30)
    connection.sendall(sent)
    return connection


def is_closed(connection: socket.socket) -> bool:
    connection.settimeout(0.01)
    try:
        return connection.recv(1000) == b""
    except TimeoutError:
        return False
    except OSError:
        return True


@pytest.fixture(scope="module")
def embedded(tmp_path_factory):
    folder, port = tmp_path_factory.mktemp("embedded"), free_port()
    command = [sys.executable, str(ROOT / "manage.py"), "serve", "--web-only", "--port", str(port)]
    variables = {"TURNPOST_DATA": str(folder), "BROKER_URL": "redis://127.0.0.1:1/0", "TURNPOST_READ_SECONDS": "2"}
    with running(command, port, folder / "log", **variables):
        yield port


@pytest.fixture(scope="module")
def gunicorn(tmp_path_factory):
    with gunicorn_in(tmp_path_factory.mktemp("gunicorn"), TURNPOST_READ_SECONDS="1") as port:
        yield port


@contextmanager
def gunicorn_in(folder: Path, **more: str):
    port = free_port()
    served = {"TURNPOST_DATA": str(folder), "TURNPOST_BIND": f"127.0.0.1:{port}", "WEB_CONCURRENCY": "2"}
    with running(GUNICORN, port, folder / "log", **PRODUCTION | served | more):
        yield port


class TestEmbeddedServer:
    @pytest.mark.parametrize("sent", [b"", SLOW_HEADER, SLOW_BODY], ids=["idle", "header", "body"])
    def test_it_responds_while_too_many_connections_wait(self, embedded, sent):
        with connections(embedded, ENOUGH, sent):
            assert ask(embedded, "/healthz")[0] == 200

    def test_a_request_that_is_not_finished_in_time_is_cut_off(self, embedded):
        with connections(embedded, 1, SLOW_BODY) as (slow,):
            assert until(lambda: is_closed(slow), 20)

    def test_a_trickle_does_not_count_as_progress(self, embedded):
        with connections(embedded, 1, SLOW_BODY) as (slow,):
            assert until(lambda: not drips(slow), 20)


class TestGunicorn:
    @pytest.mark.parametrize("sent", [SLOW_HEADER, SLOW_BODY], ids=["header", "body"])
    def test_forty_slow_requests_are_cut_off_and_others_are_handled(self, gunicorn, sent):
        with connections(gunicorn, 40, sent):
            assert ask(gunicorn, "/healthz")[0] == 200

    def test_a_trickle_does_not_count_as_progress(self, gunicorn):
        with connections(gunicorn, 1, SLOW_BODY) as (slow,):
            assert until(lambda: not drips(slow), 20)

    def test_idle_connections_use_no_thread(self, gunicorn):
        with connections(gunicorn, 200):
            assert ask(gunicorn, "/healthz")[0] == 200


def drips(connection: socket.socket) -> bool:
    """Return whether the server still accepts a byte."""
    try:
        connection.sendall(b" ")
    except OSError:
        return False
    return not is_closed(connection)


@pytest.fixture(scope="module")
def proxy(tmp_path_factory):
    nginx = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
    if nginx is None:
        if os.environ.get("CI") == "true":
            pytest.fail("nginx is missing, and CI must have it")
        pytest.skip("nginx is not installed")
    folder, port = tmp_path_factory.mktemp("proxy"), free_port()
    with gunicorn_in(folder, TURNPOST_READ_SECONDS="600") as web:
        written = (ROOT / "deploy" / "nginx.conf").read_text()
        served = written.replace("server web:8000;", f"server 127.0.0.1:{web};").replace(
            "listen 8000;", f"listen 127.0.0.1:{port};"
        )
        assert served.count("127.0.0.1") == 2
        served = served.replace("/tmp/turnpost-", f"{folder}/")
        (folder / "nginx.conf").write_text(served)
        command = [nginx, "-p", str(folder), "-c", str(folder / "nginx.conf"), "-e", str(folder / "error.log")]
        process = subprocess.Popen([*command, "-g", "daemon off; pid nginx.pid;"])
        try:
            assert until(lambda: process.poll() is not None or accepts(port), 30)
            yield port
        finally:
            process.terminate()
            process.wait(20)


class TestProxy:
    """nginx with deploy/nginx.conf passes a request on only when it is complete."""

    def test_forty_slow_requests_never_reach_the_web_server(self, proxy):
        with connections(proxy, 40, SLOW_BODY):
            assert ask(proxy, "/healthz")[0] == 200

    def test_the_client_and_the_protocol_are_passed_on(self, proxy):
        status, headers, _ = ask(proxy, "/", **{"Host": "play.example.org", "X-Forwarded-Proto": "https"})
        assert status == 200
        assert headers["Strict-Transport-Security"]

    def test_a_request_that_is_too_large_is_refused(self, proxy):
        status, _, _ = ask(proxy, "/healthz", **{"Content-Length": str(64 * 2**20)})
        assert status == 413


def accepts(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
    except OSError:
        return False
    return True
