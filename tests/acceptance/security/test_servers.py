"""Send malformed and hostile HTTP requests to the web servers in their production configuration."""

import json
import socket
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest

from demo.ports import free_port
from tests.deploy.services import ROOT, manage, running

GUNICORN = [sys.executable, "-m", "gunicorn", "-c", str(ROOT / "deploy" / "gunicorn.conf.py")]
WAITRESS = [sys.executable, str(ROOT / "manage.py"), "serve", "--port"]
FORWARDING = ("X-Forwarded-For", "X-Real-IP", "Forwarded", "X_Forwarded_For", "Client-IP", "True-Client-IP")


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    folder = tmp_path_factory.mktemp("data")
    done = manage("migrate", TURNPOST_DATA=str(folder))
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="module", params=["gunicorn", "waitress"])
def server(request, data, tmp_path_factory):
    """Run either gunicorn with two processes, or Waitress as in `manage.py serve`."""
    log, port = tmp_path_factory.mktemp("web") / "log", free_port()
    command = GUNICORN if request.param == "gunicorn" else [*WAITRESS, str(port)]
    more = {"TURNPOST_DATA": str(data), "TURNPOST_BIND": f"127.0.0.1:{port}", "WEB_CONCURRENCY": "2"}
    with running(command, port, log, **more):
        yield port
    assert "Traceback" not in log.read_text()


def say(port, words, most=65536):
    """Send raw bytes over a new connection, and return everything received before the connection is closed."""
    with closing(socket.create_connection(("127.0.0.1", port), timeout=30)) as line:
        heard = b""
        try:
            line.sendall(words)
            while len(heard) < most and (some := line.recv(65536)):
                heard += some
        except ConnectionError:
            pass  # The server may close the connection before the whole request is sent.
        return heard


def request(method, path, *headers, body=b""):
    lines = [f"{method} {path} HTTP/1.1", "Host: localhost", "Connection: close", *headers]
    return "\r\n".join([*lines, "", ""]).encode() + body


def post(path, *headers, body=b""):
    return request("POST", path, "Content-Type: application/json", *headers, body=body)


def status(heard):
    return int(heard.split(b" ", 2)[1])


def chunks(body, size=8192):
    pieces = [body[start : start + size] for start in range(0, len(body), size)]
    return b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces) + b"0\r\n\r\n"


def test_a_large_request_is_refused_before_it_is_read(server):
    """Django refuses bodies that are too large for an endpoint. The web server refuses those too large for any."""
    heard = say(server, post("/api/v1/tokens", "Content-Length: 40000000", body=b'{"login": "'))
    assert status(heard) == 413


@pytest.mark.parametrize("size", [40, 70_000, 3_000_000])
def test_a_chunked_request_is_read_completely_or_refused(server, size):
    body = json.dumps({"login": "x" * size, "password": "y"}).encode()
    heard = say(server, post("/api/v1/tokens", "Transfer-Encoding: chunked", body=chunks(body)))
    assert status(heard) in ((401, 411) if size < 200 else (411, 413))


@pytest.mark.parametrize(
    "headers",
    [
        ("Content-Length: 5", "Transfer-Encoding: chunked"),
        ("Transfer-Encoding: chunked", "Transfer-Encoding: identity"),
        ("Transfer-Encoding: xchunked",),
        ("Content-Length: 5", "Content-Length: 60"),
        ("Content-Length: +5",),
    ],
)
def test_no_second_request_can_be_smuggled_behind_the_first(server, headers):
    hidden = request("GET", "/api/v1/games").replace(b"Connection: close", b"X-Hidden: yes")
    first = post("/api/v1/tokens", *headers, body=b"0\r\n\r\n" + hidden).replace(b"Connection: close", b"X-First: yes")
    heard = say(server, first + request("GET", "/healthz"))
    assert b"coloretto" not in heard
    assert status(heard) >= 400


@pytest.mark.parametrize("name", ["evil.example", "localhost.evil.example", "localhost:80@evil.example", "[::1].evil"])
def test_unknown_host_names_are_refused(server, name):
    heard = say(server, request("GET", "/api/v1/games").replace(b"Host: localhost", f"Host: {name}".encode()))
    assert status(heard) == 400
    assert name.encode() not in heard


def test_spoofed_addresses_do_not_allow_more_password_guesses(server):
    """All processes share the limit of ten attempts per hour for each account and address."""

    def attempt(number):
        invented = [f"{name}: 203.0.113.{number}" for name in FORWARDING]
        body = json.dumps({"login": f"victim-of-{server}", "password": f"guess {number}"}).encode()
        return status(say(server, post("/api/v1/tokens", f"Content-Length: {len(body)}", *invented, body=body)))

    with ThreadPoolExecutor(4) as guessers:
        answers = list(guessers.map(attempt, range(16)))
    assert (answers.count(401), answers.count(429)) == (10, 6)
