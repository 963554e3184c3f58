"""Replace Django's error responses: JSON for programs, and a page that says what to do for people."""

import sys
from html import escape

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.templatetags.static import static
from django.utils.translation import gettext as _

from core import logs
from core.metrics import REFUSALS
from core.problems import Problem, problem_of

FOR_PROGRAMS = ("/api/", "/.well-known/", settings.PROVIDERS_PATH)
PAGE = """<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="robots" content="noindex">
    <title>{message} · Turnpost</title>
    <link rel="icon" href="{icon}" type="image/svg+xml">
    <link rel="stylesheet" href="{style}">
  </head>
  <body>
    <header class="top"><a class="brand" href="/">Turnpost</a></header>
    <main>
      <h1>{message}</h1>
      <p>{hint}</p>
      <p><a class="button" href="/">{home}</a></p>
    </main>
  </body>
</html>
"""


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    problem = problem_of(exception) or Problem(
        400, "bad_request", _("The request is invalid."), _("Check the URL and the host name.")
    )
    return respond(request, problem)


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    if is_for_programs(request):
        return problem_of(PermissionDenied()).as_json()  # type: ignore[union-attr]
    hint = _("Check that you are logged in as the right user.")
    return as_page(Problem(403, "permission_denied", _("You are not allowed to do this."), hint))


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    hint = _("Go back, reload the page and try again. Your browser has to accept cookies.")
    return respond(request, Problem(403, "form_expired", _("This form has expired."), hint))


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    message = _("There is nothing at this URL.")
    if is_for_programs(request):
        return Problem(404, "not_found", message, "See the API docs at /api/v1/docs.").as_json()
    return as_page(Problem(404, "not_found", message, _("Check the address for mistakes.")))


def method_not_allowed(allowed: str) -> HttpResponse:
    hint = _("Go back to the page you came from, and use its buttons.")
    return as_page(
        Problem(405, "method_not_allowed", _("This page can't be opened directly."), hint, headers={"Allow": allowed})
    )


def server_error(request: HttpRequest) -> HttpResponse:
    """Respond to the exception that is being handled. Temporary failures have a response of their own."""
    error = sys.exception()
    problem = problem_of(error) if isinstance(error, Exception) else None
    if problem is None or problem.status != 503:
        problem = unexpected()
    return respond(request, problem)


def unexpected() -> Problem:
    request_id = logs.request_id.get()
    return Problem(
        500,
        "server_error",
        "Something went wrong on our side.",
        f"Try again. If it keeps happening, tell the operator this request ID: {request_id}",
        {"request_id": request_id},
    )


def respond(request: HttpRequest, problem: Problem) -> HttpResponse:
    return problem.as_json() if is_for_programs(request) else as_page(problem)


def as_page(problem: Problem) -> HttpResponse:
    """Build the page without a template, because rendering one may depend on the component that just failed."""
    REFUSALS.labels(problem.code).inc()
    page = PAGE.format(
        message=escape(problem.message.rstrip(".")),
        hint=escape(problem.hint),
        home=escape(_("Go to the home page")),
        icon=static("web/icon.svg"),
        style=static("web/turnpost.css"),
    )
    return HttpResponse(page, status=problem.status, headers=dict(problem.headers))


def is_for_programs(request: HttpRequest) -> bool:
    return request.path_info.startswith(FOR_PROGRAMS)
