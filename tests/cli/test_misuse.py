"""A command line that cannot be understood, told as every other problem is."""

import json

import pytest

from tests.cli.shapes import check

MISUSED = {
    ("play", "--json"): ("Missing argument", "play"),
    ("--json", "play"): ("turnpost play --json", ""),
    ("plya", "--json"): ("No such command 'plya'", ""),
    ("status", "--jsn", "--json"): ("No such option: --jsn", "status"),
    ("agree", "--proposal", "x", "--json"): ("'x' is not", "agree"),
    ("propose", "peace", "--json"): ("No such command 'peace'", "propose"),
    ("propose", "time", "--json"): ("Missing argument", "propose time"),
    ("--wrong", "--json"): ("No such option: --wrong", ""),
}


@pytest.mark.parametrize("words", MISUSED, ids=" ".join)
def test_with_json_it_has_the_form_of_all_problems(machine, words):
    done = machine.run(*words)
    assert (done.exit_code, done.stdout) == (2, "")
    problem = json.loads(done.stderr)
    check("problem", problem)
    what, where = MISUSED[words]
    assert what in problem["message"]
    assert problem["hint"] == f"See: {' '.join(['turnpost', where]).strip()} --help"
    assert (problem["code"], problem["exit_code"]) == ("usage", 2)


@pytest.mark.parametrize("words", [("play",), ("plya",), ("status", "--jsn"), ("play", "--", "--json")], ids=" ".join)
def test_without_json_it_is_told_in_words(machine, words):
    done = machine.run(*words)
    assert "{" not in done.stderr
    assert done.exit_code in (2, 4)


def test_help_is_help_with_json_too(machine):
    assert "Examples:" in machine.ok("play", "--json", "--help")
