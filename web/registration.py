"""Register, and confirm the address with the code or the link in the email."""

from uuid import UUID

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from accounts import browser_sessions, registration
from accounts.api.registrations import ConfirmSerializer, RegisterSerializer
from accounts.models import Registration, User
from accounts.registration import Applicant
from accounts.validators import usual_time_zones
from core.problems import Problem
from core.rate_limits import address_of
from games.models import Phase, Seat
from games.selectors.loading import LoadedMatch, load_matches, match_name
from web.devices import device_of
from web.forms import attempt, read, show_again
from web.login import logged_in
from web.visitors import log_in

FIELDS = ("username", "email", "password", "time_zone")


@sensitive_post_parameters("password")
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def register(request: HttpRequest) -> HttpResponse:
    facts = {"time_zones": usual_time_zones()}
    if request.method != "POST":
        return render(request, "web/register.html", facts)

    def act() -> HttpResponse:
        return apply(request)

    def refused(problem: Problem) -> HttpResponse:
        return show_again(request, "web/register.html", facts, problem)

    return attempt(act, refused)


def apply(request: HttpRequest, invitation: str = "") -> HttpResponse:
    """Register the person who filled in the form, and ask for the code."""
    applicant = Applicant(**read(RegisterSerializer, request, *FIELDS, invitation=invitation))
    made = registration.register(applicant, address_of(request))
    return HttpResponseRedirect(f"/register/{made.pk}")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def enter_code(request: HttpRequest, registration_id: UUID) -> HttpResponse:
    """Ask for the code. The address isn't shown, because someone else may open this page from the browser's history."""
    facts = {"mail_page": settings.MAIL_PAGE}
    if request.method != "POST":
        return render(request, "web/enter_code.html", facts)

    def act() -> HttpResponse:
        if "again" in request.POST:
            registration.send_again(registration_id)
            return render(request, "web/enter_code.html", facts | {"done": "We sent the email again."})
        typed = read(ConfirmSerializer, request, "code", "username", registration=str(registration_id))
        is_open = Registration.objects.filter(pk=registration_id, user=None).exists()
        code, username = typed["code"], typed.get("username", "")
        user = registration.confirm_by_code(registration_id, code, address_of(request), username)
        if not is_open:  # the code has done its job: from now on, the account needs a login
            return HttpResponseRedirect("/log-in")
        return logged_in(browser_sessions.start(user, device_of(request))[1], next_page(user))

    def refused(problem: Problem) -> HttpResponse:
        is_taken = problem.code == "username_taken" or "username" in request.POST
        return show_again(request, "web/enter_code.html", facts | {"asks_for_name": is_taken}, problem)

    return attempt(act, refused)


def next_page(user: User) -> str:
    """Return the match that the new user has joined through an invitation, or the list of matches."""
    joined = list(Seat.objects.filter(user=user).values_list("match", flat=True)[:2])
    return f"/matches/{joined[0]}" if len(joined) == 1 else "/matches/"


@sensitive_post_parameters("password")
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def confirm(request: HttpRequest, token: str) -> HttpResponse:
    """Handle the link in the email. It asks for the password that the account was registered with."""
    if request.method != "POST":
        return render(request, "web/confirm.html")

    def act() -> HttpResponse:
        typed = read(ConfirmSerializer, request, "password", "username", token=token)
        user = registration.confirm_by_link(token, typed["password"], address_of(request), typed.get("username", ""))
        waiting = " ".join(seat_sentence(user, loaded) for loaded in load_matches(matches_of(user)))
        done = f"Welcome, {user.name}. Your account {user.username} is ready. {waiting}"
        response = render(request, "web/confirm.html", {"done": done, "next": next_page(user)})
        if user.check_password(typed["password"]):
            log_in(response, browser_sessions.start(user, device_of(request))[1])
        return response

    def refused(problem: Problem) -> HttpResponse:
        is_over = problem.status == 404
        is_taken = problem.code == "username_taken" or bool(request.POST.get("username"))
        facts = {"is_over": is_over, "asks_for_name": is_taken}
        return show_again(request, "web/confirm.html", facts, problem)

    return attempt(act, refused)


def matches_of(user: User) -> set[str]:
    return set(Seat.objects.filter(user=user).values_list("match", flat=True))


def seat_sentence(user: User, loaded: LoadedMatch) -> str:
    has_begun = loaded.match.phase == Phase.RUNNING
    then = "It has started." if has_begun else "You'll get an email when it starts."
    return f"You have a seat in {match_name(loaded, loaded.seat_of(user.pk))}. {then}"
