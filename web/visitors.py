"""Find out who is looking at a page: the user of a browser session, or nobody.

A browser can have two kinds of sessions. One is for the whole account. The other one is for a single match, and starts
with the link in an email. Its cookie is sent only to the pages of that match.
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
from django.views.decorators.http import require_http_methods
from django_htmx.http import HttpResponseClientRedirect

from accounts import browser_sessions
from accounts.browser_sessions import ONE_MATCH, WHOLE_ACCOUNT
from accounts.models import BrowserSession, User
from web.devices import device_of

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
    """Return the user who is logged in, or None."""
    found = session(request)
    return found.user if found else None


def match_session(request: HttpRequest, match_id: str) -> BrowserSession | None:
    """Return the session for this match only."""
    return _session(request, ONE_MATCH, match_id)


def player_session(request: HttpRequest, match_id: str) -> BrowserSession | None:
    """Return the newest session that is valid for this match, so that two people can share a browser."""
    sessions = [found for found in (session(request), match_session(request, match_id)) if found]
    return max(sessions, key=lambda found: found.created_at) if sessions else None


def player(request: HttpRequest, match_id: str) -> User | None:
    """Return the user of the newest session that is valid for this match."""
    found = player_session(request, match_id)
    return found.user if found else None


def _session(request: HttpRequest, cookie: str, match_id: str = "") -> BrowserSession | None:
    """Look up a session only once per request."""
    found: dict[str, BrowserSession | None] = request.META.setdefault(FOUND, {})
    if cookie not in found:
        found[cookie] = browser_sessions.find(request.COOKIES.get(cookie, ""), match_id)
    return found[cookie]


def needs_login(view: View) -> View:
    """Wrap a view that needs a login, and pass it the user as `user`.

    Visitors who aren't logged in are sent to the login page and then back.
    """

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        user = visitor(request)
        return view(request, *args, user=user, **kwargs) if user else to_login(request)

    return guarded


def needs_player(view: View) -> View:
    """Wrap a match page, for which a session limited to that match is enough."""

    @wraps(view)
    def guarded(request: HttpRequest, match_id: str, *args: Any, **kwargs: Any) -> HttpResponse:
        user = player(request, match_id)
        return view(request, match_id, *args, user=user, **kwargs) if user else to_login(request)

    return guarded


def is_logged_in(request: HttpRequest, user: User | None) -> bool:
    """Return whether this user's session is for more than one match. A guest has no other session."""
    return user is not None and (user.is_guest or visitor(request) == user)


def needs_own_login(view: View) -> View:
    """Wrap a match page for which a session limited to that match is not enough."""

    @wraps(view)
    def guarded(request: HttpRequest, match_id: str, *args: Any, **kwargs: Any) -> HttpResponse:
        user = player(request, match_id)
        return view(request, match_id, *args, user=user, **kwargs) if is_logged_in(request, user) else to_login(request)

    return guarded


def target_of_forms(view: View) -> View:
    """Wrap the target of a form on the match page. If the form is refused, the response has the same address as this
    target, so opening that address redirects to the match."""

    @wraps(view)
    def guarded(request: HttpRequest, match_id: str, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.method in ("GET", "HEAD"):
            return HttpResponseRedirect(f"/matches/{match_id}")
        return view(request, match_id, *args, **kwargs)

    return require_http_methods(["GET", "HEAD", "POST"])(guarded)


def to_login(request: HttpRequest) -> HttpResponse:
    if request.headers.get("HX-Request"):
        current = urlsplit(request.headers.get("HX-Current-URL", ""))
        return HttpResponseClientRedirect(f"{LOG_IN}?{urlencode({'next': safe_path(current.path)})}")
    asked = request.get_full_path()
    if request.method == "POST":  # return to the page with the form
        asked = safe_path(urlsplit(request.headers.get("Referer", "")).path)
    return HttpResponseRedirect(f"{LOG_IN}?{urlencode({'next': asked})}")


def safe_path(path: str) -> str:
    """Return a path on this site. Any other URL is replaced with the home page."""
    is_safe = path.startswith("/") and url_has_allowed_host_and_scheme(path, allowed_hosts=None)
    return path if is_safe else "/"


def log_in(response: HttpResponse, key: str) -> None:
    _set(response, WHOLE_ACCOUNT, key, "/", browser_sessions.LASTS.total_seconds())


def enter(request: HttpRequest, response: HttpResponse, user: User, match_id: str) -> None:
    _, key = browser_sessions.start(user, device_of(request), match_id)
    _set(response, ONE_MATCH, key, f"/matches/{match_id}", browser_sessions.LASTS_FOR_ONE_MATCH.total_seconds())


def log_out(request: HttpRequest, response: HttpResponse) -> None:
    browser_sessions.end(request.COOKIES.get(WHOLE_ACCOUNT, ""))
    response.delete_cookie(WHOLE_ACCOUNT, samesite="Lax")


def leave(request: HttpRequest, response: HttpResponse, match_id: str) -> None:
    browser_sessions.end(request.COOKIES.get(ONE_MATCH, ""))
    response.delete_cookie(ONE_MATCH, path=f"/matches/{match_id}", samesite="Lax")


def _set(response: HttpResponse, cookie: str, key: str, path: str, seconds: float) -> None:
    is_secure = settings.PUBLIC_URL.startswith("https://")
    response.set_cookie(cookie, key, max_age=int(seconds), path=path, secure=is_secure, httponly=True, samesite="Lax")


def in_templates(request: HttpRequest) -> dict[str, Any]:
    """Make the logged-in user available to the navigation, as a context processor."""
    return {"visitor": SimpleLazyObject(lambda: visitor(request))}
