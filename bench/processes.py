"""Run benchmarks in their own processes, show their output as it arrives, and end them cleanly.

A process that is stopped gets SIGTERM, which `stop_cleanly` turns into an exception, so that it can end its servers and
drop its databases.
"""

import os
import signal
import subprocess
from collections.abc import Generator, Sequence
from contextlib import suppress
from threading import Event, Timer

FAILED = "not measured: exit code"
SECONDS_TO_END = 60
"""How long a process may take to clean up after it is told to stop."""


def stop_cleanly() -> None:
    """Clean up after SIGTERM as after Ctrl+C."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)


def output(command: Sequence[str], most_seconds: float | None = None) -> Generator[str, None, None]:
    """Run a command and yield its lines as they arrive. If it fails or takes too long, the last line says so.

    The command has its own process group, so that Ctrl+C reaches it only once, through this process.
    """
    is_late = Event()
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, process_group=0) as process:

        def expire() -> None:
            is_late.set()
            stop(process)

        limit = Timer(most_seconds or 0, expire)
        if most_seconds:
            limit.start()
        try:
            for line in process.stdout or ():
                yield line.rstrip("\n")
            process.wait()
        finally:
            limit.cancel()
            stop(process)
    if process.returncode:
        yield f"{FAILED} {process.returncode}" + f", stopped after {most_seconds} s" * is_late.is_set()


def stop(process: "subprocess.Popen[str]") -> None:
    """End a process if it is still running. If it doesn't end in time, kill its whole group."""
    if process.poll() is None:
        process.terminate()
    try:
        process.wait(SECONDS_TO_END)
    except subprocess.TimeoutExpired:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
