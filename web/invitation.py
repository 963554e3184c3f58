"""The page behind an invitation link: register, or log in, to take the seat. The API's rules and limits apply."""

from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods
from rest_framework.exceptions import ValidationError as Unfit
from rest_framework.serializers import Serializer

from accounts import registration, tokens
from accounts.api.registrations import RegisterSerializer
from accounts.api.tokens import LogInSerializer
from accounts.registration import Applicant
from accounts.validators import usual_time_zones
from core.problems import Problem, problem_of, status_of
from core.rate_limits import address_of
from core.refusals import Refused
from games.models import Invitation
from games.selectors import presenters
from games.selectors.loading import load_match
from games.services import invitations
from web.accounts import seat_sentence

LABELS = {
    "username": "Username",
    "email": "Email address",
    "login": "Username or email address",
    "password": "Password",
    "time_zone": "Time zone",
}


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    try:
        invited = invitations.offered(invitations.invitation_of(token))
    except Refused as refused:
        return render(request, "web/invitation.html", {"refused": refused}, status=status_of(refused))
    shown = facts_of(invited) | {"link": f"{settings.PUBLIC_URL}{request.path}"}
    if request.method != "POST":
        return render(request, "web/invitation.html", shown)
    try:
        done = (sit_down if "login" in request.POST else apply)(request, invited)
    except (Refused, Unfit, ValidationError) as error:
        if problem := problem_of(error):
            return refuse(request, shown, problem)
        raise
    return render(request, "web/invitation.html", shown | {"done": done})


def facts_of(invited: Invitation) -> dict[str, Any]:
    """Without the invited address and the host's details, because people forward links."""
    return {
        "offer": presenters.offer(invited, load_match(invited.match_id).seats),
        "is_for_a_player": invited.user is not None,
        "plays_by_mail": bool(settings.REPLY_DOMAIN),
        "server": settings.PUBLIC_URL,
        "time_zones": usual_time_zones(),
    }


def apply(request: HttpRequest, invited: Invitation) -> str:
    filled_in = {name: request.POST.get(name, "") for name in ("username", "email", "password")}
    filled_in["time_zone"] = request.POST.get("time_zone") or Applicant.time_zone
    asked = read(RegisterSerializer, filled_in | {"invitation": invitations.acceptance_token(invited.pk)})
    registration.register(Applicant(**asked), address_of(request))
    mailed = f"We sent an email to {asked['email']}."
    return f"{mailed} To take your seat, open the link in it within two days and confirm your address."


def sit_down(request: HttpRequest, invited: Invitation) -> str:
    shown = read(LogInSerializer, {name: request.POST.get(name, "") for name in ("login", "password")})
    user = tokens.owner_of(shown["login"], shown["password"], address_of(request))
    return f"Welcome, {user.name}. {seat_sentence(user, invitations.accept(invited.pk, user))}"


def read(serializer: type[Serializer[Any]], filled_in: dict[str, str]) -> dict[str, Any]:
    parsed = serializer(data=filled_in)
    parsed.is_valid(raise_exception=True)
    return dict(parsed.validated_data)


def refuse(request: HttpRequest, shown: dict[str, Any], problem: Problem) -> HttpResponse:
    """The forms again, filled in except for the password."""
    typed = {name: request.POST.get(name, "") for name in LABELS if name != "password"}
    facts = shown | {"complaints": complaints_of(problem), "typed": typed}
    page = render(request, "web/invitation.html", facts, status=problem.status)
    for name, value in problem.headers.items():
        page.headers[name] = value
    return page


def complaints_of(problem: Problem) -> list[str]:
    if fields := problem.data.get("fields"):
        return [f"{LABELS[name]}: {said}" for name, sentences in fields.items() for said in sentences]
    return [f"{problem.message} {problem.hint}"]
