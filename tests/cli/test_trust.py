"""The client protects players against a malicious server and against anyone in between."""

import os
import subprocess
import sys

import pytest

from cli import problems
from cli.client import Server
from cli.local_store import LocalStore
from tests.cli.faulty_server import answer, faulty

REGISTERED = {
    "registration": "0b9a1c52-6f0e-4b8e-9d5f-0d5c7a1e2f34",
    "expires_at": "2026-03-02T09:00:00Z",
    "message": "",
    "mail_page": None,
}


def page(*matches):
    return answer(200, {"results": list(matches), "next": None, "previous": None})


@pytest.mark.parametrize("name", ["../../profiles", "/etc/passwd", "a/b", "", "A B", "k7\x1b", "x" * 13])
def test_an_id_from_a_server_is_never_used_as_a_path(tmp_path, name):
    store = LocalStore(tmp_path / "store")
    with pytest.raises(problems.Usage, match="isn't a match ID"):
        store.save_snapshot({"id": name, "fairness": {}}, None)
    assert not list(tmp_path.rglob("*.json"))


def test_an_invalid_id_is_never_sent_to_the_server(machine):
    with faulty(answer(200, {})) as server:
        machine.url = server.url
        assert machine.run("board", "../../healthz").exit_code == 2
    assert server.requests == []


def test_a_saved_token_goes_only_to_the_server_that_issued_it(machine):
    machine.log_in("turnpost_secret")
    machine.token = ""
    with faulty(page()) as stranger:
        machine.url = stranger.url
        assert machine.run("status").exit_code == 4
        machine.run("matches", "open")
    assert all("Authorization" not in headers for _, _, headers, _ in stranger.requests)


@pytest.mark.parametrize("begun", [("login",), ("login", "ann"), ("register",), ("register", "--code", "123456")])
def test_using_another_server_without_logging_in_there_keeps_the_token(machine, begun):
    with faulty(page()) as home, faulty(page()) as elsewhere:
        machine.url = home.url
        machine.log_in("turnpost_secret")
        by_profile = {"TURNPOST_URL": "", "TURNPOST_TOKEN": ""}
        assert machine.run(*begun, "--server", elsewhere.url, **by_profile).exit_code == 2
        machine.ok("matches", **by_profile)
    assert [headers["Authorization"] for _, _, headers, _ in home.requests] == ["Bearer turnpost_secret"]
    assert elsewhere.requests == []


def test_a_token_from_the_environment_is_not_sent_to_another_server(machine):
    with faulty(page()) as home, faulty(page()) as elsewhere:
        machine.url, machine.token = home.url, "turnpost_secret"
        assert machine.run("password", "--server", elsewhere.url, "--password-stdin", typed="a\nb\n").exit_code == 4
    assert elsewhere.requests == []


def test_registering_on_another_server_switches_the_profile_and_removes_the_token(machine):
    begun = answer(202, REGISTERED)
    with faulty(page()) as home, faulty(begun, page()) as elsewhere:
        machine.url = home.url
        machine.log_in("turnpost_secret")
        by_profile = {"TURNPOST_URL": "", "TURNPOST_TOKEN": ""}
        who = ("--username", "dora", "--email", "dora@example.org", "--password-stdin")
        machine.ok("register", *who, "--server", elsewhere.url, typed="Gr33n cowboys ride\n", **by_profile)
        assert machine.run("status", **by_profile).exit_code == 4
        machine.ok("matches", "open", **by_profile)
    assert [path for _, path, _, _ in elsewhere.requests] == ["/api/v1/registrations", "/api/v1/matches?which=open"]
    assert all("Authorization" not in headers for _, _, headers, _ in elsewhere.requests)


@pytest.mark.parametrize(("token", "sent"), [("turnpost_secret", "Bearer turnpost_secret"), ("", None)])
def test_a_password_in_netrc_is_never_sent(tmp_path, monkeypatch, token, sent):
    passwords = tmp_path / "netrc"
    passwords.write_text("default login ann password hunter2\n")
    monkeypatch.setenv("NETRC", str(passwords))
    with faulty(answer(200, {})) as server:
        Server(server.url, token).get("me/export")
    ((_, _, headers, _),) = server.requests
    assert headers.get("Authorization") == sent


def test_a_proxy_from_the_environment_is_used(monkeypatch):
    with faulty(answer(200, {})) as proxy:
        monkeypatch.setenv("http_proxy", proxy.url)
        Server("http://play.example.org", "turnpost_secret").get("me/export")
    ((_, path, headers, _),) = proxy.requests
    assert (path, headers["Authorization"]) == ("http://play.example.org/api/v1/me/export", "Bearer turnpost_secret")


def test_a_redirect_is_reported_and_not_followed():
    with (
        faulty(answer(200, {})) as elsewhere,
        faulty(answer(301, b"", Location=elsewhere.url)) as server,
        pytest.raises(problems.Unreachable, match="The server is now at") as told,
    ):
        Server(server.url, "turnpost_secret").post("moves", {}, "key")
    assert "--server" in told.value.hint
    assert elsewhere.requests == []


def test_a_refusal_cannot_control_the_terminal(machine):
    said = {"code": "x", "message": "\x1b[2Jno", "hint": "\x1b]0;t\x07", "data": {}}
    with faulty(answer(409, said)) as server:
        machine.url, machine.token = server.url, "t"
        done = machine.run("status")
    assert done.exit_code == 3
    assert "\x1b" not in done.stderr


def test_a_refusal_ends_with_the_next_command(machine):
    said = {"code": "no_such_match", "message": "There is no match.", "hint": "List your matches.", "data": {}}
    with faulty(answer(404, said)) as server:
        machine.url, machine.token = server.url, "t"
        assert "turnpost matches" in machine.run("board", "k7m2x9q4a").stderr


def test_characters_outside_the_terminals_encoding_are_replaced(machine):
    environment = {**os.environ, **machine.environment, "PYTHONIOENCODING": "ascii", "TURNPOST_STYLE": "colour"}
    run = subprocess.run(
        [sys.executable, "-c", "from cli.main import app; app()", "doctor"],
        env=environment,
        capture_output=True,
        text=True,
    )
    assert run.returncode == 5
    assert "Traceback" not in run.stderr


def test_the_error_names_a_folder_that_cannot_be_written(machine, tmp_path):
    (tmp_path / "machine").write_text("a file where the folder should be")
    with faulty(page({"id": "k7m2x9q4a"}), answer(200, {})) as server:
        machine.url, machine.token = server.url, "t"
        done = machine.run("next")
    assert done.exit_code == 2
    assert "TURNPOST_CONFIG" in done.stderr


def test_a_proof_cannot_control_the_terminal(machine, tmp_path):
    proof = tmp_path / "proof.json"
    proof.write_bytes(b'{"\\u001b]0;owned\\u0007": 1}')
    done = machine.run("verify", "--file", str(proof))
    assert done.exit_code == 3
    assert "\x1b" not in done.stderr
