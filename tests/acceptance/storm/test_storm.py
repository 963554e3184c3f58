"""A short storm. The long one, with 200 matches and each broker, is part of `make soak`."""

import os
import subprocess
import sys

import pytest

from tests.acceptance.storm.parts import ROOT
from tests.brokers import BROKERS, reachable

DATABASE = "postgresql://postgres@127.0.0.1:5432/test"


def require(broker):
    """PostgreSQL and the broker. Where one is missing the test is skipped, but never in CI."""
    import psycopg

    missing = [] if reachable(BROKERS[broker]) else [broker]
    try:
        psycopg.connect(DATABASE, connect_timeout=3).close()
    except psycopg.OperationalError:
        missing.append("PostgreSQL")
    if missing:
        stop = pytest.fail if os.environ.get("CI") == "true" else pytest.skip
        stop(f"a storm over several hosts needs {' and '.join(missing)}")


def storm(*words):
    clean = {
        name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "DJANGO_SETTINGS_MODULE")
    }
    command = [sys.executable, "-m", "tests.acceptance.storm", "--leases-end-at-once", "--look-every", "0.2", *words]
    return subprocess.run(command, cwd=ROOT, env=clean, capture_output=True, text=True)


@pytest.mark.parametrize(
    ("broker", "size"),
    [
        ("redis", ["--matches", "2", "--kills", "2"]),
        ("rabbitmq", ["--matches", "1", "--kills", "1", "--webs", "1", "--workers", "1"]),
    ],
    ids=["redis", "rabbitmq"],
)
def test_nothing_is_lost_when_web_and_worker_processes_are_killed_again_and_again(broker, size):
    require(broker)
    ended = storm("--broker", broker, "--kill-every", "3", *size)
    assert ended.stdout.endswith("Nothing was lost.\n"), ended.stdout + ended.stderr
    assert ended.returncode == 0


def test_nothing_is_lost_when_the_one_process_of_a_small_service_is_killed_again_and_again():
    ended = storm("--matches", "2", "--kill-every", "3", "--kills", "1", "--broker", "none")
    assert ended.stdout.endswith("Nothing was lost.\n"), ended.stdout + ended.stderr
    assert ended.returncode == 0
