"""The files in deploy/ refer only to settings, commands and files that exist. These tests need no container engine."""

import json
import re
import shutil
import subprocess
import sys
import tomllib
from functools import partial

import pytest
import yaml
from django.core.management import get_commands

from demo.ports import free_port
from tests.deploy.services import PRODUCTION, ROOT, answers, ask, environment
from tests.test_project import VARIABLES
from tests.waiting import until

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
        "proxy", "web", "stream", "worker", "beat", "receiver", "migrate", "database", "broker",
    }  # fmt: skip
    assert set(OURS) == {"web", "stream", "worker", "beat", "receiver", "migrate"}


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
        assert [program, *words[:3]] == ["celery", "--quiet", "-A", "config"], "Its banner isn't a log line."
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


def test_the_image_copies_only_existing_files_and_all_of_our_packages():
    copied = [word for stage in STAGES for line in instructions(stage, "COPY") for word in line.split()[:-1]]
    own = [path for path in copied if not path.startswith(("--from", "/"))]
    assert [path for path in own if not (ROOT / path).exists()] == []
    packages = PROJECT_FILE["tool"]["setuptools"]["packages"]["find"]["include"]
    assert {name.rstrip("*") for name in packages} <= set(own)


def test_the_image_has_a_user_of_its_own_and_runs_nothing_after_switching_to_it():
    last = STAGES[-1]
    created = re.search(r"useradd .*--uid (\d+) .* turnpost\b", last)
    assert created
    assert int(created[1]) >= 1000
    after = last[last.index("\nUSER ") :].split("\n")[2:]
    assert {line.split()[0] for line in after if line.strip() and not line.startswith(" ")} <= {
        "EXPOSE", "STOPSIGNAL", "HEALTHCHECK", "CMD",
    }  # fmt: skip


def test_the_health_check_of_the_image_needs_no_other_programs():
    (check,) = instructions(STAGES[-1], "HEALTHCHECK")
    program, option, code = json.loads(check[check.index("CMD ") + 4 :])
    assert (program, option) == ("python", "-c")
    compile(code, "HEALTHCHECK", "exec")
    assert "127.0.0.1:8000/healthz" in code
    (command,) = instructions(STAGES[-1], "CMD")
    assert json.loads(command)[0] == "gunicorn"


def test_no_secret_is_built_into_the_image():
    """Only named files are copied, all of them are under version control, and no variable is named like a secret."""
    tracked = set(subprocess.check_output(["git", "ls-files"], cwd=ROOT, text=True).split("\n"))
    for stage in STAGES:
        assert not re.search(r"(?m)^(ARG|ADD) ", stage)
        assert not re.search(r"PASSWORD|SECRET|TOKEN|KEY", " ".join(instructions(stage, "ENV")))
        for line in instructions(stage, "COPY"):
            *sources, _ = [word for word in line.split() if not word.startswith("--")]
            own = [] if "--from=" in line else sources
            assert all(name not in (".", "..", "*") for name in own)
            assert all(any(path == name or path.startswith(f"{name}/") for path in tracked) for name in own)
    ignored = (ROOT / ".containerignore").read_text().split()
    assert {"var", "deploy/.env", ".git"} <= set(ignored)


@pytest.mark.slow
def test_the_files_in_the_image_are_enough_to_run_the_service(tmp_path):
    """The test installs the copied files into an empty folder, as the Containerfile does, and runs the image's command
    there."""
    build, site, home = (tmp_path / name for name in ("build", "site", "home"))
    copied = [word for line in instructions(STAGES[0], "COPY") for word in line.split()[:-1]]
    build.mkdir()
    for name in copied:
        (shutil.copytree if (ROOT / name).is_dir() else shutil.copy)(ROOT / name, build / name)
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "--no-deps", "--no-build-isolation", "--target", str(site), str(build)], check=True)
    home.mkdir()
    for name in ("manage.py", "deploy/gunicorn.conf.py"):
        shutil.copy(ROOT / name, home)
    port = free_port()
    served = {"TURNPOST_DATA": str(tmp_path / "data"), "TURNPOST_STATIC": str(tmp_path / "static")}
    variables = environment(**PRODUCTION | served) | {"PYTHONPATH": str(site), "TURNPOST_BIND": f"127.0.0.1:{port}"}
    run = partial(subprocess.run, cwd=home, env=variables, check=True, capture_output=True, text=True)
    where = run(
        [sys.executable, "-c", "import accounts, config, web; print(accounts.__file__, config.__file__, web.__file__)"]
    )
    assert all(path.startswith(str(site)) for path in where.stdout.split())
    run([sys.executable, "manage.py", "collectstatic", "--no-input"])
    command = [sys.executable, "-m", "gunicorn", "-c", "gunicorn.conf.py"]
    process = subprocess.Popen(command, cwd=home, env=variables, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    try:
        assert until(lambda: process.poll() is not None or answers(port), 60)
        page = ask(port, "/", Host="play.example.org", X_Forwarded_Proto="https")
        assert page[0] == 200
    finally:
        process.terminate()
        process.wait(40)
