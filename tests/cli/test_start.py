"""Ctrl-C ends the client quietly even while it starts."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SLOW_MODULE = "import sys, time; print('importing', flush=True); time.sleep(600)"


@pytest.mark.parametrize("asked", [{}, {"_TURNPOST_COMPLETE": "complete_zsh"}], ids=["command", "completion"])
def test_ctrl_c_during_the_start_prints_no_traceback(tmp_path, asked):
    (tmp_path / "typer.py").write_text(SLOW_MODULE)
    process = subprocess.Popen(
        [sys.executable, "-c", "from cli.start import run; run()"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | asked | {"PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT)])},
    )
    assert process.stdout
    assert process.stdout.readline() == "importing\n"
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=60)[1] == ""
    assert process.returncode == -signal.SIGINT
