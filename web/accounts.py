"""Pages that reset a password or confirm a new address.

Links take effect only on POST, because virus scanners open links, too.
"""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from accounts import addresses, passwords
from accounts.api.passwords import RESET_MAILED, AskForResetSerializer, ResetSerializer
from core.problems import Problem
from core.rate_limits import address_of
from web.forms import attempt, read, show_again


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def ask_for_reset(request: HttpRequest) -> HttpResponse:
    template = "web/ask_for_reset.html"
    if request.method != "POST":
        return render(request, template)

    def act() -> HttpResponse:
        passwords.ask_for_reset(read(AskForResetSerializer, request, "email")["email"], address_of(request))
        return render(request, template, {"done": RESET_MAILED})

    def refused(problem: Problem) -> HttpResponse:
        return show_again(request, template, {}, problem)

    return attempt(act, refused)


@sensitive_post_parameters("password")
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def reset(request: HttpRequest, token: str) -> HttpResponse:
    template = "web/reset.html"

    def act() -> HttpResponse:
        user = passwords.owner_of_reset(token)
        if request.method != "POST":
            return render(request, template)
        passwords.reset(token, read(ResetSerializer, request, "password", token=token)["password"], address_of(request))
        return render(
            request,
            template,
            {"done": _("The password for %(name)s was changed. You can log in now.") % {"name": user.username}},
        )

    def refused(problem: Problem) -> HttpResponse:
        return show_again(request, template, {"is_over": problem.code == "bad_link"}, problem)

    return attempt(act, refused)


@sensitive_post_parameters("password")
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def change_address(request: HttpRequest, token: str) -> HttpResponse:
    template = "web/change_address.html"
    if request.method != "POST":
        return render(request, template)

    def act() -> HttpResponse:
        user = addresses.change(token, request.POST.get("password", ""))
        return render(
            request,
            template,
            {"done": _("%(name)s's address is now %(email)s.") % {"name": user.username, "email": user.email}},
        )

    def refused(problem: Problem) -> HttpResponse:
        return show_again(request, template, {"is_over": problem.code != "wrong_password"}, problem)

    return attempt(act, refused)
