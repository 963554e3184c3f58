"""Settings for the password, the address and blocked users.

Users can also download their data or delete the account here.
"""

from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts import addresses, blocks, passwords, profile
from accounts.api.addresses import ChangeAddressSerializer
from accounts.api.me import DeletionSerializer
from accounts.api.passwords import ChangePasswordSerializer
from accounts.export import export as export_of
from accounts.models import User
from web import visitors
from web.forms import read
from web.settings.pages import settings_page


def facts(_: HttpRequest, user: User) -> dict[str, Any]:
    return {"account": user, "blocks": blocks.blocks_of(user)}


def change_password(request: HttpRequest, user: User) -> str:
    asked = read(ChangePasswordSerializer, request, "current", "password")
    passwords.change(user, asked["current"], asked["password"], keep=visitors.current_session(request))
    return gettext("Your password was changed. You are logged out everywhere else.")


def change_address(request: HttpRequest, user: User) -> str:
    asked = read(ChangeAddressSerializer, request, "email", "password")
    addresses.ask_for_change(user, asked["email"], asked["password"])
    return gettext("We sent a link to %(email)s. Your address changes when you open it.") % {"email": asked["email"]}


def block(request: HttpRequest, user: User) -> str:
    blocked = blocks.block(user, request.POST.get("username", "")).blocked
    return gettext("You won't get invitations or messages from %(name)s.") % {"name": blocked.name}


def unblock(request: HttpRequest, user: User) -> str:
    username = request.POST.get("username", "")
    blocks.unblock(user, username)
    return gettext("%(username)s is no longer blocked.") % {"username": username}


def delete(request: HttpRequest, user: User) -> HttpResponse:
    profile.delete(user, read(DeletionSerializer, request, "password")["password"])
    response = HttpResponseRedirect("/")
    visitors.log_out(request, response)
    return response


view = settings_page(
    "web/settings/account.html",
    facts,
    change_password=change_password,
    change_address=change_address,
    block=block,
    unblock=unblock,
    delete=delete,
)


@never_cache
@require_safe
@visitors.needs_login
def export(_: HttpRequest, user: User) -> HttpResponse:
    headers = {"Content-Disposition": f'attachment; filename="turnpost-{user.username}.json"'}
    return JsonResponse(export_of(user), headers=headers)
