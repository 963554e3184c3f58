"""Free ports for temporary services: the demo, the benchmarks and the tests."""

import secrets
import socket
from contextlib import suppress


def free_port(host: str = "127.0.0.1") -> int:
    """Below the range of outgoing connections, one of which could take the port before the server does."""
    while True:
        port = 15_000 + secrets.randbelow(15_000)
        with suppress(OSError), socket.create_server((host, port)):
            return port
