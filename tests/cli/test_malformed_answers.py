"""No matter how a server responds, every command ends with a clear message and a documented exit code."""

import json
import re
import shlex
import shutil
from http.server import BaseHTTPRequestHandler
from types import SimpleNamespace
from urllib.parse import urlsplit

import pytest

from accounts.shapes import Confirmed
from cli.command import EXAMPLE_MATCH
from cli.commands import review, webhooks
from core.openapi import Shapes
from games.shapes import Match, MoveAccepted, MovePreview
from tests.cli.all_commands import all_commands
from tests.cli.faulty_server import answer, asked, faulty
from tests.cli.test_examples import PASSWORD, World, examples
from tests.games.api.document import ROOT, document
from turnpost import answers, http
from turnpost.account_answers import ACCOUNT_ANSWERS
from turnpost.answers import expected

NEEDS_NO_SERVER = {"games", "rules", "demo"}
EXIT_CODES = {0, 2, 3, 4, 5, 6}
HOSTILE = "\x1b[31m$(reboot)\u202e"
ODD: dict[type, object] = {str: HOSTILE, int: "1", bool: None, float: "x", list: {}, dict: [], type(None): 7}
"""For each JSON type, an unexpected value to use instead."""


@pytest.fixture(autouse=True)
def _impatience(monkeypatch):
    monkeypatch.setattr(http, "RETRY_PAUSES", (0.0, 0.0))
    monkeypatch.setattr(http, "MOST_BYTES", 300_000)
    monkeypatch.setattr(review, "LONGEST_WAIT", 0.0)
    monkeypatch.setattr(review, "POLL_SECONDS", 0.0)
    monkeypatch.setattr(webhooks, "POLLS", 1)
    monkeypatch.setattr(webhooks, "POLL_SECONDS", 0.0)


COMMANDS = [name for name in all_commands() if examples(name) and name not in NEEDS_NO_SERVER]


def every_value(document, change):
    """Return a document with the same structure but with every value changed."""
    if isinstance(document, dict):
        return {name: every_value(value, change) for name, value in document.items()}
    if isinstance(document, list):
        return [every_value(value, change) for value in document]
    return change(document)


def with_fairness(document, fairness):
    if isinstance(document, dict):
        return {
            name: fairness if name == "fairness" else with_fairness(value, fairness) for name, value in document.items()
        }
    return [with_fairness(one, fairness) for one in document] if isinstance(document, list) else document


def edited(change):
    def edit(content):
        return 200, json.dumps(change(json.loads(content or b"null"))).encode()

    return edit


def sent(status, content):
    return lambda _content: (status, content)


