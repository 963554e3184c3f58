"""A real web server for tests, which records calls and responds as configured."""

import json
import ssl
import threading
from collections.abc import Callable
from dataclasses import dataclass
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self


@dataclass(frozen=True)
class Heard:
    path: str
    headers: Message
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore errors, because some tests hang up halfway through."""


class Listener:
    """Responds with `status` and `headers`, or passes the open connection to `instead`."""

    def __init__(self, tls: ssl.SSLContext | None = None) -> None:
        self.heard: list[Heard] = []
        self.status = 200
        self.headers: dict[str, str] = {}
        self.instead: Callable[[Any], object] | None = None
        self._changed = threading.Condition()
        self._server = Server(("127.0.0.1", 0), self._handler())
        if tls:
            self._server.socket = tls.wrap_socket(self._server.socket, server_side=True)
        self.scheme = "https" if tls else "http"
        self.port = int(self._server.server_address[1])
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)

    def url(self, host: str = "127.0.0.1", path: str = "/turns?of=ann") -> str:
        return f"{self.scheme}://{host}:{self.port}{path}"

    def wait_for(self, count: int, seconds: float = 20) -> list[Heard]:
        with self._changed:
            self._changed.wait_for(lambda: len(self.heard) >= count, seconds)
            return list(self.heard)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _hear(self, heard: Heard) -> None:
        with self._changed:
            self.heard.append(heard)
            self._changed.notify_all()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        listener = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                listener._hear(Heard(self.path, self.headers, body))
                if listener.instead:
                    listener.instead(self)
                    return
                self.send_response(listener.status)
                for name, value in listener.headers.items():
                    self.send_header(name, value)
                self.end_headers()

            def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
                """Log nothing, because the tests themselves cause the errors."""

        return Handler
