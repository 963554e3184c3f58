"""Handlers for the forms on the match page."""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.views.decorators.cache import never_cache

from accounts.models import User
from web.forms import attempt
from web.match.moves import to_match
from web.match.page import page
from web.match.reading import View, match_page
from web.visitors import needs_login, needs_own_login, needs_player, target_of_forms

Act = Callable[..., str]
"""Runs an action and returns where to go: a part of the match page, such as "messages", or another path."""


def for_players(act: Act) -> View:
    """Wrap an action for which a session for this match is enough."""
    return action(act, needs_player)


def for_players_logged_in(act: Act) -> View:
    """Wrap an action of a player for which a session for this match is not enough."""
    return action(act, needs_own_login)


def for_users(act: Act) -> View:
    """Wrap an action that needs a login."""
    return action(act, needs_login)


def action(act: Act, guard: Callable[[View], View]) -> View:
    """Wrap the action of a form. If it is refused, the match page shows why."""

    def view(request: HttpRequest, match_id: str, user: User, **of_path: Any) -> HttpResponse:
        def run() -> HttpResponse:
            place = act(request, match_id, user, **of_path)
            return HttpResponseRedirect(place) if place.startswith("/") else to_match(match_id, anchor=place)

        return attempt(run, lambda problem: page(request, match_id, user, problem))

    return never_cache(target_of_forms(guard(match_page(view))))
