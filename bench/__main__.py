"""`python -m bench` measures everything and writes docs/figures.md; `python -m bench engine` runs a single benchmark.

Each benchmark runs in its own process.
"""

import subprocess
import sys
from importlib import import_module

from bench import document

PARTS = ("engine", "visits", "waiting", "clock", "http", "pages", "notifications", "webhooks", "cli")
ON_REQUEST = ("bots", "playouts", "busy_bots")
"""Bots take hours and write their own page; playouts need the history of the repository; busy bots use all cores."""


def main(wanted: list[str]) -> int:
    known = (*PARTS, *ON_REQUEST)
    unknown = [part for part in wanted if part not in known]
    if unknown:
        print(f"Unknown: {', '.join(unknown)}. Choose from: {', '.join(known)}")
        return 2
    if len(wanted) == 1:
        return measure(wanted[0])
    measured = {part: measure_in_process(part) for part in wanted or PARTS}
    if not wanted:
        document.write(measured)
    return 0


def measure(part: str) -> int:
    for line in import_module(f"bench.{part}").report():
        print(line, flush=True)
    print()
    return 0


def measure_in_process(part: str) -> list[str]:
    """Run a benchmark, print its output as it arrives, and return the lines."""
    lines = []
    with subprocess.Popen([sys.executable, "-m", "bench", part], stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout or ():
            print(line, end="", flush=True)
            lines.append(line.rstrip("\n"))
    if process.returncode:
        lines.append(f"not measured: exit code {process.returncode}")
    return [line for line in lines if line.strip()]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
