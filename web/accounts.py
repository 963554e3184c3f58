"""Pages for the links in account emails. They act only on POST, because virus scanners open links too."""

from collections.abc import Callable
from typing import Any

from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts import addresses, passwords, registration
from accounts.models import User
from accounts.validators import validate_username
from core.problems import status_of
from core.rate_limits import address_of
from core.refusals import Refused
from games.models import Phase, Seat
from games.selectors.loading import LoadedMatch, load_matches, match_name

Page = Callable[[HttpRequest, str], HttpResponse]


def page(template: str) -> Callable[[Callable[[HttpRequest, str], str | None]], Page]:
    """A page that shows a form, the result of `act`, or what went wrong. `act` returns None to show the form."""

    def wrap(act: Callable[[HttpRequest, str], str | None]) -> Page:
        @never_cache
        @require_http_methods(["GET", "POST"])
        def view(request: HttpRequest, token: str) -> HttpResponse:
            try:
                done = act(request, token)
            except Refused as refused:
                return _show(request, template, status_of(refused), refused=refused)
            except ValidationError as invalid:
                return _show(request, template, 400, complaints=invalid.messages)
            return _show(request, template, 200, done=done)

        return view

    return wrap


@page("web/confirm.html")
def confirm(request: HttpRequest, token: str) -> str | None:
    if request.method == "GET":
        return None
    username = request.POST.get("username", "")
    if username:
        validate_username(username)
    user = registration.confirm_by_link(token, request.POST.get("password", ""), address_of(request), username)
    waiting = " ".join(seat_sentence(user, loaded) for loaded in load_matches(matches_of(user)))
    return f"Welcome, {user.name}. Your account {user.username} is ready. {waiting or 'You can log in now.'}"


@page("web/reset.html")
def reset(request: HttpRequest, token: str) -> str | None:
    user = passwords.owner_of_reset(token)
    if request.method == "GET":
        return None
    passwords.reset(token, request.POST.get("password", ""), address_of(request))
    return f"The password for {user.username} was changed. You can log in now."


@page("web/change_address.html")
def change_address(request: HttpRequest, token: str) -> str | None:
    if request.method == "GET":
        return None
    user = addresses.change(token, request.POST.get("password", ""))
    return f"{user.username}'s address is now {user.email}."


def _show(request: HttpRequest, template: str, status: int, **facts: Any) -> HttpResponse:
    return render(request, template, facts, status=status)


def matches_of(user: User) -> set[str]:
    return set(Seat.objects.filter(user=user).values_list("match", flat=True))


def seat_sentence(user: User, loaded: LoadedMatch) -> str:
    has_begun = loaded.match.phase == Phase.RUNNING
    then = "It has started. Check your email." if has_begun else "You'll get an email when it starts."
    return f"You have a seat in {match_name(loaded, loaded.seat_of(user.pk))}. {then}"
