"""Log in with a password or an emailed link, and log out."""

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from accounts import login_links, tokens
from accounts.api.passwords import AskForResetSerializer
from accounts.api.tokens import LogInSerializer
from core.problems import Problem
from core.rate_limits import address_of
from web import visitors
from web.devices import device_of
from web.forms import attempt, read, show_again

MAILED = gettext_lazy(
    "If there is an account with this address, we've emailed a link. The link works once and expires in 15 minutes."
)
MY_MATCHES = "/matches/"
LONGEST_PATH = 300
"""A longer path is not put into an emailed link."""


@sensitive_post_parameters("password")
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def log_in(request: HttpRequest) -> HttpResponse:
    facts = {"next": next_page(request)}
    if request.method != "POST":
        return render(request, "web/log_in.html", facts)

    def act() -> HttpResponse:
        if "email" in request.POST:
            email = read(AskForResetSerializer, request, "email")["email"]
            login_links.ask(email, address_of(request), in_a_link(next_page(request)))
            return render(request, "web/log_in.html", facts | {"done": MAILED})
        typed = read(LogInSerializer, request, "login", "password")
        _, key = tokens.log_in_browser(typed["login"], typed["password"], device_of(request), address_of(request))
        return logged_in(key, request.POST.get("next", MY_MATCHES))

    def refused(problem: Problem) -> HttpResponse:
        return show_again(request, "web/log_in.html", facts, problem)

    return attempt(act, refused)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def log_in_by_link(request: HttpRequest, token: str) -> HttpResponse:
    def act() -> HttpResponse:
        if request.method != "POST":
            return render(request, "web/log_in_by_link.html", {"user": login_links.owner_of(token)})
        return logged_in(login_links.log_in(token, device_of(request))[1], next_page(request))

    def refused(problem: Problem) -> HttpResponse:
        return show_again(request, "web/log_in_by_link.html", {}, problem)

    return attempt(act, refused)


def next_page(request: HttpRequest) -> str:
    """Return the page to open after logging in, which is given in the URL."""
    return visitors.safe_path(request.GET.get("next", MY_MATCHES))


def in_a_link(path: str) -> str:
    return path if path != MY_MATCHES and len(path) <= LONGEST_PATH else ""


def logged_in(key: str, path: str) -> HttpResponse:
    response = HttpResponseRedirect(visitors.safe_path(path))
    visitors.log_in(response, key)
    return response


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def log_out(request: HttpRequest) -> HttpResponse:
    """Log out. A GET request, for example after the form has expired, only redirects to the home page."""
    if request.method != "POST":
        return HttpResponseRedirect("/")
    response = HttpResponseRedirect("/")
    visitors.log_out(request, response)
    return response
