"""Django's own error responses: JSON below /api/, plain pages elsewhere."""

import sys

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.views import defaults

from core import logs
from core.problems import Problem, problem_of


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    if not is_api(request):
        return defaults.bad_request(request, exception)
    problem = problem_of(exception) or Problem(
        400, "bad_request", "The request is invalid.", "Check the URL and the host name."
    )
    return problem.as_json()


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    if not is_api(request):
        return defaults.permission_denied(request, exception)
    return problem_of(PermissionDenied()).as_json()  # type: ignore[union-attr]


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    if not is_api(request):
        return defaults.page_not_found(request, exception)
    return Problem(404, "not_found", "There is nothing at this URL.", "See the API docs at /api/v1/docs.").as_json()


def server_error(request: HttpRequest) -> HttpResponse:
    """Respond to an unexpected exception while it is being handled. Temporary failures get their own response."""
    error = sys.exception()
    problem = problem_of(error) if isinstance(error, Exception) else None
    if problem is None or problem.status != 503:
        problem = unexpected()
    return problem.as_json() if is_api(request) else as_page(problem)


def unexpected() -> Problem:
    request_id = logs.request_id.get()
    return Problem(
        500,
        "server_error",
        "Something went wrong on our side.",
        f"Try again. If it keeps happening, tell the operator this request id: {request_id}",
        {"request_id": request_id},
    )


def as_page(problem: Problem) -> HttpResponse:
    """Build the page without a template, because rendering one may need the part that has just failed."""
    page = f"<!doctype html><title>Turnpost</title><p>{problem.message}<p>{problem.hint}"
    return HttpResponse(page, status=problem.status, headers=dict(problem.headers))


def is_api(request: HttpRequest) -> bool:
    return request.path_info.startswith("/api/")
