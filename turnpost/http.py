"""Talk to the server over HTTP.

Every request returns a JSON document or raises a Problem. Only requests that are safe to repeat are retried.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin, urlsplit

from turnpost.errors import NeedsLogin, Problem, Refused, Stale, Unreachable
from turnpost.sanitize import printable, sanitized

if TYPE_CHECKING:
    from turnpost.transport import Connections, Response

API = "/api/v1/"
CONNECT_SECONDS = 5.0
READ_SECONDS = 30.0
RETRY_PAUSES = (0.3, 1.0)
"""Seconds to wait before each retry."""
MAX_RETRY_AFTER = 20
"""If the server asks for a longer wait than this many seconds, the command fails with the server's message."""
MAX_ENTRIES = 5000
"""The maximum number of entries to fetch from a list."""
MAX_PAGE_SIZE = 200
"""The largest page the server allows."""
MOST_BYTES = 50_000_000
"""The largest response that is read. A match's largest document, its proof, is smaller than 1 MB."""
OK = 200
FIRST_ERROR = 400
TRANSIENT = {500, 502, 503, 504}
THIS_MACHINE = ("localhost", "127.0.0.1", "::1")
Body = Mapping[str, Any]


@dataclass
class Server:
    url: str
    token: str = ""
    pause: Callable[[float], object] = time.sleep
    timeout: tuple[float, float] = field(default_factory=lambda: (CONNECT_SECONDS, READ_SECONDS))

    @cached_property
    def connections(self) -> "Connections":
        from turnpost.transport import Connections

        return Connections()

    def get(self, path: str, **params: Any) -> Any:
        return self.document(self.request("GET", path, params=params))

    def pages(self, path: str, most: int = 200, **params: Any) -> list[Any]:
        """Fetch all pages of a list, up to `most` entries.

        Only the query string of the next page's URL is used. The URL may contain a different host name, and the token
        must not be sent to another host.
        """
        page = self.get(path, **params)
        found = list(page["results"])
        while page["next"] and page["results"] and len(found) < most:
            page = self.get(f"{path}?{page['next'].partition('?')[2]}")
            found += page["results"]
        return found[:most]

    def get_changed(self, path: str, etag: str) -> tuple[Any, str] | None:
        """Return the document and its ETag, or None if the ETag has not changed."""
        response = self.request("GET", path, headers={"If-None-Match": etag} if etag else {})
        if etag and response.status == 304:
            return None
        return self.document(response), response.headers.get("ETag", "")

    def get_bytes(self, path: str) -> bytes:
        """Return the document exactly as the server sent it."""
        return self.request("GET", path).content

    def post(self, path: str, body: Body | None = None, key: str | None = None, **params: Any) -> Any:
        """Send a request.

        With an idempotency key it may be repeated, because the server then sends its first response again.
        """
        headers = {"Idempotency-Key": key} if key else {}
        return self.document(
            self.request("POST", path, repeat=bool(key), body=body or {}, headers=headers, params=params)
        )

    def put(self, path: str, body: Body) -> Any:
        return self.document(self.request("PUT", path, body=body))

    def patch(self, path: str, body: Body) -> Any:
        return self.document(self.request("PATCH", path, body=body))

    def delete(self, path: str) -> Any:
        return self.document(self.request("DELETE", path))

    def document(self, response: "Response") -> Any:
        """Return the JSON of a response, or None if it has no content. Raise Unreachable if it is malformed."""
        from turnpost.answers import check_answer

        try:
            document = json_in(response)
            check_answer(response.method, response.url.partition(API)[2], document)
        except Problem as problem:
            problem.hint = self.hint_for(problem.code, response.url) or problem.hint
            raise
        return document

    def request(self, method: str, path: str, *, repeat: bool = True, **options: Any) -> "Response":
        """Send a request and return a successful response. A failed request is retried if it is safe to do so."""
        address = urljoin(self.url.rstrip("/") + API, path)
        try:
            return self.try_often(method, address, repeat=repeat, **options)
        except Problem as problem:
            problem.hint = self.hint_for(problem.code, address) or problem.hint
            raise

    def hint_for(self, code: str, url: str) -> str:
        """Return a better hint for this error than the server's, or an empty string."""
        return ""

    def try_often(self, method: str, address: str, *, repeat: bool, **options: Any) -> "Response":
        for pause in (*RETRY_PAUSES, None):
            outcome = self.try_once(method, address, repeat=repeat, **options)
            if not isinstance(outcome, Retry):
                return outcome
            if pause is None or outcome.after > MAX_RETRY_AFTER:
                raise outcome.problem
            self.pause(max(pause, outcome.after))
        raise AssertionError("the last attempt returns or raises")

    def try_once(
        self, method: str, address: str, *, repeat: bool, stream: bool = False, **options: Any
    ) -> "Response | Retry":
        from turnpost import transport

        options = {"timeout": self.timeout, **options, "headers": {**self.authorization, **options.get("headers", {})}}
        try:
            response = self.connections.send(method, address, **options)
            refuse_redirect(response)
            if not (stream and response.status == OK):
                read_content(response)
        except transport.FAILURES as error:
            message = "didn't respond in time" if transport.timed_out(error) else "can't be reached"
            problem = unreachable(self.url, message)
            is_safe = transport.never_connected(error) or (repeat and transport.is_worth_repeating(error))
            return self.retry(problem, or_raise=not is_safe)
        if response.status == 429:
            return self.retry(problem_from(response), after=retry_after(response))
        if response.status in TRANSIENT:
            return self.retry(problem_from(response), after=retry_after(response), or_raise=not repeat)
        if response.status >= FIRST_ERROR:
            raise problem_from(response)
        return response

    @property
    def authorization(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}

    @staticmethod
    def retry(problem: Problem, *, after: float = 0, or_raise: bool = False) -> "Retry":
        if or_raise:
            raise problem
        return Retry(problem, after)


