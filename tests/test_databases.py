"""Without a PostgreSQL server, the tests that need one fail in CI and are skipped on a laptop."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
NOBODY_LISTENS = "postgresql://postgres@127.0.0.1:1/test"


def run_tests(*words, **variables):
    environ = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_") and name != "CI"}
    command = [sys.executable, "-m", "pytest", "-p", "no:xdist", "-p", "no:cacheprovider", *words]
    return subprocess.run(command, cwd=ROOT, env=environ | variables, capture_output=True, text=True, timeout=120)


def test_without_a_server_its_tests_are_skipped_with_one_clear_reason():
    run = run_tests("tests/accounts/test_user.py", "tests/test_project.py", TEST_DATABASE_URL=NOBODY_LISTENS)
    assert run.returncode == 0, run.stdout
    assert run.stdout.count("All tests were skipped. PostgreSQL cannot be reached") == 1
    assert " passed" not in run.stdout


def test_in_ci_a_missing_server_causes_a_failure():
    run = run_tests("tests/accounts/test_user.py", TEST_DATABASE_URL=NOBODY_LISTENS, CI="true")
    assert run.returncode == 1
    assert "PostgreSQL cannot be reached" in run.stdout + run.stderr
