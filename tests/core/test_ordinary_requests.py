"""Ordinary API requests are read without gunicorn, exactly as gunicorn would read them."""

from types import SimpleNamespace

import pytest
from gunicorn.config import Config
from gunicorn.http import RequestParser, wsgi
from gunicorn.http.errors import InvalidResponseHeader

from core import ordinary_requests
from tests.not_none import not_none

CLIENT, SERVER = ("192.0.2.7", 40_000), ("192.0.2.1", 8000)
SHARED = not_none(ordinary_requests.constants(Config(), CLIENT, SERVER))
PLAIN = b"GET /api/v1/games HTTP/1.1\r\nHost: localhost\r\n\r\n"
MOVE = (
    b"POST /api/v1/matches/a-b.c/moves?dry_run=1&x=%20y HTTP/1.1\r\nhost: play.example.org:80\r\n"
    b"Authorization: Bearer turnpost_0\r\nContent-Type: application/json\r\nContent-Length: 2\r\n"
    b'Idempotency-Key: 1\r\nIf-Match: "3-ab"\r\nX-Forwarded-For: 203.0.113.1, 203.0.113.2\r\nAccept: */*\r\n\r\n'
)


def read_by_gunicorn(head: bytes):
    cfg = Config()
    [request] = [next(RequestParser(cfg, iter([head]), CLIENT))]
    return wsgi.create(request, None, CLIENT, SERVER, cfg)[1]


@pytest.mark.parametrize("head", [PLAIN, MOVE])
def test_an_ordinary_request_is_read_as_gunicorn_would_read_it(head):
    expected = read_by_gunicorn(head)
    ours = not_none(ordinary_requests.read(head, SHARED))
    ignored = {"wsgi.input", "wsgi.errors", "wsgi.multithread", "wsgi.file_wrapper", "wsgi.early_hints"}
    assert {name: ours[name] for name in ours.keys() - ignored} == {
        name: expected[name] for name in expected.keys() - ignored - {"gunicorn.socket"}
    }


@pytest.mark.parametrize(
    "head",
    [
        PLAIN.replace(b"/api/v1", b"/api//v1"),
        PLAIN.replace(b"/api/v1", b"/api/%76"),
        PLAIN.replace(b"/api/v1", b"http://localhost/api/v1"),
        PLAIN.replace(b"games", b"games#part"),
        PLAIN.replace(b"games", b"games?a=1#part"),
        PLAIN.replace(b"games", b"g\xc3\xa4mes"),
        PLAIN.replace(b"/api/v1/games", b"/"),
        PLAIN.replace(b"HTTP/1.1", b"HTTP/1.0"),
        PLAIN.replace(b"GET", b"HEAD"),
        PLAIN.replace(b"GET", b"get"),
        PLAIN.replace(b"GET /", b"GET  /"),
        PLAIN.replace(b"Host: localhost\r\n", b""),
        PLAIN.replace(b"Host: localhost", b"Host : localhost"),
        PLAIN.replace(b"Host: localhost", b"Host: localhost "),
        PLAIN.replace(b"Host: localhost", b"Host:localhost"),
        PLAIN.replace(b"Host: localhost", b"Host: "),
        PLAIN.replace(b"Host: localhost", b"Host: local\x00host"),
        PLAIN.replace(b"Host: localhost", b"Host: local\nhost"),
        PLAIN.replace(b"Host: localhost", b"Host: local\xffhost"),
        *(
            PLAIN.replace(b"\r\n\r\n", b"\r\n%b\r\n\r\n" % line)
            for line in (
                b"Host: elsewhere",
                b"HOST: elsewhere",
                b"Transfer-Encoding: chunked",
                b"Connection: close",
                b"Expect: 100-continue",
                b"Upgrade: h2c",
                b"X_Forwarded_For: 203.0.113.1",
                b"X-Forwarded-Proto: https",
                b"X-Unknown: value",
                b" folded: line",
                b"X-Request-ID: " + b"a" * 4000,
            )
        ),
    ],
)
def test_all_other_requests_are_left_to_gunicorn(head):
    assert ordinary_requests.read(head, SHARED) is None


def test_behind_a_proxy_the_protocol_is_read_by_django(settings):
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    head = PLAIN.replace(b"\r\n\r\n", b"\r\nX-Forwarded-Proto: https\r\n\r\n")
    assert not_none(ordinary_requests.read(head, SHARED))["HTTP_X_FORWARDED_PROTO"] == "https"


@pytest.mark.parametrize("addresses", [("", SERVER), (CLIENT, "/run/turnpost.sock")])
def test_connections_over_a_unix_socket_are_left_to_gunicorn(addresses):
    assert ordinary_requests.constants(Config(), *addresses) is None


def test_gunicorn_handles_everything_if_it_writes_an_access_log():
    cfg = Config()
    cfg.set("accesslog", "-")
    assert ordinary_requests.constants(cfg, CLIENT, SERVER) is None


def respond(status, headers, content, *, is_last=False):
    """Return the bytes that are sent for a response, and whether the response was closed."""
    closed: list[bool] = []
    pieces: list[bytes] = []

    class Response(list[bytes]):
        def close(self):
            closed.append(True)

    def application(_, start_response):
        start_response(status, headers)
        return Response(content)

    ordinary_requests.respond(application, {}, SimpleNamespace(sendall=pieces.append), is_last=is_last)
    [piece] = pieces
    return piece, bool(closed)


def test_the_response_is_sent_in_one_piece():
    piece, closed = respond("200 OK", [("ETag", '"1"'), ("Content-Length", "4")], [b"do", b"ne"])
    head, body = piece.split(b"\r\n\r\n")
    lines = head.split(b"\r\n")
    assert closed
    assert body == b"done"
    assert lines[0] == b"HTTP/1.1 200 OK"
    assert {b"Connection: keep-alive", b'ETag: "1"', b"Content-Length: 4"} < set(lines)


def test_the_length_is_added_if_it_is_missing():
    assert b"Content-Length: 4\r\n" in respond("200 OK", [], [b"done"])[0]


def test_the_last_response_of_a_connection_says_so():
    assert b"Connection: close\r\n" in respond("200 OK", [], [b""], is_last=True)[0]


@pytest.mark.parametrize("status", ["204 No Content", "304 Not Modified"])
def test_some_responses_have_no_body(status):
    piece, _ = respond(status, [("Content-Length", "4")], [b"done"])
    assert piece.endswith(b"\r\n\r\n")
    assert b"Content-Length" not in piece


@pytest.mark.parametrize("header", [("X-Name", "a\r\nX-Other: b"), ("X-Name", "a\x00"), ("X Name", "a"), ("", "a")])
def test_a_response_cannot_be_split(header):
    with pytest.raises(InvalidResponseHeader):
        respond("200 OK", [header], [b""])
