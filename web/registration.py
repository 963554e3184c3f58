"""Pages for registering and for confirming the address, with the code or the link in the email."""

from contextlib import suppress
from uuid import UUID

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from accounts import browser_sessions, registration, tokens
from accounts.api.registrations import ConfirmSerializer, RegisterSerializer
from accounts.models import Registration, User
from accounts.registration import Applicant
from accounts.validators import usual_time_zones
from core.problems import Problem
from core.rate_limits import address_of
from core.refusals import Refused
from games.models import Phase, Seat
from games.selectors.loading import LoadedMatch, load_matches, match_name
from web.devices import device_of
from web.forms import attempt, read, show_again
from web.login import logged_in
from web.visitors import log_in, safe_path

FIELDS = ("username", "email", "password", "time_zone")
LONGEST_PATH = 200


@sensitive_post_parameters("password")
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def register(request: HttpRequest) -> HttpResponse:
    facts = {"time_zones": usual_time_zones(), "next": request.GET.get("next", "")}
    if request.method != "POST":
        return render(request, "web/register.html", facts)

    def act() -> HttpResponse:
        return apply(request)

    def refused(problem: Problem) -> HttpResponse:
        return show_again(request, "web/register.html", facts, problem)

    return attempt(act, refused)


def apply(request: HttpRequest, invitation: str = "") -> HttpResponse:
    """Register the person who filled in the form, and ask for the code."""
    typed = read(RegisterSerializer, request, *FIELDS, invitation=invitation)
    wanted = safe_path(request.POST.get("next", ""))[:LONGEST_PATH]
    applicant = Applicant(**typed, next_page=wanted if wanted != "/" else "")
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
            return render(request, "web/enter_code.html", facts | {"done": _("We sent the email again.")})
        typed = read(ConfirmSerializer, request, "code", "username", registration=str(registration_id))
        is_open = Registration.objects.filter(pk=registration_id, user=None).exists()
        code, username = typed["code"], typed.get("username", "")
        user = registration.confirm_by_code(registration_id, code, address_of(request), username)
        if not is_open:  # the code has been used: from now on, the account needs a login
            return HttpResponseRedirect("/log-in")
        return logged_in(browser_sessions.start(user, device_of(request))[1], next_page(user))

    def refused(problem: Problem) -> HttpResponse:
        is_taken = problem.code == "username_taken" or "username" in request.POST
        return show_again(request, "web/enter_code.html", facts | {"asks_for_name": is_taken}, problem)

    return attempt(act, refused)


def next_page(user: User) -> str:
    """Return the page from which the new user came, the match they joined through an invitation, or their matches."""
    came_from = Registration.objects.filter(user=user).exclude(next_page="").values_list("next_page", flat=True).first()
    if came_from:
        return safe_path(came_from)
    joined = list(Seat.objects.filter(user=user).values_list("match", flat=True)[:2])
    return f"/matches/{joined[0]}" if len(joined) == 1 else "/matches/"


@sensitive_post_parameters("password")
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def confirm(request: HttpRequest, token: str) -> HttpResponse:
    """Handle the link in the email. The page asks for the password that was chosen at registration."""
    if request.method != "POST":
        return render(request, "web/confirm.html")

    def act() -> HttpResponse:
        typed = read(ConfirmSerializer, request, "password", "username", token=token)
        user = registration.confirm_by_link(token, typed["password"], address_of(request), typed.get("username", ""))
        waiting = " ".join(seat_sentence(user, loaded) for loaded in load_matches(matches_of(user)))
        welcome = _("Welcome, %(name)s. Your account %(username)s is ready.")
        done = f"{welcome % {'name': user.name, 'username': user.username}} {waiting}"
        response = render(request, "web/confirm.html", {"done": done, "next": next_page(user)})
        with suppress(Refused):  # The link may be old, so it mustn't allow more guesses than the login does.
            tokens.owner_of(user.username, typed["password"], address_of(request))
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
    name = match_name(loaded, loaded.seat_of(user.pk))
    if loaded.match.phase == Phase.RUNNING:
        return _("You have a seat in %(match)s. It has started.") % {"match": name}
    return _("You have a seat in %(match)s. You'll get an email when it starts.") % {"match": name}
