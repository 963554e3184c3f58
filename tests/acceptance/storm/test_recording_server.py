"""Killed processes send no response, so any error response in a storm is a fault."""

import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from tests.acceptance.storm.recording_server import RecordingServer, check_answers

EMPTY_LIST = b'{"next": null, "previous": null, "results": []}'


class ScriptedHandler(BaseHTTPRequestHandler):
    """Responds with these statuses, one after another. None closes the connection without a response."""

    answers: list[int | None]

    def do_GET(self):
        if status := self.answers.pop(0):
            self.send_response(status)
            self.send_header("Content-Length", str(len(EMPTY_LIST)))
            self.end_headers()
            self.wfile.write(EMPTY_LIST)

    def log_message(self, *words):
        pass


@pytest.fixture
def recorder():
    with HTTPServer(("127.0.0.1", 0), ScriptedHandler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield RecordingServer(f"http://127.0.0.1:{server.server_port}", pause=lambda seconds: None)
        server.shutdown()


@pytest.mark.parametrize("status", [500, 502, 503, 429])
def test_an_error_response_is_reported_even_if_a_retry_succeeds(recorder, status):
    ScriptedHandler.answers = [status, 200]
    recorder.get("matches")
    (complaint,) = check_answers([recorder])
    assert str(status) in complaint


def test_a_closed_connection_is_not_reported(recorder):
    ScriptedHandler.answers = [None, 200]
    recorder.get("matches")
    assert [problem.code for problem in recorder.errors] == ["unreachable"]
    assert list(check_answers([recorder])) == []
