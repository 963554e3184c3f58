"""List where the user is logged in: browsers with their sessions, and programs with their tokens."""

from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.translation import gettext

from accounts import browser_sessions, tokens
from accounts.api.tokens import LogInSerializer
from accounts.models import Token, User
from accounts.tokens import LogIn
from core.rate_limits import address_of
from games.selectors.loading import load_matches, match_name
from web import visitors
from web.forms import read
from web.settings.pages import settings_page

TEMPLATE = "web/settings/devices.html"


def facts(request: HttpRequest, user: User) -> dict[str, Any]:
    sessions = browser_sessions.of_user(user)
    matches = load_matches({one.match for one in sessions if one.match})
    names = {loaded.match.id: match_name(loaded, loaded.seat_of(user.pk)) for loaded in matches}
    return {
        "sessions": [(one, names.get(one.match, "")) for one in sessions],
        "current": visitors.session(request),
        "tokens": Token.objects.filter(user=user).order_by("-created", "reference"),
    }


def end_session(request: HttpRequest, user: User) -> str:
    browser_sessions.revoke(user, request.POST.get("session", ""))
    return gettext("That browser was logged out.")


def revoke_token(request: HttpRequest, user: User) -> str:
    tokens.revoke(user, request.POST.get("token", ""))
    return gettext("The token was revoked.")


def create_token(request: HttpRequest, user: User) -> HttpResponse:
    """Create a token. This needs the password, because a token outlives the session."""
    asked = read(LogInSerializer, request, "password", "name", login=user.username)
    log_in = LogIn(asked["login"], asked["password"], asked["name"], asked["days"])
    _, secret = tokens.log_in(log_in, address_of(request))
    return render(request, TEMPLATE, facts(request, user) | {"secret": secret})


def log_out_everywhere(request: HttpRequest, user: User) -> HttpResponse:
    tokens.log_out_everywhere(user)
    response = HttpResponseRedirect("/")
    visitors.log_out(request, response)
    return response


view = settings_page(
    TEMPLATE,
    facts,
    end_session=end_session,
    revoke_token=revoke_token,
    create_token=create_token,
    log_out_everywhere=log_out_everywhere,
)
