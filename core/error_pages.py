"""What Django itself answers when no view does: JSON below /api/, plain pages elsewhere."""

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
        400, "bad_request", "This request cannot be understood.", "Are the address and the host spelt right?"
    )
    return problem.as_json()


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    if not is_api(request):
        return defaults.permission_denied(request, exception)
    return problem_of(PermissionDenied()).as_json()  # type: ignore[union-attr]


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    if not is_api(request):
        return defaults.page_not_found(request, exception)
    return Problem(404, "not_found", "There is no such address.", "GET /api/v1/openapi.json lists them all.").as_json()


def server_error(request: HttpRequest) -> HttpResponse:
    """Django calls it while the surprise is being handled. What is so for a while has words of its own."""
    surprise = sys.exception()
    problem = problem_of(surprise) if isinstance(surprise, Exception) else None
    if problem is None or problem.status != 503:
        problem = our_mistake()
    return problem.as_json() if is_api(request) else as_page(problem)


def our_mistake() -> Problem:
    request_id = logs.request_id.get()
    return Problem(
        500,
        "server_error",
        "Something went wrong here, not with your request.",
        f"Try again. If it stays, tell the operator the request id: {request_id}",
        {"request_id": request_id},
    )


def as_page(problem: Problem) -> HttpResponse:
    """Without a template: these may need what has just failed."""
    words = f"<!doctype html><title>Turnpost</title><p>{problem.message}<p>{problem.hint}"
    return HttpResponse(words, status=problem.status, headers=dict(problem.headers))


def is_api(request: HttpRequest) -> bool:
    return request.path_info.startswith("/api/")