@dataclass(frozen=True)
class Retry:
    """A failed attempt that may be repeated. If the last attempt fails, its problem is raised."""

    problem: Problem
    after: float


def full_url(address: str) -> str:
    """Complete an address like localhost:8101. Only this machine is contacted without encryption."""
    address = address.strip()
    if not address or "://" in address:
        return address.rstrip("/")
    try:
        host = urlsplit(f"//{address}").hostname
    except ValueError:
        host = None
    return f"{'http' if host in THIS_MACHINE else 'https'}://{address.rstrip('/')}"


def not_turnpost(response: "Response") -> Problem:
    url, _, _ = response.url.partition(API)
    return Unreachable("no_turnpost", f"{url} isn't a Turnpost server.", "Check the address.")


def read_content(response: "Response") -> None:
    """Read the whole response, unless it is absurdly large."""
    if not response.read(MOST_BYTES):
        message = "The server returned an unexpected response: it's too large."
        raise Unreachable("server_trouble", message, "Try again in a minute.")


def json_in(response: "Response") -> Any:
    if not response.content:
        return None
    try:
        return sanitized(response.json())
    except (ValueError, RecursionError):
        raise not_turnpost(response) from None


def problem_from(response: "Response") -> Problem:
    try:
        body = sanitized(response.json())
        code, message, hint, data = body["code"], body["message"], body["hint"], dict(body["data"])
    except (ValueError, LookupError, TypeError, RecursionError):
        return unexplained(response)
    if not all(isinstance(text, str) for text in (code, message, hint, *data)):
        return unexplained(response)
    if response.status == 401:
        return NeedsLogin(code, message, hint)
    if code == "invalid":
        return Refused(code, field_errors(data) or message, "Correct it and try again.", **data)
    if code == "stale":
        return Stale(code, message, hint, **data)
    kind = Unreachable if response.status == 429 or response.status >= 500 else Refused
    return kind(code, message, hint, **data)


def refuse_redirect(response: "Response") -> None:
    """Never send a token or a move to an address that the player didn't choose."""
    if response.is_redirect:
        response.close()
        elsewhere = printable(response.headers["Location"])
        raise Unreachable("moved", f"The server is now at {elsewhere}.", "Use that address.")


def field_errors(data: Mapping[str, Any]) -> str:
    """List the invalid fields, one per line."""
    fields = data.get("fields")
    if not isinstance(fields, dict) or not all(isinstance(errors, list) for errors in fields.values()):
        return ""
    labels = {name: f"{name.replace('_', ' ')}: " if name else "" for name in fields}
    return "\n".join(f"{labels[name]}{error}" for name, errors in fields.items() for error in errors)


def unexplained(response: "Response") -> Problem:
    """Report an error response without an explanation. A 404 or 405 like that can't come from a Turnpost server, which
    would explain it."""
    if response.status in (404, 405):
        return not_turnpost(response)
    return Unreachable(
        "server_trouble",
        f"The server returned an unexpected response ({response.status}).",
        "Try again in a minute.",
        status=response.status,
    )


def retry_after(response: "Response") -> float:
    seconds = response.headers.get("Retry-After", "")
    return float(seconds) if seconds.isascii() and seconds.isdigit() else 0.0


def unreachable(url: str, why: str) -> Unreachable:
    return Unreachable("unreachable", f"The server at {url} {why}.", "Check the address and your connection.")
