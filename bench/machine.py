"""Describe the machine and the commit on which the figures were measured."""

import os
import platform
import re
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import psycopg

from bench.scratch import SERVER

ROOT = Path(__file__).resolve().parent.parent
WRITTEN = ("docs/figures.md", "docs/figures.png")
"""Files that a benchmark run itself changes."""


def described() -> str:
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2**30
    parts = [
        f"{os.cpu_count()} cores ({processor()})",
        f"{memory:.0f} GiB of memory",
        platform.system(),
        f"Python {platform.python_version()}",
        postgresql(),
    ]
    return f"Measured on {datetime.now(UTC):%Y-%m-%d} at commit {commit()}: {', '.join(parts)}."


def processor() -> str:
    """Return the name of the processor, or its architecture if the system doesn't report a name."""
    told = Path("/proc/cpuinfo")
    found = re.search(r"^model name\s*: (.+)$", told.read_text(), re.MULTILINE) if told.exists() else None
    return found[1].strip() if found else platform.machine()


def postgresql() -> str:
    try:
        with psycopg.connect(SERVER, connect_timeout=3) as connection:
            return f"PostgreSQL {connection.info.parameter_status('server_version')}".split(" (")[0]
    except psycopg.OperationalError:
        return "without PostgreSQL"


def commit() -> str:
    """Return the commit, and whether there are uncommitted changes."""
    head = git("rev-parse", "--short", "HEAD")
    if not head:
        return "unknown"
    changed = [line for line in git("status", "--porcelain").splitlines() if not line.endswith(WRITTEN)]
    return f"`{head}` with changes" if changed else f"`{head}`"


def git(*command: str) -> str:
    try:
        done = subprocess.run(["git", *command], cwd=ROOT, capture_output=True, text=True)
    except FileNotFoundError:
        return ""
    return done.stdout.strip()
