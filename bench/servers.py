"""Run the service in its own processes behind a real web server, as in production: behind gunicorn with PostgreSQL, and
behind waitress with SQLite.

BENCH_SERVER selects another web server.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

WSGI = "config.wsgi:application"
SERVERS = {
    "waitress": ["-m", "waitress", "--listen=127.0.0.1:{port}", "--threads=8", WSGI],
    "gunicorn": ["-m", "gunicorn", "-c", "deploy/gunicorn.conf.py", "-b", "127.0.0.1:{port}", "-w", "2", WSGI],
    "granian": ["-m", "granian", "--port", "{port}", "--interface", "wsgi", "--workers", "2", WSGI],
    "uvicorn": ["-m", "uvicorn", "--port", "{port}", "--interface", "wsgi", "--workers", "2", WSGI],
}
TICKS = os.sysconf("SC_CLK_TCK")
USUAL = {"postgresql": "gunicorn", "sqlite": "waitress"}


def chosen(kind: str) -> str:
    return os.environ.get("BENCH_SERVER", USUAL[kind])


@contextmanager
def server(kind: str) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """Serve the current database, including the floors, and yield the process and its port."""
    from demo.ports import free_port
    from tests.waiting import until

    port = free_port()
    command = [sys.executable, *(word.format(port=port) for word in SERVERS[chosen(kind)])]
    environment = os.environ | {"DJANGO_SETTINGS_MODULE": "bench.web_settings"}
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        assert until(lambda: answers(port)), f"{chosen(kind)} did not start."
        yield process, port
    finally:
        process.terminate()
        process.wait()


def answers(port: int) -> bool:
    from urllib.error import URLError
    from urllib.request import urlopen

    try:
        with urlopen(f"http://127.0.0.1:{port}/healthz", timeout=5):
            return True
    except (URLError, OSError):
        return False


def cpu_seconds(pid: int) -> float:
    """Return the CPU time that a process and its children have used."""
    spent = 0
    for one in (pid, *children(pid)):
        user, system = Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()[11:13]
        spent += int(user) + int(system)
    return spent / TICKS


def memory(process: subprocess.Popen[bytes]) -> list[int]:
    """Return the resident memory of the process and its children in MiB, starting with the largest."""
    found = [process.pid, *children(process.pid)]
    return sorted((resident(pid) for pid in found), reverse=True)


def children(pid: int) -> list[int]:
    listed = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [int(child) for child in listed]


def resident(pid: int) -> int:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) // 1024
    return 0
