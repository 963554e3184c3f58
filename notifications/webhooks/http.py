"""One call: a POST to a target whose machines were checked, with bounds for its time and for what comes back.

No redirect is followed, no proxy asked, and of the answer only the status and how long to wait are read.
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
"""For the whole call, from the first byte to the last."""
LARGEST_ANSWER = 64 * 1024
LONGEST_WAIT = 3600
TRY_LATER = {408, 425, 429}


@dataclass(frozen=True)
class Taken:
    status: int


@dataclass(frozen=True)
class NotTaken:
    """`again` when it may well be taken later, `after` so many seconds if the other side said so."""

    why: str
    status: int | None = None
    again: bool = True
    after: int = 0


Answer = Taken | NotTaken


def post(target: Target, body: bytes, headers: Mapping[str, str]) -> Answer:
    """Never raises: whatever goes wrong on the way is an answer too."""
    until = time.monotonic() + SECONDS
    try:
        with closing(connect(target, addresses_of(target), until)) as line:
            return ask(target, line, body, headers)
    except BadTarget as bad:
        return NotTaken(bad.why, again=bad.code == "unknown_host")
    except TimeoutError:
        return NotTaken(f"{target.host} did not answer within {SECONDS:g} seconds.")
    except ssl.SSLCertVerificationError as error:
        return NotTaken(f"{target.host} cannot show that it is {target.host}: {error.verify_message}.")
    except (OSError, HTTPException, ValueError) as error:
        return NotTaken(f"{target.host} could not be called: {describe(error)}.")


def describe(error: Exception) -> str:
    return getattr(error, "strerror", None) or type(error).__name__


def connect(target: Target, addresses: Sequence[str], until: float) -> "Line":
    """To the first of the checked addresses that answers."""
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
    """The certificate must be that of the name, whatever address the name was found at."""
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
    why = f"{target.host} answered {status}."
    if 300 <= status < 400:
        return NotTaken(f"{why} Redirects are not followed.", status, again=False)
    again = status in TRY_LATER or status >= 500
    return NotTaken(why, status, again, read_wait(retry_after))


def read_wait(written: str) -> int:
    """Seconds; fractions, as some send them, are rounded up. A date counts as nothing said."""
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
    """A socket as HTTPConnection uses it. Each wait is cut to what is left of the time for the whole call."""

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
    """What comes back, as far as there is time and room for it."""

    def __init__(self, line: socket.socket, until: float) -> None:
        self._line = line
        self._until = until
        self._room = LARGEST_ANSWER

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self._line.settimeout(left(self._until))
        if not self._room:
            raise OSError(errno.EMSGSIZE, "it says too much")
        count = self._line.recv_into(buffer, min(len(buffer), self._room))
        self._room -= count
        return count
