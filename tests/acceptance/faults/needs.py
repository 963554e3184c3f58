"""What a fault needs on this machine. Where it is missing a test is skipped, but never in CI."""

import os
import subprocess
import sys
from typing import NoReturn

import pytest

from bench.scratch import SERVER
from tests.acceptance.faults import postgresql
from tests.acceptance.storm.parts import ROOT
from tests.brokers import BROKERS, reachable


def needs(*names: str) -> None:
    if missing := [name for name in names if not is_there(name)]:
        do_without(" and ".join(missing))


def do_without(missing: str) -> NoReturn:
    stop = pytest.fail if os.environ.get("CI") == "true" else pytest.skip
    stop(f"this fault needs {missing}")


def is_there(name: str) -> bool:
    if name in BROKERS:
        return reachable(BROKERS[name])
    return has_programs() if name == "PostgreSQL's programs" else has_server()


def has_programs() -> bool:
    try:
        postgresql.programs()
    except postgresql.NoServer:
        return False
    return True


def has_server() -> bool:
    import psycopg

    try:
        psycopg.connect(SERVER, connect_timeout=3).close()
    except psycopg.OperationalError:
        return False
    return True


def fault(*words: str) -> "subprocess.CompletedProcess[str]":
    """One that a process of its own plays, with settings of its own."""
    clean = {name: os.environ[name] for name in os.environ if name not in ("DATABASE_URL", "DJANGO_SETTINGS_MODULE")}
    command = [sys.executable, "-m", "tests.acceptance.faults", *words]
    return subprocess.run(command, cwd=ROOT, env=clean, capture_output=True, text=True, timeout=600)
