"""A server that fails in scripted ways."""

import json
import threading
from collections.abc import Callable
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import requests

Step = Callable[[BaseHTTPRequestHandler], None]


def answer(status: int, body: Any = None, **headers: str) -> Step:
    def write(handler: BaseHTTPRequestHandler) -> None:
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        handler.send_response_only(status)
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.send_header("Content-Length", str(len(content)))
        handler.end_headers()
        handler.wfile.write(content)

    return write


def silence(handler: BaseHTTPRequestHandler) -> None:
    """Accept the request, but never respond."""
    handler.server.ended.wait(30)  # type: ignore[attr-defined]


def hang_up(handler: BaseHTTPRequestHandler) -> None:
    """Accept the request, and then close the connection."""
    handler.close_connection = True
    handler.connection.close()


class Faulty(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, script: list[Step]) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.script = script
        self.requests: list[tuple[str, str, dict[str, str], bytes]] = []
        self.ended = threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore errors, because clients that give up are part of the test."""


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Faulty

    def handle_any(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.server.requests.append((self.command, self.path, dict(self.headers), body))
        step = min(len(self.server.requests), len(self.server.script)) - 1
        self.server.script[step](self)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = handle_any  # noqa: N815

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        pass


@contextmanager
def faulty(*script: Step):
    """Handle each request with the next step. The last step is repeated."""
    server = Faulty(list(script))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server
    finally:
        server.ended.set()
        server.shutdown()
        thread.join()
        server.server_close()


def forward(url: str, then: Step | None = None) -> Step:
    """Forward the request to the real server, and return its response, or run `then` instead."""

    def pass_on(handler: BaseHTTPRequestHandler) -> None:
        real = asked(url, handler)
        if then:
            return then(handler)
        return answer(real.status_code, real.content, ETag=real.headers.get("ETag", ""))(handler)

    return pass_on


def forwarded(url: str, changed: Callable[[bytes], bytes]) -> Step:
    """Forward the request to the real server, and return its response with different content."""

    def pass_on(handler: BaseHTTPRequestHandler) -> None:
        real = asked(url, handler)
        answer(real.status_code, changed(real.content))(handler)

    return pass_on


def asked(url: str, handler: BaseHTTPRequestHandler) -> requests.Response:
    method, path, headers, body = handler.server.requests[-1]  # type: ignore[attr-defined]
    kept = {name: value for name, value in headers.items() if name not in ("Host", "Connection")}
    return requests.request(method, url + path, headers=kept, data=body, timeout=30)
