"""Find out who is looking at a page: the user of a browser session, or nobody.

A browser can have two kinds of sessions. One is for the whole account. The other is for a single match and comes from
the link in an email; its cookie is sent only to the pages of that match.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any
from urllib.parse import urlencode, urlsplit

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.functional import SimpleLazyObject
from django.utils.http import url_has_allowed_host_and_scheme
from django_htmx.http import HttpResponseClientRedirect

from accounts import browser_sessions
from accounts.models import BrowserSession, User
from web.devices import device_of

WHOLE_ACCOUNT, ONE_MATCH = "session", "seat"
LOG_IN = "/log-in"
FOUND = "turnpost.sessions"
View = Callable[..., HttpResponse]


def session(request: HttpRequest) -> BrowserSession | None:
    """Return the session for the whole account."""
    return _session(request, WHOLE_ACCOUNT)


def current_session(request: HttpRequest) -> BrowserSession:
    """Return the session on a page that needs a login."""
    found = session(request)
    if found is None:
        raise PermissionDenied
    return found


def visitor(request: HttpRequest) -> User | None:
    """Return the user who is logged in."""
    found = session(request)
    return found.user if found else None


def match_session(request: HttpRequest, match_id: str) -> BrowserSession | None:
    """Return the session for this match only."""
    return _session(request, ONE_MATCH, match_id)


def player(request: HttpRequest, match_id: str) -> User | None:
    """Return the user of the newest session for a match page, so that two people can share a browser."""
    sessions = [found for found in (session(request), match_session(request, match_id)) if found]
    return max(sessions, key=lambda found: found.created_at).user if sessions else None


def _session(request: HttpRequest, cookie: str, match_id: str = "") -> BrowserSession | None:
    """Look up a session, only once per request."""
    found: dict[str, BrowserSession | None] = request.META.setdefault(FOUND, {})
    if cookie not in found:
        found[cookie] = browser_sessions.find(request.COOKIES.get(cookie, ""), match_id)
    return found[cookie]


def needs_login(view: View) -> View:
    """Pass the user to the view as `user`. Visitors who aren't logged in do that first and then come back."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        user = visitor(request)
        return view(request, *args, user=user, **kwargs) if user else to_login(request)

    return guarded


def needs_player(view: View) -> View:
    """Like needs_login, but for match pages, where a session for that match is enough."""

    @wraps(view)
    def guarded(request: HttpRequest, match_id: str, *args: Any, **kwargs: Any) -> HttpResponse:
        user = player(request, match_id)
        return view(request, match_id, *args, user=user, **kwargs) if user else to_login(request)

    return guarded


def to_login(request: HttpRequest) -> HttpResponse:
    if request.headers.get("HX-Request"):
        current = urlsplit(request.headers.get("HX-Current-URL", ""))
        return HttpResponseClientRedirect(f"{LOG_IN}?{urlencode({'next': safe_path(current.path)})}")
    asked = request.get_full_path()
    if request.method == "POST":  # return to the page with the form
        asked = safe_path(urlsplit(request.headers.get("Referer", "")).path)
    return HttpResponseRedirect(f"{LOG_IN}?{urlencode({'next': asked})}")


def safe_path(path: str) -> str:
    """Return a path on this site. Anything else becomes the home page."""
    is_safe = path.startswith("/") and url_has_allowed_host_and_scheme(path, allowed_hosts=None)
    return path if is_safe else "/"


def log_in(response: HttpResponse, key: str) -> None:
    _set(response, WHOLE_ACCOUNT, key, "/", browser_sessions.LASTS.total_seconds())


def enter(request: HttpRequest, response: HttpResponse, user: User, match_id: str) -> None:
    """Start a session for one match."""
    _, key = browser_sessions.start(user, device_of(request), match_id)
    _set(response, ONE_MATCH, key, f"/matches/{match_id}", browser_sessions.LASTS_FOR_ONE_MATCH.total_seconds())


def log_out(request: HttpRequest, response: HttpResponse) -> None:
    browser_sessions.end(request.COOKIES.get(WHOLE_ACCOUNT, ""))
    response.delete_cookie(WHOLE_ACCOUNT, samesite="Lax")


def leave(request: HttpRequest, response: HttpResponse, match_id: str) -> None:
    """End the session for one match."""
    browser_sessions.end(request.COOKIES.get(ONE_MATCH, ""))
    response.delete_cookie(ONE_MATCH, path=f"/matches/{match_id}", samesite="Lax")


def _set(response: HttpResponse, cookie: str, key: str, path: str, seconds: float) -> None:
    is_secure = settings.PUBLIC_URL.startswith("https://")
    response.set_cookie(cookie, key, max_age=int(seconds), path=path, secure=is_secure, httponly=True, samesite="Lax")


def in_templates(request: HttpRequest) -> dict[str, Any]:
    """Make the logged-in user available to the navigation. This is a context processor."""
    return {"visitor": SimpleLazyObject(lambda: visitor(request))}
