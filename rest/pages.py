"""What Django itself answers when no view does: JSON below /api/, its plain pages elsewhere."""

from django.http import HttpRequest, HttpResponse
from django.views import defaults

from rest.errors import Problem, problem_of
from rest.request_id import current_request_id


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    if not is_api(request):
        return defaults.bad_request(request, exception)
    problem = problem_of(exception) or Problem(400, "bad_request", "This request cannot be understood.")
    return problem.as_json()


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    if not is_api(request):
        return defaults.permission_denied(request, exception)
    return Problem(403, "permission_denied", "You may not do that.").as_json()


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    if not is_api(request):
        return defaults.page_not_found(request, exception)
    return Problem(404, "not_found", "There is no such address.", "GET /api/v1/openapi.json lists them all.").as_json()


def server_error(request: HttpRequest) -> HttpResponse:
    if not is_api(request):
        return defaults.server_error(request)
    return Problem(
        500,
        "server_error",
        "Something went wrong here, not with your request.",
        "Try again. If it stays, tell the operator the request id.",
        {"request_id": current_request_id()},
    ).as_json()


def is_api(request: HttpRequest) -> bool:
    return request.path_info.startswith("/api/")
