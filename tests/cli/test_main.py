"""Test the program as a whole: version, imports and usage errors."""

import json
import subprocess
import sys
from importlib.metadata import version

import pytest
from typer.testing import CliRunner

from cli.main import app
from tests.cli.shapes import check

IMPORT_WITHOUT_THE_SERVER = """
import importlib, pkgutil, sys

NOT_INSTALLED = {"django", "rest_framework", "knox", "celery"}
SERVER = {"accounts", "clock", "config", "core", "inbound", "notifications", "web"}
SHARED = {"core.text", "core.times"}

class Blocked:
    def find_spec(self, name, path=None, target=None):
        package, _, module = name.partition(".")
        if package in NOT_INSTALLED or (
            package in SERVER and module not in ("", "shapes") and name not in SHARED
        ):
            raise ImportError(f"the client or the rules imported {name}")

sys.meta_path.insert(0, Blocked())
for name in ("cli", "games.engine"):
    package = importlib.import_module(name)
    for module in pkgutil.walk_packages(package.__path__, f"{name}."):
        importlib.import_module(module.name)
"""


def test_the_version_option_prints_the_version():
    shown = CliRunner().invoke(app, ["--version"])
    assert (shown.exit_code, shown.output) == (0, f"turnpost {version('turnpost')}\n")


def test_the_client_and_the_rules_load_without_the_server_packages():
    run = subprocess.run([sys.executable, "-c", IMPORT_WITHOUT_THE_SERVER], capture_output=True, text=True, timeout=60)
    assert run.returncode == 0, run.stderr


def test_an_unknown_command_is_a_usage_error_with_a_suggestion(machine):
    done = machine.run("baord")
    assert done.exit_code == 2
    assert "board" in done.stderr


@pytest.mark.parametrize("order", [["play"], ["play", "k7m2x9q4a"], ["use"], ["matches", "all"]])
def test_a_missing_argument_is_a_usage_error(machine, order):
    assert machine.run(*order).exit_code == 2


@pytest.mark.django_db(transaction=True)
def test_a_command_group_prints_the_same_json_as_its_first_command(awaited):
    assert awaited.json("notify") == awaited.json("notify", "show")
    assert awaited.json("webhooks") == awaited.json("webhooks", "list")


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
def test_usage_errors_have_the_same_json_format_as_other_problems(machine, words):
    done = machine.run(*words)
    assert (done.exit_code, done.stdout) == (2, "")
    problem = json.loads(done.stderr)
    check("problem", problem)
    what, where = MISUSED[words]
    assert what in problem["message"]
    assert problem["hint"] == f"See: {' '.join(['turnpost', where]).strip()} --help"
    assert (problem["code"], problem["exit_code"]) == ("usage", 2)


@pytest.mark.parametrize("words", [("play",), ("plya",), ("status", "--jsn"), ("play", "--", "--json")], ids=" ".join)
def test_usage_errors_are_printed_as_text_without_the_json_option(machine, words):
    done = machine.run(*words)
    assert "{" not in done.stderr
    assert done.exit_code in (2, 4)


def test_help_works_with_the_json_option(machine):
    assert "Examples:" in machine.ok("play", "--json", "--help")
