"""Talk to the server over HTTP: every request returns a JSON document or raises a Problem. Only requests that are
safe to repeat are retried."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin, urlsplit

from cli.problems import NeedsLogin, Problem, Refused, Stale, Unreachable, hint_for
from cli.sanitize import printable, sanitized

if TYPE_CHECKING:
    import requests

API = "/api/v1/"
CONNECT_SECONDS = 5.0
READ_SECONDS = 30.0
RETRY_PAUSES = (0.3, 1.0)
"""Seconds to wait between attempts. There is one more attempt than there are pauses."""
MAX_RETRY_AFTER = 20
"""If Retry-After asks for more seconds than this, the command fails with the server's message."""
MAX_ENTRIES = 5000
"""The maximum length of lists that are fetched in full."""
MAX_PAGE_SIZE = 200
"""The largest page the server allows."""
TRANSIENT = {500, 502, 503, 504}
Body = Mapping[str, Any]


@dataclass
class Server:
    url: str
    token: str = ""
    pause: Callable[[float], object] = time.sleep
    timeout: tuple[float, float] = field(default_factory=lambda: (CONNECT_SECONDS, READ_SECONDS))

    @cached_property
    def http(self) -> "requests.Session":
        import requests

        session = requests.Session()
        session.headers["Accept"] = "application/json"
        session.hooks["response"] = refuse_redirect
        session.auth = self.authenticate
        return session

    def authenticate(self, request: "requests.PreparedRequest") -> "requests.PreparedRequest":
        """Also used when there is no token: otherwise requests would look for a password in ~/.netrc."""
        if self.token:
            request.headers["Authorization"] = f"Bearer {self.token}"
        return request

    def get(self, path: str, **params: Any) -> Any:
        return decoded(self.request("GET", path, params=params))

    def pages(self, path: str, most: int = 200, **params: Any) -> list[Any]:
        """Fetch all pages of a list, up to `most` entries. Only the query string of a next page's URL is used: the
        token must not go to another host, and the server may know itself by a different name."""
        page = self.get(path, **params)
        found = list(page["results"])
        while page["next"] and len(found) < most:
            page = self.get(f"{path}?{urlsplit(page['next']).query}")
            found += page["results"]
        return found[:most]

    def get_changed(self, path: str, etag: str) -> tuple[Any, str] | None:
        """Return the document and its ETag, or None if the ETag has not changed."""
        response = self.request("GET", path, headers={"If-None-Match": etag} if etag else {})
        return None if response.status_code == 304 else (decoded(response), response.headers.get("ETag", ""))

    def get_bytes(self, path: str) -> bytes:
        """Return the document exactly as the server sent it."""
        return self.request("GET", path).content

    def post(self, path: str, body: Body | None = None, key: str | None = None, **params: Any) -> Any:
        """A request with an idempotency key may be repeated: the server sends its first response again."""
        headers = {"Idempotency-Key": key} if key else {}
        return decoded(self.request("POST", path, repeat=bool(key), json=body or {}, headers=headers, params=params))

    def put(self, path: str, body: Body) -> Any:
        return decoded(self.request("PUT", path, json=body))

    def patch(self, path: str, body: Body) -> Any:
        return decoded(self.request("PATCH", path, json=body))

    def delete(self, path: str) -> Any:
        return decoded(self.request("DELETE", path))

    def request(self, method: str, path: str, *, repeat: bool = True, **options: Any) -> "requests.Response":
        address = urljoin(self.url.rstrip("/") + API, path)
        for pause in (*RETRY_PAUSES, None):
            outcome = self.try_once(method, address, repeat=repeat, **options)
            if not isinstance(outcome, Retry):
                return outcome
            if pause is None or outcome.after > MAX_RETRY_AFTER:
                raise outcome.problem
            self.pause(max(pause, outcome.after))
        raise AssertionError("the last attempt returns or raises")

    def try_once(self, method: str, address: str, *, repeat: bool, **options: Any) -> "requests.Response | Retry":
        import requests

        try:
            response = self.http.request(method, address, timeout=self.timeout, allow_redirects=False, **options)
        except requests.ConnectionError as error:
            return self.retry(unreachable(self.url, error), or_raise=not (repeat or never_connected(error)))
        except requests.Timeout as error:
            return self.retry(unreachable(self.url, error), or_raise=not repeat)
        except requests.RequestException as error:
            raise unreachable(self.url, error) from None
        if response.status_code == 429:
            return self.retry(problem_from(response), after=retry_after(response))
        if response.status_code in TRANSIENT:
            return self.retry(problem_from(response), after=retry_after(response), or_raise=not repeat)
        if not response.ok:
            raise problem_from(response)
        return response

    @staticmethod
    def retry(problem: Problem, *, after: float = 0, or_raise: bool = False) -> "Retry":
        if or_raise:
            raise problem
        return Retry(problem, after)


