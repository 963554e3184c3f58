"""Serve streams over HTTP with uvicorn, on a separate port or on connections that a web server hands over."""

import asyncio
import logging
import resource
import signal
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from stream.hub import Hub
from stream.server import STREAMS, StreamServer

logger = logging.getLogger(__name__)

GRACE_SECONDS = 5
LARGEST_HEAD = 16 * 1024
UNACKNOWLEDGED_MS = 60_000
"""How long a client may leave data unacknowledged, for example because its machine is asleep."""


def serve(host: str, port: int, when_ready: Callable[[], None]) -> None:
    """Serve streams until SIGTERM or SIGINT. Raise OSError if the port is in use."""
    allow_many_connections()
    with socket.create_server((host, port), backlog=1024) as listening:
        close_when_dead(listening)
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: None)  # uvicorn shuts down, then raises the signal again.
        asyncio.run(serve_on(listening, when_ready))


async def serve_on(listening: socket.socket, when_ready: Callable[[], None]) -> None:
    hub = Hub()
    hub.start()
    server = Server(configuration(StreamServer(hub)), hub)
    when_ready()
    await server.serve([listening])


class Server(uvicorn.Server):  # type: ignore[misc]
    def __init__(self, config: Any, hub: Hub) -> None:
        super().__init__(config)
        self._hub = hub

    async def shutdown(self, sockets: Any = None) -> None:
        """End all streams first, because they would never end by themselves."""
        await self._hub.stop()
        await super().shutdown(sockets)


def configuration(application: StreamServer) -> Any:
    """Return the settings for uvicorn. Proxy headers and request logs are left to Django."""
    config = uvicorn.Config(
        application,
        http="h11",
        ws="none",
        lifespan="off",
        loop="asyncio",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        h11_max_incomplete_event_size=LARGEST_HEAD,
        timeout_keep_alive=5,
        timeout_graceful_shutdown=GRACE_SECONDS,
    )
    config.load()
    return config


class EmbeddedStreams:
    """A thread with an event loop that takes over connections from the web server of the same process."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._state = ServerState()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, name="streams", daemon=True)

    def launch(self) -> None:
        self._thread.start()
        self._ready.wait()

    def halt(self) -> None:
        asyncio.run_coroutine_threadsafe(self._end(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()

    def wants(self, data: bytes) -> bool:
        """Return whether these first bytes of a connection are a complete request for a stream."""
        if not (data.startswith(b"GET ") and data.endswith(b"\r\n\r\n") and data.count(b"\r\n\r\n") == 1):
            return False
        path = data.split(b" ", 2)[1].partition(b"?")[0]
        return bool(STREAMS.fullmatch(path.decode("latin-1")))

    def take(self, connection: socket.socket, data: bytes) -> None:
        """Take over a connection, and the data that has been read from it."""
        close_when_dead(connection)
        asyncio.run_coroutine_threadsafe(self._take(connection, data), self._loop)

    async def _take(self, connection: socket.socket, data: bytes) -> None:
        def protocol() -> Any:
            return H11Protocol(config=self._config, server_state=self._state, app_state={})

        try:
            _, taken = await self._loop.connect_accepted_socket(protocol, connection)
        except OSError:
            connection.close()  # The client is gone.
        else:
            taken.data_received(data)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self._begin())
        self._ready.set()
        self._loop.run_forever()
        self._loop.close()

    async def _begin(self) -> None:
        self.hub = Hub()
        self.hub.start()
        self._config = configuration(StreamServer(self.hub))

    async def _end(self) -> None:
        await self.hub.stop()
        for connection in list(self._state.connections):
            connection.shutdown()
        if self._state.tasks:
            await asyncio.wait(list(self._state.tasks), timeout=GRACE_SECONDS)


def close_when_dead(connection: socket.socket) -> None:
    """Close connections to clients that no longer respond.

    Accepted connections inherit this option from the listening socket.
    """
    with suppress(AttributeError, OSError):  # Only Linux has this option.
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNACKNOWLEDGED_MS)


def allow_many_connections() -> None:
    """Raise the limit on open files, which is often only 1,024."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
