"""Find free ports for temporary services: the demo, the benchmarks and the tests."""

import secrets
import socket
from contextlib import suppress


def free_port(host: str = "127.0.0.1") -> int:
    """Return a free port below the range for outgoing connections. Otherwise, an outgoing connection could take the
    port before the server does."""
    while True:
        port = 15_000 + secrets.randbelow(15_000)
        with suppress(OSError), socket.create_server((host, port)):
            return port
