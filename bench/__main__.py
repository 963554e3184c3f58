"""`python -m bench` measures everything, `python -m bench engine` only one part. Each part has a process of its own."""

import subprocess
import sys
from importlib import import_module

PARTS = ("engine", "visits", "waiting", "notices", "cli")


def main(wanted: list[str]) -> int:
    unknown = [part for part in wanted if part not in PARTS]
    if unknown:
        print(f"There is nothing called {', '.join(unknown)} to measure. Choose from: {', '.join(PARTS)}.")
        return 2
    if len(wanted) == 1:
        return measure(wanted[0])
    return max(subprocess.call([sys.executable, "-m", "bench", part]) for part in wanted or PARTS)


def measure(part: str) -> int:
    for line in import_module(f"bench.{part}").report():
        print(line, flush=True)
    print()
    return 0


sys.exit(main(sys.argv[1:]))
