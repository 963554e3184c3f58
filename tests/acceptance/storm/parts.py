"""Start the processes of a service as an operator would. Each process can be killed and restarted."""

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import requests

from tests.acceptance.storm.hosts import Host
from tests.waiting import until

ROOT = Path(__file__).resolve().parents[3]
LONGEST_START = 90


@dataclass
class Part:
    host: Host
    words: tuple[str, ...]
    environment: Mapping[str, str]
    log: Path
    url: str = ""
    """The URL for players. Workers and the beat have none."""
    ready_page: str = ""
    """The URL of a page that responds once the process is ready."""
    kills: int = 0
    process: subprocess.Popen[bytes] | None = field(default=None, repr=False)

    def start(self) -> None:
        command = self.host.command(sys.executable, *self.words)
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                command, cwd=ROOT, env=os.environ | self.environment, stdout=log, stderr=subprocess.STDOUT
            )

    def kill(self) -> None:
        """Send SIGKILL, which leaves no chance to clean up."""
        assert self.process
        self.must_be_alive()
        self.process.kill()
        self.process.wait()
        self.kills += 1

    def stop(self) -> None:
        assert self.process
        self.process.terminate()
        try:
            self.process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def wait(self) -> None:
        """Wait until the process is ready, if it has a page that shows this."""
        if self.ready_page and not until(self.is_ready, LONGEST_START):
            raise RuntimeError(f"{self.host.name} is not ready:\n{self.log_tail()}")

    def is_ready(self) -> bool:
        self.must_be_alive()
        try:
            return requests.get(self.ready_page, timeout=5).ok
        except requests.RequestException:
            return False

    def must_be_alive(self) -> None:
        """Check that the process is running, because killing one process must not end another."""
        if self.process and self.process.poll() is not None:
            raise RuntimeError(f"{self.host.name} ended unexpectedly:\n{self.log_tail()}")

    def log_tail(self) -> str:
        return self.log.read_text()[-8000:]


def web(host: Host, port: int, environment: Mapping[str, str], log: Path) -> Part:
    return serving(host, port, environment, log, "--web-only")


def worker(host: Host, port: int, environment: Mapping[str, str], log: Path) -> Part:
    shown = {"TURNPOST_WORKER_METRICS": f"{host.address}:{port}"}
    words = ("-m", "celery", "-A", "config", "worker")
    return Part(host, words, {**environment, **shown}, log, ready_page=f"http://{host.address}:{port}/metrics")


def beat(host: Host, environment: Mapping[str, str], log: Path) -> Part:
    return Part(host, ("-m", "celery", "-A", "config", "beat"), environment, log)


def all_in_one(host: Host, port: int, environment: Mapping[str, str], log: Path) -> Part:
    return serving(host, port, environment, log)


def serving(host: Host, port: int, environment: Mapping[str, str], log: Path, *further: str) -> Part:
    words = ("manage.py", "serve", "--host", host.address, "--port", str(port), *further)
    url = f"http://{host.address}:{port}"
    return Part(host, words, {**environment, "TURNPOST_HOSTS": host.address}, log, url, f"{url}/readyz")


@contextmanager
def running(parts: list[Part]) -> Iterator[None]:
    try:
        for part in parts:
            part.start()
        for part in parts:
            part.wait()
        yield
    finally:
        for part in parts:
            if part.process:
                part.stop()
