"""Ordinary API requests, for which gunicorn's parser and response would take longer than many endpoints.

A request is ordinary if there is only one way to read it: it has a plain path and only known headers, each of them
once. Everything else goes to gunicorn, which knows the whole protocol.
"""

import os
import re
from collections.abc import Callable, Iterable
from email.utils import formatdate
from functools import lru_cache
from time import time
from typing import Any

from django.conf import settings
from gunicorn import SERVER
from gunicorn.http import wsgi
from gunicorn.http.errors import InvalidResponseHeader

LONGEST_HEAD = 4000
"""Less than any of gunicorn's own limits."""
ORDINARY = re.compile(
    r"(GET|POST|PUT|PATCH|DELETE) ((/api/[A-Za-z0-9._~/-]*)(?:\?([!$-~]*))?) HTTP/1\.1\r\n"
    r"(?:[A-Za-z-]+: [!-~](?:[ -~]*[!-~])?\r\n)+\r\n"
)
KNOWN = {
    "accept": "HTTP_ACCEPT",
    "accept-encoding": "HTTP_ACCEPT_ENCODING",
    "accept-language": "HTTP_ACCEPT_LANGUAGE",
    "authorization": "HTTP_AUTHORIZATION",
    "cache-control": "HTTP_CACHE_CONTROL",
    "content-length": "CONTENT_LENGTH",
    "content-type": "CONTENT_TYPE",
    "host": "HTTP_HOST",
    "idempotency-key": "HTTP_IDEMPOTENCY_KEY",
    "if-match": "HTTP_IF_MATCH",
    "if-none-match": "HTTP_IF_NONE_MATCH",
    "origin": "HTTP_ORIGIN",
    "referer": "HTTP_REFERER",
    "user-agent": "HTTP_USER_AGENT",
    "x-forwarded-for": "HTTP_X_FORWARDED_FOR",
    "x-forwarded-proto": "HTTP_X_FORWARDED_PROTO",
    "x-request-id": "HTTP_X_REQUEST_ID",
}
"""The headers of an ordinary request, and their names in WSGI."""
HEADERS = re.compile(r"(?:[!#$%&'*+.^_`|~0-9A-Za-z-]+: [\t -~\x80-\xff]*\r\n)*")
WITHOUT_BODY = ("204 ", "304 ")

Application = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


def constants(cfg: Any, client: Any, server: Any) -> dict[str, Any] | None:
    """Return the variables in WSGI that all requests of a connection share, or None if gunicorn must handle them."""
    is_plain = isinstance(client, tuple) and isinstance(server, tuple) and not cfg.is_ssl and not cfg.accesslog
    if not is_plain or os.environ.get("SCRIPT_NAME"):
        return None
    variables: dict[str, Any] = wsgi.base_environ(cfg)
    del variables["wsgi.file_wrapper"]
    return variables | {
        "REMOTE_ADDR": client[0],
        "REMOTE_PORT": str(client[1]),
        "SCRIPT_NAME": "",
        "SERVER_NAME": server[0],
        "SERVER_PORT": str(server[1]),
        "SERVER_PROTOCOL": "HTTP/1.1",
        "wsgi.multithread": True,
        "wsgi.url_scheme": "http",
    }


def read(head: bytes, shared: dict[str, Any]) -> dict[str, Any] | None:
    """Return the variables of a request in WSGI, or None if it isn't ordinary."""
    text = head.decode("latin-1")
    found = ORDINARY.fullmatch(text) if len(text) <= LONGEST_HEAD else None
    if found is None or "//" in found[3]:
        return None
    variables = {"REQUEST_METHOD": found[1], "RAW_URI": found[2], "PATH_INFO": found[3], "QUERY_STRING": found[4] or ""}
    for line in text.split("\r\n")[1:-2]:
        name, _, value = line.partition(": ")
        variable = KNOWN.get(name.lower())
        if variable is None or variable in variables:
            return None
        variables[variable] = value
    if "HTTP_HOST" not in variables:
        return None
    if "HTTP_X_FORWARDED_PROTO" in variables and not settings.SECURE_PROXY_SSL_HEADER:
        return None  # Whether the header counts then depends on gunicorn's settings.
    return {**shared, **variables}


def respond(application: Application, variables: dict[str, Any], sock: Any, *, is_last: bool) -> None:
    """Run the application, and send the response in one piece."""
    started: list[Any] = []

    def start_response(*status_and_headers: Any) -> None:
        started[:] = status_and_headers

    response = application(variables, start_response)
    try:
        sock.sendall(sent(started[0], started[1], b"".join(response), is_last=is_last))
    finally:
        if close := getattr(response, "close", None):
            close()


def sent(status: str, headers: Iterable[tuple[str, str]], content: bytes, *, is_last: bool) -> bytes:
    """Return the bytes of a response."""
    lines = [f"{name}: {value}\r\n" for name, value in headers if name != "Content-Length"]
    if status.startswith(WITHOUT_BODY):
        content = b""
    else:
        lines.append(f"Content-Length: {len(content)}\r\n")
    written = "".join(lines)
    if not HEADERS.fullmatch(written) or written.count("\r\n") != len(lines):
        raise InvalidResponseHeader(status)
    connection = "close" if is_last else "keep-alive"
    first = f"HTTP/1.1 {status}\r\nServer: {SERVER}\r\nDate: {date(int(time()))}\r\nConnection: {connection}\r\n"
    return f"{first}{written}\r\n".encode("latin-1") + content


@lru_cache(maxsize=2)
def date(second: int) -> str:
    return formatdate(second, usegmt=True)
