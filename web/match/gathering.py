"""Actions before a match starts: join, invite, decline, leave, start, cancel and send salts."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.models import User
from core.problems import Problem
from games.api.bodies import NewBots, NewInvitation
from games.services import invitations, lobby, rematches
from web.fairness import share_in
from web.forms import attempt, read
from web.match.actions import for_players, for_users
from web.match.page import page
from web.match.reading import match_page
from web.visitors import needs_login, target_of_forms


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@needs_login
@match_page
def join(request: HttpRequest, match_id: str, user: User) -> HttpResponse:
    """Join the match. A GET request, which browsers send after a login, only redirects to the match."""

    def act() -> HttpResponse:
        if request.method == "POST":
            lobby.join(match_id, user, share_in(request))
        return HttpResponseRedirect(f"/matches/{match_id}")

    return attempt(act, lambda problem: page(request, match_id, user, problem))


@for_users
def rematch(request: HttpRequest, match_id: str, user: User) -> str:
    """Redirect to the new match, where players who aren't in it yet can join."""
    return f"/matches/{rematches.rematch(match_id, user).match.id}"


@for_players
def send_salt(request: HttpRequest, match_id: str, user: User) -> str:
    """Accept a salt that the browser sends on its own: a new salt that replaces the server's, or the salt that it
    committed to."""
    lobby.give_salt(match_id, user, share_in(request))
    return "main"


@for_users
def invite(request: HttpRequest, match_id: str, user: User) -> str:
    invitee = read(NewInvitation, request, "invitee")["invitee"]
    invitations.invite(match_id, user, invitee)
    messages.success(request, _("You invited %(invitee)s.") % {"invitee": invitee})
    return "main"


@for_users
def add_bots(request: HttpRequest, match_id: str, user: User) -> str:
    lobby.add_bots(match_id, user, None, read(NewBots, request, "level")["level"])
    return "main"


@for_users
def withdraw(request: HttpRequest, match_id: str, user: User) -> str:
    number = request.POST.get("number", "")
    invitations.withdraw(match_id, user, int(number) if number.isascii() and number.isdigit() else 0)
    messages.success(request, _("The invitation was withdrawn."))
    return "main"


@for_users
def leave(request: HttpRequest, match_id: str, user: User) -> str:
    lobby.leave(match_id, user)
    messages.success(request, _("You left the match."))
    return "/matches/"


@for_users
def start(request: HttpRequest, match_id: str, user: User) -> str:
    lobby.start(match_id, user)
    return "main"


@for_users
def cancel(request: HttpRequest, match_id: str, user: User) -> str:
    lobby.cancel(match_id, user)
    messages.success(request, _("The match was canceled."))
    return "/matches/"


@never_cache
@target_of_forms
@needs_login
def decline(request: HttpRequest, match_id: str, user: User) -> HttpResponse:
    def act() -> HttpResponse:
        invitations.decline(match_id, user)
        messages.success(request, _("You declined the invitation."))
        return HttpResponseRedirect("/matches/")

    def refused(problem: Problem) -> HttpResponse:
        messages.error(request, f"{problem.message} {problem.hint}")
        return HttpResponseRedirect("/matches/")

    return attempt(act, refused)
