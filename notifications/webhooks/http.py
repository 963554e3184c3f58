"""Make one webhook call: a POST request to a checked address, with limits on time and response size.

Redirects are not followed, and no proxy is used. Only the status and the Retry-After header of the response are read.
"""

import errno
import io
import socket
import ssl
import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from typing import Any

from notifications.webhooks.targets import BadTarget, Target, addresses_of

SECONDS = 10.0
"""The time limit for the whole call, in seconds."""
LARGEST_ANSWER = 64 * 1024
LONGEST_WAIT = 3600
TRY_LATER = {408, 425, 429}


@dataclass(frozen=True)
class Taken:
    status: int


@dataclass(frozen=True)
class NotTaken:
    """The call failed.

    `again` says whether a retry makes sense, and `after` is the delay in seconds that the response asked for.
    """

    why: str
    status: int | None = None
    again: bool = True
    after: int = 0


Answer = Taken | NotTaken


def post(target: Target, body: bytes, headers: Mapping[str, str]) -> Answer:
    """Make a call. This never raises an exception; errors are returned as NotTaken."""
    until = time.monotonic() + SECONDS
    try:
        with closing(connect(target, addresses_of(target), until)) as line:
            return ask(target, line, body, headers)
    except BadTarget as bad:
        return NotTaken(bad.why, again=bad.code == "unknown_host")
    except TimeoutError:
        return NotTaken(f"{target.host} didn't respond within {SECONDS:g} seconds.")
    except ssl.SSLCertVerificationError as error:
        return NotTaken(f"{target.host} has an invalid certificate: {error.verify_message}.")
    except (OSError, HTTPException, ValueError) as error:
        return NotTaken(f"Couldn't call {target.host}: {describe(error)}.")


def describe(error: Exception) -> str:
    return getattr(error, "strerror", None) or type(error).__name__


def connect(target: Target, addresses: Sequence[str], until: float) -> "Line":
    """Connect to the first address that accepts the connection."""
    trouble: OSError = ConnectionError()
    for address in addresses:
        try:
            plain = socket.create_connection((address, target.port), timeout=left(until))
        except OSError as error:
            trouble = error
            continue
        return Line(secured(plain, target, until) if target.is_secure else plain, until)
    raise trouble


def secured(plain: socket.socket, target: Target, until: float) -> ssl.SSLSocket:
    """Encrypt the connection. The certificate must match the host name."""
    try:
        plain.settimeout(left(until))
        return ssl.create_default_context().wrap_socket(plain, server_hostname=target.host)
    except BaseException:
        plain.close()
        raise


def ask(target: Target, line: "Line", body: bytes, headers: Mapping[str, str]) -> Answer:
    connection = HTTPConnection(target.host, target.port)
    connection.sock = line
    own = {"Host": target.netloc, "Connection": "close", "Accept-Encoding": "identity"}
    connection.request("POST", target.path, body, own | dict(headers))
    answer = connection.getresponse()
    if 200 <= answer.status < 300:
        return Taken(answer.status)
    return not_taken(target, answer.status, answer.headers.get("Retry-After", ""))


def not_taken(target: Target, status: int, retry_after: str) -> NotTaken:
    why = f"{target.host} returned {status}."
    if 300 <= status < 400:
        return NotTaken(f"{why} Redirects aren't followed.", status, again=False)
    again = status in TRY_LATER or status >= 500
    return NotTaken(why, status, again, read_wait(retry_after))


def read_wait(written: str) -> int:
    """Return the delay in seconds, rounded up. Dates are ignored."""
    try:
        seconds = float(written)
    except ValueError:
        return 0
    return int(min(seconds, LONGEST_WAIT - 1)) + 1 if seconds > 0 else 0


def left(until: float) -> float:
    seconds = until - time.monotonic()
    if seconds <= 0:
        raise TimeoutError
    return seconds


class Line:
    """A socket for HTTPConnection whose timeouts together stay within the limit for the whole call."""

    def __init__(self, line: socket.socket, until: float) -> None:
        self._line = line
        self._until = until

    def sendall(self, data: Any) -> None:
        self._line.settimeout(left(self._until))
        self._line.sendall(data)

    def makefile(self, mode: str) -> io.BufferedReader:
        return io.BufferedReader(Bounded(self._line, self._until))

    def close(self) -> None:
        self._line.close()


class Bounded(io.RawIOBase):
    """A response with limits on its duration and size."""

    def __init__(self, line: socket.socket, until: float) -> None:
        self._line = line
        self._until = until
        self._room = LARGEST_ANSWER

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self._line.settimeout(left(self._until))
        if not self._room:
            raise OSError(errno.EMSGSIZE, "response too large")
        count = self._line.recv_into(buffer, min(len(buffer), self._room))
        self._room -= count
        return count