ERROR = {"code": "invalid", "message": HOSTILE, "hint": "", "data": {"fields": {"a": 1}}}
WRONG_CONTENT = {
    "an empty object": sent(200, b"{}"),
    "wrong types": edited(lambda document: every_value(document, lambda value: ODD[type(value)])),
    "hostile texts": edited(
        lambda document: every_value(document, lambda value: HOSTILE if isinstance(value, str) else value)
    ),
    "numbers out of range": edited(
        lambda document: every_value(document, lambda value: 99 if type(value) is int else value)
    ),
    "no fairness": edited(lambda document: with_fairness(document, None)),
    "an odd fairness": edited(lambda document: with_fairness(document, {"players": [None], "head": 3, "events": "x"})),
}
WRONG_FORMAT = {
    "nothing": sent(200, b""),
    "null": sent(200, b"null"),
    "an empty list": sent(200, b"[]"),
    "a number": sent(200, b"1e999"),
    "HTML": sent(200, b"<html><body>Welcome to the hotel network</body></html>"),
    "binary data": sent(200, bytes(range(256))),
    "deep nesting": sent(200, b"[" * 100_000),
    "too much": sent(200, b'"' + b"x" * 400_000 + b'"'),
    "half of it": lambda content: (200, content[: len(content) // 2]),
    "nulls": edited(lambda document: every_value(document, lambda _value: None)),
    "an error without details": sent(400, b"{}"),
    "an error in a list": sent(409, b"[]"),
    "an error with wrong types": sent(400, json.dumps(ERROR).encode()),
    "an error page": sent(500, b"<h1>Server Error</h1>"),
}


class Recording:
    """The real server's responses to one command. They can be replayed with one of them changed."""

    def __init__(self, url):
        self.url = url
        self.answers = []

    def record(self, handler: BaseHTTPRequestHandler):
        real = asked(self.url, handler)
        self.answers.append((handler.command, handler.path, real.status_code, real.content))
        answer(real.status_code, real.content, ETag=real.headers.get("ETag", ""))(handler)

    def replay(self, number, change):
        """Return a handler that changes the responses to all requests with the same path as the one with this
        number."""
        known = {(method, urlsplit(path).path): rest for method, path, *rest in reversed(self.answers)}
        method, path, *_ = self.answers[number]
        changed = method, urlsplit(path).path

        def handle(handler):
            place = handler.command, urlsplit(handler.path).path
            status, content = known.get(place, (404, b"{}"))
            answer(*change(content) if place == changed else (status, content))(handler)

        return handle

    def different(self):
        """For each path, return the number of its first request, ignoring query strings."""
        places = [(method, urlsplit(path).path) for method, path, *_ in self.answers]
        return [number for number, place in enumerate(places) if places.index(place) == number]


@pytest.fixture
def recorded(machine_of, tmp_path, monkeypatch, called_at_once, live_server):
    """Return a function that runs an example of a command, and returns its recording and a way to run it again."""
    monkeypatch.chdir(tmp_path)
    world, current = World(machine_of), SimpleNamespace()

    def record(name, line):
        player, meant = world.prepare(name)
        written = line.partition(" < ")[0].replace(EXAMPLE_MATCH, meant).replace("123456", meant)
        before = tmp_path / f"before {line.replace('/', ' ')}"
        shutil.copytree(player.folder, before)
        saved = {path: path.read_bytes() for path in tmp_path.glob("*.json") if path.is_file()}
        player.url = server.url
        recording = Recording(live_server.url)

        def run(handle):
            current.handle = handle
            words = shlex.split(written.replace("http://localhost:8000", server.url))[1:]
            done = player.run(*words, typed=PASSWORD if "<" in line else None)
            shutil.rmtree(player.folder)
            shutil.copytree(before, player.folder)
            for path, content in saved.items():
                path.write_bytes(content)
            return done

        assert run(recording.record).exit_code == 0
        return recording, run

    def handle(handler):
        current.handle(handler)

    with faulty(handle) as server:
        yield record


def check_outcome(done, what):
    assert isinstance(done.exception, SystemExit | None), (what, repr(done.exception), done.exc_info)
    assert done.exit_code in EXIT_CODES, what
    assert "Traceback" not in done.output, what
    assert "\x1b[31m$" not in done.output, what
    assert done.exit_code == 0 or done.stderr.strip(), what


def try_all(recorded, name, line, changes):
    recording, run = recorded(name, line)
    outcomes = []
    for number in recording.different():
        for kind, change in changes.items():
            done = run(recording.replay(number, change))
            check_outcome(done, (line, recording.answers[number][:2], kind))
            outcomes.append(done.exit_code)
    return outcomes


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("name", ["status", "new", "play", "verify"])
def test_a_response_with_wrong_content_leads_to_a_clear_message(recorded, name):
    try_all(recorded, name, examples(name)[0], WRONG_CONTENT)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("name", ["whoami", "join"])
def test_a_response_in_the_wrong_format_leads_to_a_clear_message(recorded, name):
    assert set(try_all(recorded, name, examples(name)[0], WRONG_FORMAT)) <= {3, 5}


@pytest.mark.django_db(transaction=True)
def test_control_without_the_check_the_same_responses_lead_to_a_traceback(recorded, monkeypatch):
    monkeypatch.setattr(answers, "check_answer", lambda *_: None)
    with pytest.raises(AssertionError, match=r"KeyError|TypeError"):
        try_all(recorded, "status", "turnpost status", WRONG_CONTENT)


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("name", COMMANDS)
def test_no_malformed_response_leads_to_a_traceback(recorded, name):
    """Try every kind of malformed response with every example of every command."""
    for line in examples(name):
        try_all(recorded, name, line, WRONG_CONTENT | WRONG_FORMAT)


def documented():
    """Return the schema of each response that the API documents."""
    for path, operations in document()["paths"].items():
        for method, operation in operations.items():
            name = f"{method.upper()} {re.sub('{.*?}', '*', path.removeprefix(f'{ROOT}/'))}"
            for status, body in operation["responses"].items():
                if status.startswith("2") and "application/json" in body.get("content", {}):
                    yield name, body["content"]["application/json"]["schema"]


def test_every_expected_shape_matches_the_one_that_the_server_documents():
    schemas, found = Shapes(), dict(documented())
    played, previewed = found["POST matches/*/moves"]["anyOf"]
    found |= {"POST matches/*/moves": played, answers.DRY_RUN: previewed}
    assert {name: schemas.schema(shape) for name, shape in (answers.ANSWERS | ACCOUNT_ANSWERS).items()} == found


def test_the_most_specific_request_decides_which_shape_is_expected():
    assert expected("GET", "matches/k3v9mq2hd") is Match
    assert expected("POST", "registrations/confirm") is Confirmed
    assert expected("POST", "matches/k3v9mq2hd/moves?dry_run=1") is MovePreview
    assert expected("POST", "matches/k3v9mq2hd/moves") is MoveAccepted
    assert expected("DELETE", "me/webhooks/3") is None
