import platform
import sys
from pathlib import Path

import pytest

from bench import __main__ as bench
from bench import document, machine, processes

FIGURES = {
    "engine": "print('moves/s'); print('target: 10 moves/s; reached 12: met')",
    "http": "print('1,000'); raise SystemExit(3)",
    "pages": "print('not measured: PostgreSQL cannot be reached')",
    "cli": "print('target: 5 ms; it took 6: MISSED')",
}


@pytest.fixture
def folder(monkeypatch, tmp_path):
    """Run short programs instead of the benchmarks, and write the page to a temporary folder."""
    run, write = bench.measure_in_process, document.write
    monkeypatch.setattr(bench, "parts", lambda: list(FIGURES))
    monkeypatch.setattr(bench, "measure_in_process", lambda part: run(part, (sys.executable, "-c", FIGURES[part])))
    monkeypatch.setattr(document, "write", lambda measured: write(measured, tmp_path))
    return tmp_path


def test_if_one_benchmark_fails_the_others_still_run_and_the_exit_code_is_1(folder, capsys):
    assert bench.main([]) == 1
    printed = capsys.readouterr()
    assert printed.err == "", "progress is only shown in a terminal"
    assert printed.out.splitlines()[-4:] == [
        "1 of 2 targets are met.",
        "MISSED: cli · 5 ms; it took 6",
        "http: not measured: exit code 3",
        "pages: not measured: PostgreSQL cannot be reached",
    ]
    page = (folder / "figures.md").read_text()
    for line in ("1,000", "not measured: exit code 3", "not measured: PostgreSQL cannot be reached", "it took 6"):
        assert line in page


def test_a_skipped_benchmark_or_a_missed_target_does_not_count_as_a_failure(folder, monkeypatch, capsys):
    monkeypatch.setitem(FIGURES, "http", "print('1,000')")
    assert bench.main([]) == 0
    assert "pages: not measured" in capsys.readouterr().out


def test_a_benchmark_that_takes_too_long_is_interrupted(monkeypatch, capsys):
    monkeypatch.setitem(bench.MOST_SECONDS, "http", 0.5)
    stuck = "import threading; print('begun', flush=True); threading.Event().wait()"
    [*lines, last] = bench.measure_in_process("http", (sys.executable, "-c", stuck))
    assert last.startswith(processes.FAILED)
    assert last.endswith("stopped after 0.5 s")
    assert len(lines) <= 1
    assert last in capsys.readouterr().out


def test_every_module_with_a_report_is_a_benchmark():
    assert {"http", "mails", "clock", *bench.ON_REQUEST} <= set(bench.known())
    assert set(bench.parts()) == set(bench.known()) - set(bench.ON_REQUEST)
    assert bench.main(["nonsense"]) == 2


def test_the_page_names_the_machine_and_the_commit_but_neither_the_host_nor_a_path():
    described = machine.described()
    assert "cores (" in described
    assert "at commit " in described
    assert str(Path.home()) not in described
    assert platform.node() not in described
