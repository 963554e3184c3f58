"""The home page, and the page for trying a match without an account."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.validators import usual_time_zones
from core.problems import Problem
from core.rate_limits import address_of
from games.engine.registry import engines
from games.services import trials
from web import visitors
from web.forms import attempt, show_again


@never_cache
@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Show the home page. Users who are logged in see their matches instead."""
    if visitors.visitor(request):
        return HttpResponseRedirect("/matches/")
    return render(request, "web/home.html", {"games": engines(), "server": settings.PUBLIC_URL})


def zone_in(request: HttpRequest) -> str:
    """Return the time zone that the browser has filled in."""
    zone = request.POST.get("time_zone", "")
    return zone if zone in usual_time_zones() else "UTC"


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def try_it(request: HttpRequest) -> HttpResponse:
    facts = {"games": engines()}
    if request.method != "POST":
        return render(request, "web/try.html", facts)

    def act() -> HttpResponse:
        guest, loaded = trials.start(request.POST.get("game", ""), address_of(request), zone_in(request))
        response = HttpResponseRedirect(f"/matches/{loaded.match.id}")
        visitors.enter(request, response, guest, loaded.match.id)
        return response

    def refused(problem: Problem) -> HttpResponse:
        return show_again(request, "web/try.html", facts, problem)

    return attempt(act, refused)
