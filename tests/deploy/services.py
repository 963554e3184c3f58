"""Start the service's programs as an operator would, without the developer's environment."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path

from tests.waiting import until

ROOT = Path(__file__).resolve().parents[2]
PRODUCTION = {
    "TURNPOST_URL": "https://play.example.org",
    "TURNPOST_PROXIES": "1",
    "TURNPOST_SECRET_KEY": "kept in the environment, and long enough for anybody",
    "TURNPOST_VAULT_KEYS": "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=",
    "TURNPOST_SIGNING_KEYS": "MTIzNDU2Nzg5MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTI=",
    "TURNPOST_METRICS_TOKEN": "s3cret",
    "TURNPOST_LOG": "json",
    "BROKER_URL": "redis://127.0.0.1:6379/15",
    "EMAIL_URL": "smtp://127.0.0.1:1",
}


def environment(**variables: str) -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    return kept | {"PYTHONPATH": str(ROOT), "DJANGO_SETTINGS_MODULE": "config.settings"} | variables


def manage(*words: str, **variables: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, str(ROOT / "manage.py"), *words]
    return subprocess.run(command, env=environment(**variables), capture_output=True, text=True, timeout=120)


@contextmanager
def running(command: list[str], port: int, log: Path, **variables: str) -> "Iterator[subprocess.Popen[bytes]]":
    """Run a server that responds when the block begins and is stopped when the block ends."""
    with log.open("wb") as output:
        process = subprocess.Popen(
            command, cwd=ROOT, env=environment(**variables), stdout=output, stderr=output, start_new_session=True
        )
        try:
            assert until(lambda: answers(port) or process.poll() is not None, 60)
            assert process.poll() is None, log.read_text()
            yield process
        finally:
            process.kill()
            process.wait()


def answers(port: int) -> bool:
    try:
        return ask(port, "/healthz")[0] == 200
    except OSError:
        return False


def ask(port: int, path: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
    connection = HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        connection.request("GET", path, headers={name.replace("_", "-"): value for name, value in headers.items()})
        answer = connection.getresponse()
        return answer.status, dict(answer.getheaders()), answer.read()
    finally:
        connection.close()
