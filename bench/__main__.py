"""`python -m bench` measures everything, `python -m bench engine` only one part."""

import sys
from importlib import import_module

PARTS = ("engine",)


def main(wanted: list[str]) -> int:
    unknown = [part for part in wanted if part not in PARTS]
    if unknown:
        print(f"There is nothing called {', '.join(unknown)} to measure. Choose from: {', '.join(PARTS)}.")
        return 2
    for part in wanted or PARTS:
        for line in import_module(f"bench.{part}").report():
            print(line, flush=True)
    return 0


sys.exit(main(sys.argv[1:]))
