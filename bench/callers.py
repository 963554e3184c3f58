"""Send prepared requests and read the responses, and do nothing else.

`python -m bench.callers` runs as a separate process, so that it slows down the measured service as little as possible.
"""

import socket
import sys
import threading
from time import perf_counter

import msgspec

LONGEST_WAIT = 60
NOT_MODIFIED = 304
"""The status of a response without a body."""


class Orders(msgspec.Struct):
    """Each caller's requests, which are sent one after another until none are left or time is up."""

    port: int
    seconds: float
    callers: list[list[bytes]]


class Results(msgspec.Struct):
    seconds: float
    times: list[float]
    refused: list[bytes]


def call(connection: socket.socket, request: bytes) -> tuple[bool, bytes]:
    connection.sendall(request)
    received = b""
    while b"\r\n\r\n" not in received:
        received += heard(connection)
    head, _, body = received.partition(b"\r\n\r\n")
    lengths = [int(line.split(b":")[1]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length")]
    status = int(head.split(b" ", 2)[1])
    while status != NOT_MODIFIED and len(body) < lengths[0]:
        body += heard(connection)
    return status in (200, NOT_MODIFIED), body


def heard(connection: socket.socket) -> bytes:
    if part := connection.recv(65536):
        return part
    raise ConnectionError("The service closed the connection.")


def work(orders: Orders, requests: list[bytes], together: threading.Barrier, results: Results) -> None:
    with socket.create_connection(("127.0.0.1", orders.port), timeout=LONGEST_WAIT) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        together.wait()
        until = perf_counter() + orders.seconds
        for request in requests:
            start = perf_counter()
            if start > until:
                return
            is_fine, body = call(connection, request)
            results.times.append(perf_counter() - start)
            if not is_fine:
                results.refused.append(body)
                return


def main() -> None:
    orders = msgspec.msgpack.decode(sys.stdin.buffer.read(), type=Orders)
    results = Results(0, [], [])
    together = threading.Barrier(len(orders.callers) + 1)
    threads = [threading.Thread(target=work, args=(orders, requests, together, results)) for requests in orders.callers]
    for thread in threads:
        thread.start()
    together.wait()
    start = perf_counter()
    for thread in threads:
        thread.join()
    results.seconds = perf_counter() - start
    sys.stdout.buffer.write(msgspec.msgpack.encode(results))


if __name__ == "__main__":
    main()
