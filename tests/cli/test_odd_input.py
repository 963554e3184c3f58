"""Malformed settings, arguments and bytes are reported without a traceback."""

import io
import sys

import pytest

from cli import problems
from cli.commands.lobby import parse_option
from cli.render.style import Style
from cli.session import Session, ask
from tests.cli.faulty_server import answer, faulty


@pytest.mark.parametrize(
    "url", ["http://[::1", "http://", "http://:8000", "http://a:b", "http://a b", "http://a\udcff", "http://a:99999"]
)
@pytest.mark.parametrize("words", [["status"], ["board", "k7m2x9q4a"]], ids=" ".join)
def test_the_error_names_an_invalid_server_address(machine, url, words):
    machine.url, machine.token = url, "t"
    done = machine.run(*words)
    assert done.exit_code == 2
    assert "isn't a server address" in done.stderr


@pytest.mark.parametrize("token", ["tökén", "t→n", "t\nn", "t n", "t\udcff"])
@pytest.mark.parametrize("words", [["status"], ["board", "k7m2x9q4a"]], ids=" ".join)
def test_the_hint_for_a_token_with_invalid_characters_is_to_log_in(machine, token, words):
    machine.token = token
    done = machine.run(*words)
    assert done.exit_code == 4
    assert "TURNPOST_TOKEN" in done.stderr


def typed(monkeypatch, content: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content), "utf-8"))


def test_a_password_in_another_encoding_is_a_usage_error(monkeypatch):
    typed(monkeypatch, "grün\n".encode("latin-1"))
    with pytest.raises(problems.Usage, match="isn't valid utf-8"):
        Session(Style()).ask_password(from_stdin=True)


def test_an_answer_in_another_encoding_is_a_usage_error(monkeypatch):
    typed(monkeypatch, "grün\n".encode("latin-1"))
    with pytest.raises(problems.Usage, match="isn't valid utf-8"):
        ask("Your move: ")


@pytest.mark.parametrize("written", ["NaN", "-Infinity", "1e999", "[NaN]", "[" * 100_000])
def test_an_option_value_that_is_not_json_is_a_string(written):
    assert parse_option(f"games={written}") == ("games", written)


def test_the_server_refuses_an_option_that_is_not_a_number(machine):
    said = {"code": "bad_option", "message": "Expected int.", "hint": "", "data": {}}
    with faulty(answer(400, said)) as server:
        machine.url, machine.token = server.url, "t"
        done = machine.run("new", "coloretto", "-o", "games=NaN")
    assert done.exit_code == 3
    assert "Expected int." in done.stderr


def test_game_names_are_not_case_sensitive(machine):
    with faulty(answer(409, {"code": "x", "message": "No.", "hint": "", "data": {}})) as server:
        machine.url, machine.token = server.url, "t"
        machine.run("new", "Coloretto")
    assert b'"game": "coloretto"' in server.requests[0][3]


def test_a_server_that_sends_a_deeply_nested_response_is_not_a_turnpost_server(machine):
    with faulty(answer(200, b"[" * 100_000)) as server:
        machine.url, machine.token = server.url, "t"
        done = machine.run("status")
    assert done.exit_code == 5
    assert "isn't a Turnpost server" in done.stderr
