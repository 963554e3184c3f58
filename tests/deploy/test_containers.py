"""The files in deploy/ refer only to settings, commands and files that exist. This needs no container engine."""

import re
import tomllib

import pytest
import yaml
from django.core.management import get_commands

from tests.deploy.services import ROOT
from tests.test_project import VARIABLES

DEPLOY = ROOT / "deploy"
PROJECT_FILE = tomllib.loads((ROOT / "pyproject.toml").read_text())
COMPOSE = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
OURS = {name: service for name, service in COMPOSE["services"].items() if service["image"] == "turnpost"}
STAGES = re.split(r"(?m)^FROM .*\n", (DEPLOY / "Containerfile").read_text().replace("\\\n", " "))[1:]
VARIABLE = re.compile(r"\$\{(\w+)")


def instructions(stage, word):
    return re.findall(rf"(?m)^{word} (.*)$", stage)


def test_the_compose_file_has_all_parts_of_the_service():
    assert set(COMPOSE["services"]) == {
        "proxy", "web", "worker", "beat", "receiver", "migrate", "database", "broker",
    }  # fmt: skip
    assert set(OURS) == {"web", "worker", "beat", "receiver", "migrate"}


@pytest.mark.parametrize("name", OURS)
def test_a_service_gets_only_settings_that_exist(name):
    assert set(OURS[name]["environment"]) - VARIABLES == set()


def test_required_settings_are_in_the_example():
    asked = set(VARIABLE.findall((DEPLOY / "compose.yaml").read_text()))
    given = set(re.findall(r"^(\w+)=", (DEPLOY / "example.env").read_text(), re.MULTILINE))
    assert asked == given


def test_the_files_contain_no_secrets():
    secret = re.compile(r"PASSWORD|SECRET|TOKEN|KEYS")
    example = dict(re.findall(r"^(\w+)=(.*)$", (DEPLOY / "example.env").read_text(), re.MULTILINE))
    assert {name for name, value in example.items() if secret.search(name) and value} == set()
    for service in COMPOSE["services"].values():
        for name, value in service.get("environment", {}).items():
            assert value.startswith("${") or not secret.search(name), name


@pytest.mark.parametrize("name", sorted(set(OURS) - {"web"}))
def test_every_command_exists(name):
    program, *words = OURS[name]["command"]
    if program == "python":
        assert (ROOT / words[0]).is_file()
        assert words[1] in get_commands()
    else:
        assert [program, *words[:3]] == ["celery", "--quiet", "-A", "config"], "Its banner is no line of the log."
        assert words[3] == name


@pytest.mark.parametrize("name", sorted(set(COMPOSE["services"]) - {"migrate"}))
def test_every_service_has_a_health_check(name):
    assert COMPOSE["services"][name]["healthcheck"]["test"][0] in ("CMD", "CMD-SHELL")


@pytest.mark.parametrize("name", OURS)
def test_services_run_with_minimal_privileges(name):
    service = OURS[name]
    assert (service["read_only"], service["cap_drop"]) == (True, ["ALL"])
    assert service["security_opt"] == ["no-new-privileges:true"]


def test_only_the_proxy_and_the_receiver_are_published_and_only_locally():
    ports = {name: service["ports"] for name, service in COMPOSE["services"].items() if "ports" in service}
    assert ports == {"proxy": ["127.0.0.1:8000:8000"], "receiver": ["127.0.0.1:2525:2525"]}


def test_the_image_does_not_run_as_root():
    last = STAGES[-1]
    assert instructions(last, "USER") == ["turnpost"]
    assert last.index("\nUSER ") < last.index("\nCMD ")
    assert "ADD" not in {line.split()[0] for line in last.splitlines() if line.strip()}


def test_the_image_copies_files_that_exist_and_all_of_our_packages():
    copied = [word for stage in STAGES for line in instructions(stage, "COPY") for word in line.split()[:-1]]
    own = [path for path in copied if not path.startswith(("--from", "/"))]
    assert [path for path in own if not (ROOT / path).exists()] == []
    packages = PROJECT_FILE["tool"]["setuptools"]["packages"]["find"]["include"]
    assert {name.rstrip("*") for name in packages} <= set(own)
