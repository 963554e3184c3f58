"""Clients that send slowly, or nothing at all, do not block others."""

import re
import runpy
import socket
import sys
from contextlib import ExitStack, contextmanager, suppress
from http.client import HTTPConnection
from pathlib import Path
from time import monotonic, sleep
from types import SimpleNamespace

import pytest
from django.conf import settings

from core.gunicorn_worker import MOST_RECEIVED, Incoming, Worker
from demo.ports import free_port
from tests.deploy.proxies import nginx_in
from tests.deploy.services import PRODUCTION, ROOT, ask, running
from tests.not_none import not_none
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


@pytest.fixture(scope="module")
def patient_gunicorn(tmp_path_factory):
    """Run gunicorn with the default TURNPOST_READ_SECONDS."""
    with gunicorn_in(tmp_path_factory.mktemp("patient")) as port:
        yield port


@pytest.fixture(scope="module")
def crowded_gunicorn(tmp_path_factory):
    few = {"WEB_CONCURRENCY": "1", "GUNICORN_CMD_ARGS": "--worker-connections 20"}
    with gunicorn_in(tmp_path_factory.mktemp("crowded"), **few) as port:
        yield port


@contextmanager
def gunicorn_in(folder: Path, **more: str):
    port = free_port()
    served = {"TURNPOST_DATA": str(folder), "TURNPOST_BIND": f"127.0.0.1:{port}", "WEB_CONCURRENCY": "2"}
    with running(GUNICORN, port, folder / "log", **PRODUCTION | served | more):
        yield port


class TestEmbeddedServer:
    @pytest.mark.parametrize("sent", [b"", SLOW_HEADER, SLOW_BODY], ids=["idle", "header", "body"])
    def test_the_server_responds_while_too_many_connections_are_waiting(self, embedded, sent):
        with connections(embedded, ENOUGH, sent):
            assert ask(embedded, "/healthz")[0] == 200

    def test_a_request_that_is_not_finished_in_time_is_cut_off(self, embedded):
        with connections(embedded, 1, SLOW_BODY) as (slow,):
            assert until(lambda: is_closed(slow), 20)

    def test_sending_a_few_bytes_at_a_time_does_not_extend_the_time_limit(self, embedded):
        with connections(embedded, 1, SLOW_BODY) as (slow,):
            assert until(lambda: not drips(slow), 20)


def test_large_requests_that_would_exceed_the_memory_limit_are_refused():
    worker, asking = Worker.__new__(Worker), SimpleNamespace(incoming=Incoming())
    asking.incoming.expected = 10 * 2**20
    worker.large = MOST_RECEIVED - asking.incoming.expected
    assert worker.accepts(asking)
    assert worker.large == MOST_RECEIVED
    assert not worker.accepts(SimpleNamespace(incoming=asking.incoming))


def test_by_default_gunicorn_can_be_reached_only_from_its_own_machine(monkeypatch):
    monkeypatch.delenv("TURNPOST_BIND", raising=False)
    assert runpy.run_path(str(ROOT / "deploy" / "gunicorn.conf.py"))["bind"] == ["127.0.0.1:8000"]


