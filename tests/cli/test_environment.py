"""The demo must not touch a real service, even if environment variables point to one."""

import importlib.util
import re
from pathlib import Path

import pytest

from cli.environment import clean_environment

SETTINGS = Path(__file__).parents[2] / "config" / "settings.py"
READ_BY_THE_SERVICE = sorted(set(re.findall(r'environment\.\w+\(\s*"([A-Z_]+)"', SETTINGS.read_text())))


def test_control_the_settings_of_a_service_are_recognized():
    assert {"DATABASE_URL", "INBOUND_IMAP_URL", "TURNPOST_RATES"} < set(READ_BY_THE_SERVICE)


@pytest.mark.parametrize("name", [*READ_BY_THE_SERVICE, "TURNPOST_TOKEN", "TURNPOST_CONFIG", "DJANGO_SETTINGS_MODULE"])
def test_settings_of_a_service_or_a_client_are_not_passed_on(monkeypatch, name):
    monkeypatch.setenv(name, "something")
    assert name not in clean_environment()


@pytest.fixture
def _client_alone(monkeypatch):
    """Simulate an installation without the server's packages, as after `pip install .`."""
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "django" else find(name))


@pytest.mark.usefixtures("_client_alone")
def test_the_demo_is_not_offered_without_the_server(machine):
    assert "turnpost demo" not in machine.ok()
    assert "turnpost demo" not in machine.run("status").stderr
    assert "pip install '.[server]'" in machine.run("demo", "--autoplay").stderr


def test_the_demo_is_offered_first_if_the_server_is_installed(machine):
    assert "Try it now:         turnpost demo\nCreate an account:  turnpost register" in machine.ok()
    assert "Try it now: turnpost demo" in machine.run("status").stderr


def test_other_variables_are_passed_on(monkeypatch):
    monkeypatch.setenv("HTTPS_PROXY", "something")
    assert clean_environment()["HTTPS_PROXY"] == "something"
