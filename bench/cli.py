"""Compare how long commands take with minimal scripts that do the same thing, and with httpie.

The benchmark measures the wall-clock time of whole processes. Commands and scripts run alternately, so that other load
on the machine affects all of them, and only the fastest run of each counts.
"""

import json
import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory

from bench import cli_requests

ROUNDS = 15
TARGET = 1.25
HTTPIE = "httpie==3.2.4"
BARE = """
import typer
app = typer.Typer()
@app.command()
def hello(name: str): ...
@app.command()
def bye(name: str): ...
app()
"""
BARE_REQUEST = """
import sys
import requests
import typer
app = typer.Typer()
@app.command()
def hello(url: str):
    print(len(requests.get(url).json()["results"]))
@app.command()
def bye(name: str): ...
app()
"""


class Waiting(BaseHTTPRequestHandler):
    """Responds immediately with an empty list of waiting matches."""

    def do_GET(self) -> None:
        body = json.dumps(
            {
                "results": [],
                "next": None,
                "previous": None,
                "invitations": [],
                "unread": [],
                "proposals": [],
                "offers": [],
            }
        ).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass


def report() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Waiting)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with TemporaryDirectory() as folder:
        yield from compared(f"http://127.0.0.1:{server.server_port}", Path(folder))
        server.shutdown()
        yield from cli_requests.figures(Path(folder))


def compared(url: str, folder: Path) -> Iterator[str]:
    (folder / "bare.py").write_text(BARE)
    (folder / "bare_request.py").write_text(BARE_REQUEST)
    turnpost = [sys.executable, "-c", "from cli.start import run; run()"]
    commands = {
        "bare typer --help": [sys.executable, str(folder / "bare.py"), "--help"],
        "turnpost --help": [*turnpost, "--help"],
        "bare typer + requests": [sys.executable, str(folder / "bare_request.py"), "hello", f"{url}/api/v1/matches"],
        "turnpost status": [*turnpost, "status"],
    }
    if httpie := shutil.which("http") or installed(folder / "httpie"):
        commands["http --version"] = [httpie, "--version"]
    settings = {"TURNPOST_CONFIG": str(folder), "TURNPOST_URL": url, "TURNPOST_TOKEN": "x"}
    fastest = timed(commands, {**os.environ, **settings})
    yield f"cli: whole processes, the fastest of {ROUNDS} runs, in milliseconds"
    yield from (f"{name:<26}{seconds * 1000:>8.0f}" for name, seconds in fastest.items())
    yield beside_floor("turnpost --help", "bare typer --help", fastest)
    yield beside_floor("turnpost status", "bare typer + requests", fastest)
    yield beside_httpie(fastest)


def installed(folder: Path) -> str | None:
    """Install httpie for this run, and return the path of `http`, or None if the installation fails."""
    python = folder / "bin" / "python"
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    got = subprocess.run([str(python), "-m", "pip", "install", "--quiet", HTTPIE], capture_output=True)
    return None if got.returncode else str(folder / "bin" / "http")


def timed(commands: dict[str, list[str]], environment: dict[str, str]) -> dict[str, float]:
    runs: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(ROUNDS):
        for name, command in commands.items():
            began = time.perf_counter()
            subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=True)
            runs[name].append(time.perf_counter() - began)
    return {name: min(times) for name, times in runs.items()}


def beside_floor(name: str, floor: str, fastest: dict[str, float]) -> str:
    ratio = fastest[name] / fastest[floor]
    return f"target for {name}: {TARGET} x {floor}; it took {ratio:.2f} x: {'met' if ratio <= TARGET else 'MISSED'}"


def beside_httpie(fastest: dict[str, float]) -> str:
    if "http --version" not in fastest:
        return "not compared with httpie: it could not be installed"
    ratio = max(fastest["turnpost --help"], fastest["turnpost status"]) / fastest["http --version"]
    return (
        f"target: less than 1 x http --version; the slower one took {ratio:.2f} x: {'met' if ratio < 1 else 'MISSED'}"
    )
