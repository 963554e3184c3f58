"""The server over HTTP: what it answers, or a Problem. Retries only what is safe to ask again."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin, urlsplit

from cli import hints
from cli.problems import NeedsLogin, Problem, Refused, Stale, Unreachable
from cli.safe import cleaned, printable

if TYPE_CHECKING:
    import requests

API = "/api/v1/"
CONNECT_SECONDS = 5.0
ANSWER_SECONDS = 30.0
PAUSES = (0.3, 1.0)
"""Between the tries; there is one try more than pauses."""
LONGEST_WAIT = 20
"""How many seconds of Retry-After are waited for; a longer wait is told instead."""
MOST_ENTRIES = 5000
"""How many are read of a list that is wanted whole."""
LONGEST_PAGE = 200
"""How many of them the server gives at once, if it is asked to."""
PASSING = {500, 502, 503, 504}
Body = Mapping[str, Any]


@dataclass
class Server:
    url: str
    token: str = ""
    pause: Callable[[float], object] = time.sleep
    timeout: tuple[float, float] = field(default_factory=lambda: (CONNECT_SECONDS, ANSWER_SECONDS))

    @cached_property
    def http(self) -> "requests.Session":
        import requests

        session = requests.Session()
        session.headers["Accept"] = "application/json"
        session.hooks["response"] = stay_here
        session.auth = self.signed
        return session

    def signed(self, request: "requests.PreparedRequest") -> "requests.PreparedRequest":
        """Also without a token: where nobody says who asks, requests looks for a password in ~/.netrc."""
        if self.token:
            request.headers["Authorization"] = f"Bearer {self.token}"
        return request

    def get(self, path: str, **params: Any) -> Any:
        return read(self.ask("GET", path, params=params))

    def pages(self, path: str, most: int = 200, **params: Any) -> list[Any]:
        """The entries of a list, page after page, up to `most`. Of a next page's address only the query counts: the
        token goes to no other machine, and the server may know itself by another name."""
        page = self.get(path, **params)
        found = list(page["results"])
        while page["next"] and len(found) < most:
            page = self.get(f"{path}?{urlsplit(page['next']).query}")
            found += page["results"]
        return found[:most]

    def get_changed(self, path: str, etag: str) -> tuple[Any, str] | None:
        """The document and its ETag, or None if it still is the one with this ETag."""
        answer = self.ask("GET", path, headers={"If-None-Match": etag} if etag else {})
        return None if answer.status_code == 304 else (read(answer), answer.headers.get("ETag", ""))

    def get_bytes(self, path: str) -> bytes:
        """A document as it is, byte for byte."""
        return self.ask("GET", path).content

    def post(self, path: str, body: Body | None = None, key: str | None = None, **params: Any) -> Any:
        """With a key the server answers a repeated request as it did the first, so it may be repeated."""
        headers = {"Idempotency-Key": key} if key else {}
        return read(self.ask("POST", path, repeat=bool(key), json=body or {}, headers=headers, params=params))

    def put(self, path: str, body: Body) -> Any:
        return read(self.ask("PUT", path, json=body))

    def patch(self, path: str, body: Body) -> Any:
        return read(self.ask("PATCH", path, json=body))

    def delete(self, path: str) -> Any:
        return read(self.ask("DELETE", path))

    def ask(self, method: str, path: str, *, repeat: bool = True, **request: Any) -> "requests.Response":
        address = urljoin(self.url.rstrip("/") + API, path)
        for wait in (*PAUSES, None):
            outcome = self.try_once(method, address, repeat=repeat, **request)
            if not isinstance(outcome, Again):
                return outcome
            if wait is None or outcome.after > LONGEST_WAIT:
                raise outcome.problem
            self.pause(max(wait, outcome.after))
        raise AssertionError("the last try returns or raises")

    def try_once(self, method: str, address: str, *, repeat: bool, **request: Any) -> "requests.Response | Again":
        import requests

        try:
            answer = self.http.request(method, address, timeout=self.timeout, allow_redirects=False, **request)
        except requests.ConnectionError as error:
            return self.again(unreachable(self.url, error), or_raise=not (repeat or never_left(error)))
        except requests.Timeout as error:
            return self.again(unreachable(self.url, error), or_raise=not repeat)
        except requests.RequestException as error:
            raise unreachable(self.url, error) from None
        if answer.status_code == 429:
            return self.again(problem_of(answer), after=retry_after(answer))
        if answer.status_code in PASSING:
            return self.again(problem_of(answer), after=retry_after(answer), or_raise=not repeat)
        if not answer.ok:
            raise problem_of(answer)
        return answer

    @staticmethod
    def again(problem: Problem, *, after: float = 0, or_raise: bool = False) -> "Again":
        if or_raise:
            raise problem
        return Again(problem, after)


@dataclass(frozen=True)
class Again:
    """A try that may be repeated, and what to say if there is none left."""

    problem: Problem
    after: float


def read(answer: "requests.Response") -> Any:
    if not answer.content:
        return None
    try:
        return cleaned(answer.json())
    except (ValueError, RecursionError):
        raise Unreachable(
            "no_turnpost",
            f"What answers at {answer.url} is no Turnpost server.",
            "Check the address: turnpost doctor",
        ) from None


def problem_of(answer: "requests.Response") -> Problem:
    try:
        said = cleaned(answer.json())
        code, message, hint, data = said["code"], said["message"], said["hint"], said["data"]
    except (ValueError, LookupError, TypeError, RecursionError):
        return wordless(answer)
    hint = hints.next_command(code, answer.url) or hint
    if answer.status_code == 401:
        return NeedsLogin(code, message, hint)
    if code == "invalid":
        return Refused(code, complaints(data) or message, "Change that, and try again.", **data)
    if code == "stale":
        return Stale(code, message, hint, **data)
    kind = Unreachable if answer.status_code == 429 or answer.status_code >= 500 else Refused
    return kind(code, message, hint, **data)


def stay_here(answer: "requests.Response", **_: Any) -> None:
    """A redirect is not followed: a token and a move are for the address that the player chose. Nor is it left to
    requests, which would work out where it leads, and stumble where that is no address."""
    if answer.is_redirect:
        answer.close()
        elsewhere = printable(answer.headers["Location"])
        raise Unreachable(
            "moved", f"The server is now at {elsewhere}.", "Use that address: turnpost login --server ADDRESS"
        )


def complaints(data: Mapping[str, Any]) -> str:
    """What is wrong with which field, a line for each."""
    fields = data.get("fields") or {}
    return "\n".join(f"{name}: {said}" if name else said for name, told in fields.items() for said in told)


def wordless(answer: "requests.Response") -> Problem:
    return Unreachable(
        "server_trouble",
        f"The server answered {answer.status_code} without saying why.",
        "Try again in a minute; see what works: turnpost doctor",
        status=answer.status_code,
    )


def retry_after(answer: "requests.Response") -> float:
    written = answer.headers.get("Retry-After", "")
    return float(written) if written.isdigit() else 0.0


def never_left(error: Exception) -> bool:
    """Whether the connection was not even made, so that the server cannot have seen the request."""
    import urllib3

    cause = getattr(error.args[0], "reason", None) if error.args else None
    return isinstance(cause, urllib3.exceptions.NewConnectionError | urllib3.exceptions.ConnectTimeoutError)


def unreachable(url: str, error: Exception) -> Unreachable:
    import requests

    timed_out = isinstance(error, requests.Timeout)
    why = "did not answer in time" if timed_out else "cannot be reached"
    return Unreachable("unreachable", f"The server at {url} {why}.", "See what is wrong: turnpost doctor")
