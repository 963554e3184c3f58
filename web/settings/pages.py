"""Settings pages, each with its buttons and their actions."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from accounts.models import User
from core.problems import Problem
from core.refusals import Invalid
from web.forms import attempt, show_again
from web.visitors import View, needs_login

Facts = Callable[[HttpRequest, User], dict[str, Any]]
Action = Callable[[HttpRequest, User], str | HttpResponse]


def settings_page(template: str, facts: Facts, **actions: Action) -> View:
    """Create a settings page. Each button names an action, which returns a message for the page or another response."""

    @sensitive_post_parameters("password", "current")
    @never_cache
    @require_http_methods(["GET", "HEAD", "POST"])
    @needs_login
    def view(request: HttpRequest, user: User) -> HttpResponse:
        if request.method != "POST":
            return render(request, template, facts(request, user))

        def act() -> HttpResponse:
            done = chosen(request, actions)(request, user)
            if isinstance(done, HttpResponse):
                return done
            messages.success(request, done)
            return HttpResponseRedirect(request.path)

        def refused(problem: Problem) -> HttpResponse:
            user.refresh_from_db()
            return show_again(request, template, facts(request, user), problem)

        return attempt(act, refused)

    return view


def chosen(request: HttpRequest, actions: dict[str, Action]) -> Action:
    name = request.POST.get("action", "")
    if name not in actions:
        message, hint = gettext("This page doesn't have that button."), gettext("Reload the page and try again.")
        raise Invalid("unknown_action", message, hint)
    return actions[name]


def number_in(request: HttpRequest, name: str) -> int:
    """Return a number from the form. If it isn't a number, return 0, which no row has."""
    written = request.POST.get(name, "")
    return int(written) if written.isascii() and written.isdigit() and len(written) < 19 else 0
