"""Run the embedded service in a temporary folder. The folder is deleted when the demo ends."""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

import requests

from cli.environment import clean_environment
from demo.ports import free_port

ROOT = Path(__file__).resolve().parent.parent
DOMAIN = "turnpost.example"
PATIENCE = 60
POLL_SECONDS = 0.03
Found = TypeVar("Found")


@dataclass(frozen=True)
class Service:
    folder: Path
    port: int
    mail_port: int

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def mail(self) -> Path:
        return self.folder / "mail"


@contextmanager
def running() -> Iterator[Service]:
    with TemporaryDirectory(prefix="turnpost-demo-") as folder:
        service = Service(Path(folder), free_port(), free_port())
        with (service.folder / "log").open("wb") as log:
            process = start(service, log.fileno())
        try:
            wait_until_ready(service, process)
            yield service
        except NotInTime as late:
            raise SystemExit(f"{late} Last lines of the service's log:\n{log_tail(service, 30)}") from late
        finally:
            process.terminate()
            process.wait()


def start(service: Service, log: int) -> "subprocess.Popen[bytes]":
    command = [sys.executable, str(ROOT / "manage.py"), "serve", f"--port={service.port}"]
    settings = {
        "TURNPOST_DATA": str(service.folder),
        "TURNPOST_URL": service.url,
        "TURNPOST_REPLY_DOMAIN": DOMAIN,
        # Three players at full speed would hit the rate limits.
        "TURNPOST_RATES": "user=100000/minute, address=100000/minute",
    }
    return subprocess.Popen(
        [*command, f"--mail-port={service.mail_port}"], env=clean_environment() | settings, stdout=log, stderr=log
    )


def wait_until_ready(service: Service, process: "subprocess.Popen[bytes]") -> None:
    def has_ended() -> bool:
        return process.poll() is not None

    with suppress(NotInTime):
        wait_for("service", lambda: has_ended() or is_ready(service))
    if has_ended() or not is_ready(service):
        raise SystemExit(f"The service did not start: {log_tail(service, 1)}")


def log_tail(service: Service, lines: int) -> str:
    return "\n".join((service.folder / "log").read_text().splitlines()[-lines:]) or "no output"


def is_ready(service: Service) -> bool:
    try:
        return requests.get(f"{service.url}/readyz", timeout=5).ok
    except requests.ConnectionError:
        return False


class NotInTime(Exception):
    """Raised if the service did not do something in time."""


def wait_for(what: str, look: Callable[[], Found | None]) -> Found:
    """Poll until `look` finds the result of something that the service does in the background."""
    end = time.monotonic() + PATIENCE
    while not (found := look()):
        if time.monotonic() > end:
            raise NotInTime(f"There was no {what} within {PATIENCE} seconds.")
        time.sleep(POLL_SECONDS)
    return found
