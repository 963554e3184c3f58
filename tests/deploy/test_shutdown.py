"""Stopping the service does not cut off open requests."""

import signal
import socket
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from core.web_server import WebServer
from demo.ports import free_port
from tests.deploy.services import ROOT, ask, running
from tests.waiting import until

GUNICORN = [sys.executable, "-m", "gunicorn", "-c", str(ROOT / "deploy" / "gunicorn.conf.py")]


def test_the_embedded_server_finishes_open_requests_before_it_stops():
    asked, go, port = threading.Event(), threading.Event(), free_port()

    def application(environ, start_response):
        asked.set()
        go.wait(20)
        start_response("200 OK", [("Content-Length", "4")])
        return [b"done"]

    web = WebServer(application, host="127.0.0.1", port=port, threads=2)
    with ThreadPoolExecutor() as threads:
        stopped, answer = threads.submit(web.run), threads.submit(ask, port, "/")
        assert asked.wait(20)
        web.stop()
        assert until(lambda: is_refused(port)), "New connections are refused."
        assert not stopped.done()
        go.set()
        assert answer.result(20)[::2] == (200, b"done")
        stopped.result(20)


def is_refused(port):
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
    except OSError:
        return True
    return False


@pytest.mark.parametrize("path", ["/", "/api/"])
def test_gunicorn_finishes_open_requests_before_it_stops(tmp_path, path):
    port = free_port()
    variables = {"TURNPOST_DATA": str(tmp_path), "TURNPOST_BIND": f"127.0.0.1:{port}", "SLOW": str(tmp_path)}
    command = [*GUNICORN, "tests.deploy.slow:application"]
    with running(command, port, tmp_path / "log", **variables) as gunicorn, ThreadPoolExecutor() as threads:
        answer = threads.submit(ask, port, path)
        assert until((tmp_path / "asked").exists)
        gunicorn.send_signal(signal.SIGTERM)
        assert until(lambda: "Handling signal: term" in (tmp_path / "log").read_text())
        (tmp_path / "go").touch()
        assert answer.result(20)[::2] == (200, b"done")
        assert gunicorn.wait(40) == 0
        assert is_refused(port)


@pytest.mark.slow
def test_the_embedded_service_stops_on_request(tmp_path):
    port = free_port()
    command = [sys.executable, str(ROOT / "manage.py"), "serve", "--port", str(port)]
    with running(command, port, tmp_path / "log", TURNPOST_DATA=str(tmp_path / "data")) as service:
        assert ask(port, "/readyz")[0] == 200
        service.send_signal(signal.SIGTERM)
        assert service.wait(40) == 0, (tmp_path / "log").read_text()
