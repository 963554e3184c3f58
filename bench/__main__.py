"""Run benchmarks, each in its own process.

`python -m bench` runs all of them and writes docs/figures.md. `python -m bench engine` runs only one.
"""

import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from time import monotonic

from bench import bots, bots_page, document, machine
from bench.processes import output, stop_cleanly

ON_REQUEST = ("bots", "playouts", "busy_bots", "answers")
"""Benchmarks that run only when named. `bots` takes hours, `playouts` needs the repository's history, and `busy_bots`
uses all cores. These three write docs/bots.md. `answers` measures no speed."""
FIRST = ("http", "before", "reads", "notifications", "mails", "clock", "waiting", "engine")
"""The benchmarks that readers look for first. The others follow in alphabetical order."""
MOST_SECONDS = {"http": 900}
USUAL_MOST_SECONDS = 400
"""The time after which a benchmark is stopped and counts as failed: at least twice what it takes on an idle machine."""

Measure = Callable[[str], list[str]]


def known() -> tuple[str, ...]:
    """Return the names of all modules that have a `report` function."""
    modules = Path(__file__).parent.glob("*.py")
    return tuple(sorted(module.stem for module in modules if "\ndef report(" in module.read_text()))


def parts() -> list[str]:
    """Return the benchmarks that always run."""
    usual = [part for part in known() if part not in ON_REQUEST]
    return sorted(usual, key=lambda part: (FIRST.index(part) if part in FIRST else len(FIRST), part))


def main(wanted: Sequence[str]) -> int:
    unknown = [part for part in wanted if part not in known()]
    if unknown:
        print(f"Unknown: {', '.join(unknown)}. Choose from: {', '.join(known())}")
        return 2
    if len(wanted) == 1:
        return measure(wanted[0])
    measured = measure_all(wanted or parts())
    if not wanted:
        document.write(measured)
    print("\n".join(document.summary(measured)))
    return 1 if document.failed(measured) else 0


def measure(part: str) -> int:
    lines = []
    for line in import_module(f"bench.{part}").report():
        print(line, flush=True)
        lines.append(line)
    print()
    if part in bots_page.OTHER_BENCHMARKS:
        bots_page.save_output(part, lines, machine.described())
        bots_page.write(bots.load(bots.RESULTS))
    return 0


def measure_all(wanted: Sequence[str], measure: Measure | None = None) -> dict[str, list[str]]:
    """Run the benchmarks one after another. If one fails, the others still run."""
    begun, measured = monotonic(), {}
    for number, part in enumerate(wanted, start=1):
        minutes, seconds = divmod(int(monotonic() - begun), 60)
        show_progress(f"[{number}/{len(wanted)}] {part} ({minutes}:{seconds:02} so far)")
        measured[part] = (measure or measure_in_process)(part)
    return measured


def show_progress(text: str) -> None:
    if sys.stderr.isatty():
        print(f"\033[2m{text}\033[0m", file=sys.stderr, flush=True)


def measure_in_process(part: str, command: Sequence[str] = (sys.executable, "-m", "bench")) -> list[str]:
    """Run a benchmark, print its output as it arrives, and return the lines."""
    lines = []
    for line in output([*command, part], MOST_SECONDS.get(part, USUAL_MOST_SECONDS)):
        print(line, flush=True)
        lines.append(line)
    return [line for line in lines if line.strip()]


if __name__ == "__main__":
    stop_cleanly()
    sys.exit(main(sys.argv[1:]))
