"""Forms on pages. They are validated by the API's serializers, so that rules and messages are defined only once."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from rest_framework.exceptions import ValidationError as Unfit
from rest_framework.serializers import Serializer

from accounts.models import User
from core.api import validated
from core.metrics import REFUSALS
from core.problems import Problem, problem_of, too_many
from core.rate_limits import seconds_to_wait
from core.refusals import Refused, TooMany
from games.engine.errors import EngineError

REFUSALS_OF_FORMS = (Refused, Unfit, ValidationError, EngineError)


@dataclass(frozen=True)
class Complaint:
    """The problems with a form: a message with a hint, or messages about its fields."""

    message: str
    hint: str = ""
    fields: Mapping[str, list[str]] = field(default_factory=dict)
    """Messages by field name. Messages about the whole form have an empty name."""

    @classmethod
    def about(cls, problem: Problem) -> "Complaint":
        fields = problem.data.get("fields", {})
        return cls("", "", fields) if fields else cls(problem.message, problem.hint)


def read(serializer: type[Serializer[Any]], request: HttpRequest, *names: str, **others: Any) -> dict[str, Any]:
    """Validate the fields with these names. Empty fields are left out if the API doesn't require them."""
    optional = {name for name, one in serializer().fields.items() if not one.required}
    typed = {name: request.POST.get(name, "") for name in names}
    return validated(serializer, {name: text for name, text in typed.items() if text or name not in optional} | others)


def attempt(act: Callable[[], HttpResponse], refused: Callable[[Problem], HttpResponse]) -> HttpResponse:
    """Run the action of a form.

    If the action is refused, `refused` shows the form again, with the same status as in the API.
    """
    try:
        return act()
    except REFUSALS_OF_FORMS as error:
        problem = problem_of(error)
        if problem is None:
            raise
        REFUSALS.labels(problem.code).inc()
        response = refused(problem)
        for name, value in problem.headers.items():
            response.headers[name] = value
        return response


def show_again(request: HttpRequest, template: str, facts: Mapping[str, Any], problem: Problem) -> HttpResponse:
    """Show the page again, with the problem and everything that was typed except passwords."""
    typed = {name: text for name, text in request.POST.items() if "password" not in name and name != "current"}
    shown = {"typed": typed, "complaint": Complaint.about(problem)}
    return render(request, template, {**facts, **shown}, status=problem.status)


def count(scope: str, user: User) -> None:
    """Count an action. The limit is shared with the API. Raise TooMany if it is exceeded."""
    if seconds := seconds_to_wait(scope, str(user.pk)):
        problem = too_many(seconds)
        raise TooMany(problem.code, problem.message, problem.hint, **problem.data)
