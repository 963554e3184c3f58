"""Settings for the password and the address, downloading stored data, and deleting the account."""

from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts import addresses, passwords, profile
from accounts.api.addresses import ChangeAddressSerializer
from accounts.api.me import DeletionSerializer
from accounts.api.passwords import ChangePasswordSerializer
from accounts.export import export as export_of
from accounts.models import User
from web import visitors
from web.forms import read
from web.settings.pages import settings_page


def facts(_: HttpRequest, user: User) -> dict[str, Any]:
    return {"account": user}


def change_password(request: HttpRequest, user: User) -> str:
    asked = read(ChangePasswordSerializer, request, "current", "password")
    passwords.change(user, asked["current"], asked["password"], keep=visitors.current_session(request))
    return "Your password was changed. You are logged out everywhere else."


def change_address(request: HttpRequest, user: User) -> str:
    asked = read(ChangeAddressSerializer, request, "email", "password")
    addresses.ask_for_change(user, asked["email"], asked["password"])
    return f"We sent a link to {asked['email']}. Your address changes when you open it."


def delete(request: HttpRequest, user: User) -> HttpResponse:
    profile.delete(user, read(DeletionSerializer, request, "password")["password"])
    response = HttpResponseRedirect("/")
    visitors.log_out(request, response)
    return response


view = settings_page(
    "web/settings/account.html", facts, change_password=change_password, change_address=change_address, delete=delete
)


@never_cache
@require_safe
@visitors.needs_login
def export(_: HttpRequest, user: User) -> HttpResponse:
    headers = {"Content-Disposition": f'attachment; filename="turnpost-{user.username}.json"'}
    return JsonResponse(export_of(user), headers=headers)
