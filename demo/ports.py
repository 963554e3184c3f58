"""Ports for services that somebody starts for a while: the show, the bench and the tests."""

import secrets
import socket
from contextlib import suppress


def free_port(host: str = "127.0.0.1") -> int:
    """None of those that calls go out from: one of them could take it before the server does that it is meant for."""
    while True:
        port = 15_000 + secrets.randbelow(15_000)
        with suppress(OSError), socket.create_server((host, port)):
            return port