@dataclass(frozen=True)
class Retry:
    """A failed attempt that may be repeated. After the last attempt, its problem is raised."""

    problem: Problem
    after: float


def decoded(response: "requests.Response") -> Any:
    if not response.content:
        return None
    try:
        return sanitized(response.json())
    except (ValueError, RecursionError):
        raise Unreachable(
            "no_turnpost",
            f"{response.url} isn't a Turnpost server.",
            "Check the address: turnpost doctor",
        ) from None


def problem_from(response: "requests.Response") -> Problem:
    try:
        body = sanitized(response.json())
        code, message, hint, data = body["code"], body["message"], body["hint"], body["data"]
    except (ValueError, LookupError, TypeError, RecursionError):
        return unexplained(response)
    hint = hint_for(code, response.url) or hint
    if response.status_code == 401:
        return NeedsLogin(code, message, hint)
    if code == "invalid":
        return Refused(code, field_errors(data) or message, "Correct it and try again.", **data)
    if code == "stale":
        return Stale(code, message, hint, **data)
    kind = Unreachable if response.status_code == 429 or response.status_code >= 500 else Refused
    return kind(code, message, hint, **data)


def refuse_redirect(response: "requests.Response", **_: Any) -> None:
    """Never send a token or a move to an address the player didn't choose. This is a response hook, so it runs
    before requests parses the Location header, which would raise an error if it isn't a URL."""
    if response.is_redirect:
        response.close()
        elsewhere = printable(response.headers["Location"])
        raise Unreachable(
            "moved", f"The server is now at {elsewhere}.", "Use that address: turnpost login --server ADDRESS"
        )


def field_errors(data: Mapping[str, Any]) -> str:
    """List the invalid fields, one per line."""
    fields = data.get("fields") or {}
    labels = {name: f"{name.replace('_', ' ')}: " if name else "" for name in fields}
    return "\n".join(f"{labels[name]}{error}" for name, errors in fields.items() for error in errors)


def unexplained(response: "requests.Response") -> Problem:
    return Unreachable(
        "server_trouble",
        f"The server returned an unexpected response ({response.status_code}).",
        "Try again in a minute. Check your connection: turnpost doctor",
        status=response.status_code,
    )


def retry_after(response: "requests.Response") -> float:
    seconds = response.headers.get("Retry-After", "")
    return float(seconds) if seconds.isdigit() else 0.0


def never_connected(error: Exception) -> bool:
    """Return whether the connection was never made, which means the server can't have seen the request."""
    import urllib3

    cause = getattr(error.args[0], "reason", None) if error.args else None
    return isinstance(cause, urllib3.exceptions.NewConnectionError | urllib3.exceptions.ConnectTimeoutError)


def unreachable(url: str, error: Exception) -> Unreachable:
    import requests

    timed_out = isinstance(error, requests.Timeout)
    why = "didn't respond in time" if timed_out else "can't be reached"
    return Unreachable("unreachable", f"The server at {url} {why}.", "Find out why: turnpost doctor")
