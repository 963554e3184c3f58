"""Run the storm and fault tests as programs with their own settings."""

import os
import subprocess
import sys

from tests.acceptance.storm.parts import ROOT

SET_BY_TESTS = ("DATABASE_URL", "DJANGO_SETTINGS_MODULE")


def nothing_is_lost(package: str, *words: str) -> None:
    environment = {name: value for name, value in os.environ.items() if name not in SET_BY_TESTS}
    command = [sys.executable, "-m", f"tests.acceptance.{package}", *words]
    ended = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=600)
    assert ended.stdout.endswith("Nothing was lost.\n"), ended.stdout + ended.stderr
    assert ended.returncode == 0
