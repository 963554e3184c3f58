"""A process that is stopped cleans up first, and so do the processes that it has started."""

import sys

from bench.processes import FAILED, output

CLEANING = """
import sys, time
from pathlib import Path
from bench.processes import output, stop_cleanly
stop_cleanly()
try:
    print("begun", flush=True)
    inner = sys.argv[1:-1]
    for line in output([sys.executable, *inner, sys.argv[-1]]) if inner else []:
        print(line, flush=True)
    time.sleep(60)
finally:
    with Path(sys.argv[-1]).open("a") as file:
        file.write("cleaned up\\n")
"""


def test_lines_arrive_one_by_one():
    lines = output([sys.executable, "-c", "print(1, flush=True); input(); print(2)"])
    assert next(lines) == "1"
    lines.close()


def test_a_failure_is_reported_in_the_last_line():
    assert list(output([sys.executable, "-c", "print(1); raise SystemExit(3)"])) == ["1", f"{FAILED} 3"]


def test_a_process_that_takes_too_long_cleans_up(tmp_path):
    command = [sys.executable, "-c", CLEANING, str(tmp_path / "log")]
    [begun, failed] = output(command, most_seconds=3)
    assert (begun, failed.startswith(FAILED)) == ("begun", True)
    assert failed.endswith("stopped after 3 s")
    assert (tmp_path / "log").read_text() == "cleaned up\n"


def test_if_nobody_reads_the_output_to_the_end_the_inner_process_cleans_up_before_the_outer_one(tmp_path):
    lines = output([sys.executable, "-c", CLEANING, "-c", CLEANING, str(tmp_path / "log")])
    assert [next(lines), next(lines)] == ["begun", "begun"]
    lines.close()
    assert (tmp_path / "log").read_text() == "cleaned up\ncleaned up\n"
