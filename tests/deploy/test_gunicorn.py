"""The web server's processes share the work, and survive clients that hang up."""

import socket
import struct
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

from bench.servers import children
from demo.ports import free_port
from tests.deploy.services import PRODUCTION, ROOT, answers, running
from tests.waiting import until

GUNICORN = [sys.executable, "-m", "gunicorn", "-c", str(ROOT / "deploy" / "gunicorn.conf.py")]
ASKING = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
CONNECTIONS = 16

pytestmark = pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="reads the processes' open files in /proc")


@pytest.fixture(scope="module")
def gunicorn(tmp_path_factory):
    folder, port = tmp_path_factory.mktemp("gunicorn"), free_port()
    served = {"TURNPOST_DATA": str(folder), "TURNPOST_BIND": f"127.0.0.1:{port}", "WEB_CONCURRENCY": "2"}
    with running(GUNICORN, port, folder / "log", **PRODUCTION | served) as process:
        assert until(lambda: all(map(accepts_connections, children(process.pid))), 30)
        yield process.pid, port


def accepts_connections(pid: int) -> bool:
    """Return whether the process is waiting for connections, besides messages from its own threads."""
    opened = (file.read_text() for file in Path(f"/proc/{pid}/fdinfo").iterdir())
    return any(watched.count("tfd:") > 1 for watched in opened)


def open_sockets(pid: int) -> int:
    return sum(str(file.readlink()).startswith("socket:") for file in Path(f"/proc/{pid}/fd").iterdir())


def test_connections_that_stay_open_are_shared_by_all_processes(gunicorn):
    master, port = gunicorn
    before = {pid: open_sockets(pid) for pid in children(master)}
    with ExitStack() as stack:
        for _ in range(CONNECTIONS):
            connection = stack.enter_context(socket.create_connection(("127.0.0.1", port), 30))
            connection.sendall(ASKING)
            assert connection.recv(1000).startswith(b"HTTP/1.1 200")
        opened = [open_sockets(pid) - count for pid, count in before.items()]
        assert len(opened) == 2
        assert min(opened) >= CONNECTIONS // 4


def test_processes_survive_clients_that_hang_up_before_the_response(gunicorn):
    master, port = gunicorn
    before = children(master)
    for _ in range(50):
        with socket.create_connection(("127.0.0.1", port), 30) as connection:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # closing resets it
            connection.sendall(ASKING)
    assert answers(port)
    assert children(master) == before


@pytest.mark.parametrize("path", [b"/", b"/api/"])
def test_a_request_that_arrives_while_another_is_handled_is_answered_afterwards(tmp_path, path):
    port = free_port()
    variables = {"TURNPOST_DATA": str(tmp_path), "TURNPOST_BIND": f"127.0.0.1:{port}", "SLOW": str(tmp_path)}
    with (
        running([*GUNICORN, "tests.deploy.slow:application"], port, tmp_path / "log", **variables),
        socket.create_connection(("127.0.0.1", port), 30) as connection,
    ):
        for asking in (ASKING.replace(b"/healthz", path), ASKING):
            connection.sendall(asking)
            assert until((tmp_path / "asked").exists)
        (tmp_path / "go").touch()
        received = b""
        while received.count(b"done") < 2:
            received += connection.recv(1000)
        assert received.count(b"HTTP/1.1 200") == 2
