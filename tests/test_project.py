"""The project's files are consistent with each other."""

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.not_none import not_none

ROOT = Path(__file__).parents[1]
SETUP = tomllib.loads((ROOT / "pyproject.toml").read_text())
PROJECT = SETUP["project"]
PACKAGES = not_none(re.search(r"^PACKAGES := (.+)$", (ROOT / "Makefile").read_text(), re.MULTILINE))[1].split()
LOCK = (ROOT / "requirements.lock").read_text()
README = (ROOT / "README.md").read_text()
DECISIONS = (ROOT / "docs" / "decisions.md").read_text()
SETTINGS = (ROOT / "docs" / "settings.md").read_text()
VARIABLES = {
    name for row in re.findall(r"^\| (`[^|]*`) \|", SETTINGS, re.MULTILINE) for name in re.findall(r"`(\w+)`", row)
}
PIN = re.compile(r"([\w.-]+)==(\S+)(?: ; [^\\]+)? \\")
HASH = re.compile(r"    --hash=sha256:[0-9a-f]{64}(?: \\)?")

extras = PROJECT["optional-dependencies"].values()
DIRECT = [Requirement(line) for group in (PROJECT["dependencies"], *extras) for line in group]


def test_the_lock_file_has_pins_and_hashes_but_no_urls_or_paths():
    odd = [line for line in LOCK.splitlines() if not (PIN.fullmatch(line) or HASH.fullmatch(line))]
    assert odd == []


def test_every_pin_has_a_hash():
    assert not re.search(r"^\S.*\n(?!    --hash)", LOCK, re.MULTILINE)


@pytest.mark.parametrize("requirement", DIRECT, ids=lambda requirement: requirement.name)
def test_a_dependency_is_pinned_within_its_range_and_explained_in_the_decisions(requirement):
    pins = {match[1]: match[2] for match in map(PIN.match, LOCK.splitlines()) if match}
    assert requirement.specifier.contains(pins[canonicalize_name(requirement.name)])
    assert re.search(rf"^\| .*\b{re.escape(requirement.name)}\b.* \| .+ \|$", DECISIONS, re.MULTILINE)


def test_every_environment_variable_is_documented():
    settings = (ROOT / "config" / "settings.py").read_text()
    read = set(re.findall(r'environment\.\w+\("(\w+)"', settings))
    assert len(read) > 5
    assert read - VARIABLES == set()


def test_pre_commit_hooks_run_the_same_commands_as_make_lint():
    lint = not_none(re.search(r"^lint:.*\n((?:\t.*\n)+)", (ROOT / "Makefile").read_text(), re.MULTILINE))[1]
    made = [line.strip().replace("$(BIN)", ".venv/bin").removesuffix(" .") for line in lint.splitlines()]
    (repository,) = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())["repos"]
    assert [hook["entry"] for hook in repository["hooks"]] == made


def test_github_runs_the_same_commands_as_contributors():
    job = yaml.safe_load((ROOT / ".github" / "workflows" / "test.yml").read_text())["jobs"]["test"]
    assert set(job["services"]) == {"postgres", "redis", "rabbitmq"}
    commands = [step.get("run", "").rpartition('" ')[2] for step in job["steps"]]
    assert {"make test", "make test-slow", "make docs"} <= {*commands}


def test_github_installs_the_same_packages_as_the_projects_own_ci():
    steps = yaml.safe_load((ROOT / ".github" / "workflows" / "test.yml").read_text())["jobs"]["test"]["steps"]
    assert "sudo .ci/install" in [step.get("run") for step in steps]
    assert ".ci/install" in (ROOT / ".ci" / "run").read_text().splitlines()
    assert os.access(ROOT / ".ci" / "install", os.X_OK)
    assert not any("apt-get" in (ROOT / path).read_text() for path in (".github/workflows/test.yml", ".ci/run"))


@pytest.mark.parametrize("package", sorted({*PACKAGES} - {"deploy"}))
def test_every_package_is_marked_as_typed(package):
    assert (ROOT / package / "py.typed").is_file()


WEAK = """
import subprocess
from tests.not_none import not_none
password = "hunter2"
log_in(password="hunter2")
folder = "/tmp/x"
subprocess.run([folder, password], check=True)
query = f"SELECT * FROM {password}"
assert query
"""


@pytest.mark.parametrize("package", PACKAGES)
def test_checks_skipped_in_bandit_are_done_by_ruff(package):
    """The exception is importing subprocess (B404). Ruff checks how it is used instead."""
    command = [
        sys.executable,
        "-m",
        "ruff",
        "check",
        "--output-format=json",
        f"--stdin-filename={package}/weak.py",
        "-",
    ]
    found = subprocess.run(command, input=WEAK, capture_output=True, text=True, cwd=ROOT, timeout=60).stdout
    left_out = {skip.replace("B", "S") for skip in SETUP["tool"]["bandit"]["skips"]}
    assert left_out - {"S404"} <= {weakness["code"] for weakness in json.loads(found)}
