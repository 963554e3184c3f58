"""Log in with a password, and log out."""

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from accounts import tokens
from accounts.api.tokens import LogInSerializer
from core.problems import Problem
from core.rate_limits import address_of
from web import visitors
from web.devices import device_of
from web.forms import attempt, read, show_again


@sensitive_post_parameters("password")
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def log_in(request: HttpRequest) -> HttpResponse:
    facts = {"next": visitors.safe_path(request.GET.get("next", "/matches/"))}
    if request.method != "POST":
        return render(request, "web/log_in.html", facts)

    def act() -> HttpResponse:
        typed = read(LogInSerializer, request, "login", "password")
        _, key = tokens.log_in_browser(typed["login"], typed["password"], device_of(request), address_of(request))
        response = HttpResponseRedirect(visitors.safe_path(request.POST.get("next", "/matches/")))
        visitors.log_in(response, key)
        return response

    def refused(problem: Problem) -> HttpResponse:
        return show_again(request, "web/log_in.html", facts, problem)

    return attempt(act, refused)


@never_cache
@require_POST
def log_out(request: HttpRequest) -> HttpResponse:
    response = HttpResponseRedirect("/")
    visitors.log_out(request, response)
    return response
