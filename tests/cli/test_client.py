"""Test retries, idempotency keys, and messages when the network or the server fails."""

import socket

import pytest

from cli import problems
from cli.client import Server
from tests.cli.faulty_server import answer, faulty, hang_up, silence

FINE = answer(200, {"fine": True})
REFUSAL = {"code": "row_full", "message": "Row 2 is full.", "hint": "Try 'place 1'.", "data": {"row": 2}}


@pytest.fixture
def pauses():
    return []


@pytest.fixture
def client(pauses):
    return lambda server: Server(server.url, token="secret", pause=pauses.append, timeout=(1, 0.3))


def keys(server):
    return {headers.get("Idempotency-Key") for _, _, headers, _ in server.requests}


def test_a_get_request_is_retried_after_a_server_error(client, pauses):
    with faulty(answer(503, REFUSAL), FINE) as server:
        assert client(server).get("me/export") == {"fine": True}
    assert len(server.requests) == 2
    assert len(pauses) == 1


def test_a_move_without_a_response_is_retried_with_the_same_key(client):
    with faulty(silence, FINE) as server:
        assert client(server).post("moves", {"move": "take 2"}, key="k1") == {"fine": True}
    assert len(server.requests) == 2
    assert keys(server) == {"k1"}


def test_a_move_is_retried_with_the_same_key_if_the_connection_drops_after_the_move_has_arrived(client):
    with faulty(hang_up, FINE) as server:
        assert client(server).post("moves", {"move": "take 2"}, key="k1") == {"fine": True}
    assert keys(server) == {"k1"}


@pytest.mark.parametrize("fault", [silence, hang_up, answer(500, REFUSAL)])
def test_a_request_without_a_key_is_not_sent_twice_if_it_may_have_arrived(client, fault):
    with faulty(fault, FINE) as server, pytest.raises(problems.Unreachable):
        client(server).post("register", {"username": "ann"})
    assert len(server.requests) == 1


def test_a_refused_connection_is_retried_and_then_reported(pauses):
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}"
        with pytest.raises(problems.Unreachable, match="can't be reached") as told:
            Server(url, pause=pauses.append).post("register", {})
    assert len(pauses) == 2
    assert "turnpost doctor" in told.value.hint


def test_the_retry_after_header_is_respected(client, pauses):
    with faulty(answer(429, REFUSAL, Retry_After="7"), FINE) as server:
        assert client(server).post("register", {}) == {"fine": True}
    assert pauses == [7.0]


def test_a_command_does_not_wait_if_the_retry_after_header_asks_for_a_long_delay(client, pauses):
    busy = REFUSAL | {"code": "too_many_requests", "hint": "Try again in 1 hour."}
    with faulty(answer(429, busy, Retry_After="3600")) as server, pytest.raises(problems.Unreachable) as told:
        client(server).get("me")
    assert pauses == []
    assert told.value.hint == "Try again in 1 hour."


def test_a_refusal_is_not_retried_and_keeps_its_message(client):
    with faulty(answer(409, REFUSAL)) as server, pytest.raises(problems.Refused) as told:
        client(server).post("moves", {}, key="k")
    assert (told.value.code, told.value.message, told.value.hint) == ("row_full", "Row 2 is full.", "Try 'place 1'.")
    assert told.value.data == {"row": 2}
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("status", "code", "exit_code"),
    [(401, "authentication_failed", 4), (409, "stale", 6), (404, "no_such_match", 3), (400, "invalid", 3)],
)
def test_each_kind_of_refusal_has_its_own_exit_code(client, status, code, exit_code):
    with faulty(answer(status, REFUSAL | {"code": code})) as server, pytest.raises(problems.Problem) as told:
        client(server).get("matches/x")
    assert told.value.exit_code == exit_code


@pytest.mark.parametrize("page", [b"<h1>Bad gateway</h1>", b"[]", b'"no"', b"{}"])
def test_an_error_page_that_is_not_json_is_reported_as_a_server_problem(client, page):
    with faulty(answer(502, page)) as server, pytest.raises(problems.Unreachable, match="502"):
        client(server).get("me")


@pytest.mark.parametrize(("status", "page"), [(200, b"<html>Welcome</html>"), (404, b"<h1>Not Found</h1>"), (405, b"")])
def test_a_server_that_does_not_respond_with_json_is_not_a_turnpost_server(client, status, page):
    with faulty(answer(status, page)) as server, pytest.raises(problems.Unreachable) as told:
        client(server).get("me")
    assert told.value.message == f"{server.url} isn't a Turnpost server."


def test_a_list_is_fetched_page_by_page_up_to_the_limit(client):
    with faulty() as server:
        server.script += [
            answer(200, {"results": [1, 2], "next": f"{server.url}/api/v1/log?cursor=x", "previous": None}),
            answer(200, {"results": [3, 4], "next": None, "previous": None}),
        ]
        assert client(server).pages("log", most=3) == [1, 2, 3]
    assert [path for _, path, _, _ in server.requests] == ["/api/v1/log", "/api/v1/log?cursor=x"]


def test_the_next_page_is_fetched_from_the_same_server_even_if_its_url_names_another(client):
    last = answer(200, {"results": [2], "next": None, "previous": None})
    with faulty(last) as stranger, faulty() as server:
        elsewhere = f"{stranger.url}/api/v1/log?cursor=x"
        server.script += [answer(200, {"results": [1], "next": elsewhere, "previous": None}), last]
        assert client(server).pages("log") == [1, 2]
    assert stranger.requests == []


def test_text_from_others_cannot_control_the_terminal(client):
    with faulty(answer(200, {"title": "\x1b[2Jgone\u202egnp.exe", "list": ["\x07"]})) as server:
        assert client(server).get("x") == {"title": "�[2Jgone�gnp.exe", "list": ["�"]}