class TestGunicorn:
    @pytest.mark.parametrize("sent", [SLOW_HEADER, SLOW_BODY], ids=["header", "body"])
    def test_forty_slow_requests_are_cut_off_without_delaying_others(self, gunicorn, sent):
        with connections(gunicorn, 40, sent):
            assert ask(gunicorn, "/healthz")[0] == 200

    @pytest.mark.parametrize("sent", [b"", SLOW_HEADER, SLOW_BODY], ids=["idle", "header", "body"])
    def test_hundreds_of_slow_requests_delay_nobody_with_the_default_timeout(self, patient_gunicorn, sent):
        with connections(patient_gunicorn, 400, sent):
            began = monotonic()
            assert ask(patient_gunicorn, "/healthz")[0] == 200
            assert monotonic() - began < settings.READ_SECONDS

    @pytest.mark.parametrize("sent", [SLOW_HEADER, SLOW_BODY], ids=["header", "body"])
    def test_the_oldest_slow_request_is_closed_if_there_are_too_many(self, crowded_gunicorn, sent):
        with connections(crowded_gunicorn, 100, sent) as slow:
            assert ask(crowded_gunicorn, "/healthz")[0] == 200
            assert is_closed(slow[0])

    def test_clients_that_do_not_read_the_response_are_cut_off(self, gunicorn):
        asking = b"GET /api/v1/schema HTTP/1.1\r\nHost: play.example.org\r\nX-Forwarded-Proto: https\r\n\r\n"
        with connections(gunicorn, 40, asking * 50):
            assert until(lambda: ask(gunicorn, "/healthz")[0] == 200, 20)

    def test_clients_that_never_hang_up_delay_nobody(self, patient_gunicorn):
        asking = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        began = monotonic()
        with connections(patient_gunicorn, 80, asking) as answered:
            assert all(one.recv(100).startswith(b"HTTP/1.1 200") for one in answered)
            assert ask(patient_gunicorn, "/healthz")[0] == 200
        assert monotonic() - began < settings.READ_SECONDS

    def test_a_request_that_arrives_in_pieces_is_reassembled(self, gunicorn):
        asking = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        with connections(gunicorn, 1) as (slow,):
            for at in range(0, len(asking), 7):
                slow.sendall(asking[at : at + 7])
                sleep(0.01)
            assert slow.recv(1000).startswith(b"HTTP/1.1 200")

    def test_a_client_that_waits_for_100_continue_gets_it(self, gunicorn):
        head = SLOW_BODY[:-1].replace(b"1000", b"2")
        with connections(gunicorn, 1, head.replace(b"\r\n\r\n", b"\r\nExpect: 100-continue\r\n\r\n")) as (slow,):
            assert slow.recv(100).startswith(b"HTTP/1.1 100 ")
            slow.sendall(b"{}")
            assert slow.recv(100).startswith(b"HTTP/1.1 ")

    def test_two_requests_sent_together_get_only_one_response(self, gunicorn):
        asking = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
        with connections(gunicorn, 1, asking * 2) as (slow,):
            received = b""
            while piece := slow.recv(1000):
                received += piece
            assert received.count(b"HTTP/1.1 ") == 1

    def test_endless_headers_are_refused(self, gunicorn):
        with connections(gunicorn, 1, b"GET / HTTP/1.1\r\n") as (slow,), suppress(OSError):
            slow.sendall(b"X-Header: value\r\n" * 10_000)
            assert b" 431 " in slow.recv(1000)

    def test_sending_a_few_bytes_at_a_time_does_not_extend_the_time_limit(self, gunicorn):
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
    folder = tmp_path_factory.mktemp("proxy")
    with gunicorn_in(folder, TURNPOST_READ_SECONDS="600") as web, nginx_in(folder, web, free_port()) as port:
        yield port


class TestProxy:
    """With deploy/nginx.conf, nginx forwards a request only when it is complete."""

    def test_forty_slow_requests_never_reach_the_web_server(self, proxy):
        with connections(proxy, 40, SLOW_BODY):
            assert ask(proxy, "/healthz")[0] == 200

    def test_the_proxy_passes_on_the_clients_address_and_the_protocol(self, proxy):
        status, headers, _ = ask(proxy, "/", **{"Host": "play.example.org", "X-Forwarded-Proto": "https"})
        assert status == 200
        assert headers["Strict-Transport-Security"]

    @pytest.mark.parametrize("path", ["/", "/api/v1/tokens", "/mail/", "/MAIL/PROVIDERS/x"])
    def test_only_mail_providers_are_allowed_to_send_large_requests(self, proxy, path):
        assert ask(proxy, path, **{"Content-Length": str(2 * 2**20)})[0] == 413

    def test_mail_from_a_provider_is_passed_on_if_the_web_server_accepts_its_size(self, proxy):
        assert ask(proxy, "/mail/providers/x", **{"Content-Length": str(64 * 2**20)})[0] == 413
        assert post(proxy, "/mail/providers/nobody", b"x" * (20 * 2**20)) == 404

    def test_simultaneous_requests_by_providers_fit_into_memory(self):
        """Bodies are stored in /tmp, which is in memory with deploy/compose.yaml."""
        written = (ROOT / "deploy" / "nginx.conf").read_text()
        at_once = int(not_none(re.search(r"limit_conn providers (\d+);", written))[1])
        largest = int(not_none(re.search(r"location /mail/providers/ \{[^}]*client_max_body_size (\d+)m;", written))[1])
        assert largest * 2**20 == settings.CALL_LIMIT
        compose = (ROOT / "deploy" / "compose.yaml").read_text()
        room = int(not_none(re.search(r'"/tmp:size=(\d+)m", /run, /var/cache/nginx', compose))[1])
        assert at_once * largest < room


def post(port: int, path: str, body: bytes) -> int:
    connection = HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        connection.request("POST", path, body, {"Host": "play.example.org", "X-Forwarded-Proto": "https"})
        return connection.getresponse().status
    finally:
        connection.close()
