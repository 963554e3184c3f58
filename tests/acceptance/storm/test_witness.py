"""In a storm parts are killed, and say nothing. Whatever else was answered than an answer is a fault."""

import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from tests.acceptance.storm.witness import Witness, about_answers


class Moody(BaseHTTPRequestHandler):
    """Answers with the next of these; None is to hang up without a word."""

    answers: list[int | None]

    def do_GET(self):
        if status := self.answers.pop(0):
            self.send_response(status)
            self.send_header("Content-Length", "2")
            self.end_headers()
            self.wfile.write(b"{}")

    def log_message(self, *words):
        pass


@pytest.fixture
def witness():
    with HTTPServer(("127.0.0.1", 0), Moody) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield Witness(f"http://127.0.0.1:{server.server_port}", pause=lambda seconds: None)
        server.shutdown()


@pytest.mark.parametrize("status", [500, 502, 503, 429])
def test_it_finds_what_was_answered_in_passing(witness, status):
    Moody.answers = [status, 200]
    witness.get("matches")
    (complaint,) = about_answers([witness])
    assert str(status) in complaint


def test_to_hang_up_without_a_word_is_the_weather(witness):
    Moody.answers = [None, 200]
    witness.get("matches")
    assert [problem.code for problem in witness.told] == ["unreachable"]
    assert list(about_answers([witness])) == []
