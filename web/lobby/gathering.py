"""Actions before a match starts: join, invite, decline, leave, start, cancel, and send salts."""

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.models import User
from core.problems import Problem
from core.refusals import NotFound
from games.api.bodies import NewInvitation
from games.services import invitations, lobby, rematches
from web.forms import attempt, read
from web.match.page import page
from web.match.reading import no_such_page
from web.salts import share_in
from web.visitors import View, needs_login, needs_player

Act = Callable[[HttpRequest, str, User], str]


def for_users(act: Act) -> View:
    return never_cache(require_POST(needs_login(action(act))))


def for_players(act: Act) -> View:
    """Wrap a view for which a session for this match is enough."""
    return never_cache(require_POST(needs_player(action(act))))


def action(act: Act) -> View:
    """Wrap the action of a button on the match page. `act` returns the message to show afterwards."""

    def view(request: HttpRequest, match_id: str, user: User) -> HttpResponse:
        def press() -> HttpResponse:
            if done := act(request, match_id, user):
                messages.success(request, done)
            return HttpResponseRedirect(f"/matches/{match_id}")

        def refused(problem: Problem) -> HttpResponse:
            return refused_page(request, match_id, user, problem)

        return attempt(press, refused)

    return view


def refused_page(request: HttpRequest, match_id: str, user: User, problem: Problem) -> HttpResponse:
    """Show the match page with the problem. A match that the user can't see looks like one that doesn't exist."""
    try:
        return page(request, match_id, user, problem)
    except NotFound:
        return no_such_page(request, match_id)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@needs_login
def join(request: HttpRequest, match_id: str, user: User) -> HttpResponse:
    """Join the match. GET leads visitors who have just logged in back to the match."""

    def act() -> HttpResponse:
        if request.method == "POST":
            lobby.join(match_id, user, share_in(request))
        return HttpResponseRedirect(f"/matches/{match_id}")

    def refused(problem: Problem) -> HttpResponse:
        return refused_page(request, match_id, user, problem)

    return attempt(act, refused)


@never_cache
@require_POST
@needs_login
def rematch(request: HttpRequest, match_id: str, user: User) -> HttpResponse:
    """Lead to the new match, where players who aren't in it yet can join."""

    def act() -> HttpResponse:
        return HttpResponseRedirect(f"/matches/{rematches.rematch(match_id, user).match.id}")

    return attempt(act, lambda problem: refused_page(request, match_id, user, problem))


@for_players
def send_salt(request: HttpRequest, match_id: str, user: User) -> str:
    """Accept a salt that the browser sends on its own: a new one that replaces the server's, or the one it committed
    to."""
    lobby.give_salt(match_id, user, share_in(request))
    return ""


@for_users
def invite(request: HttpRequest, match_id: str, user: User) -> str:
    invitee = read(NewInvitation, request, "invitee")["invitee"]
    invitations.invite(match_id, user, invitee)
    return f"You invited {invitee}."


@for_users
def withdraw(request: HttpRequest, match_id: str, user: User) -> str:
    number = request.POST.get("number", "")
    invitations.withdraw(match_id, user, int(number) if number.isascii() and number.isdigit() else 0)
    return "The invitation was withdrawn."


@for_users
def leave(_: HttpRequest, match_id: str, user: User) -> str:
    lobby.leave(match_id, user)
    return "You left the match."


@for_users
def start(_: HttpRequest, match_id: str, user: User) -> str:
    lobby.start(match_id, user)
    return ""


@for_users
def cancel(_: HttpRequest, match_id: str, user: User) -> str:
    lobby.cancel(match_id, user)
    return "The match was canceled."


@never_cache
@require_POST
@needs_login
def decline(request: HttpRequest, match_id: str, user: User) -> HttpResponse:
    def act() -> HttpResponse:
        invitations.decline(match_id, user)
        messages.success(request, "You declined the invitation.")
        return HttpResponseRedirect("/matches/")

    def refused(problem: Problem) -> HttpResponse:
        messages.error(request, f"{problem.message} {problem.hint}")
        return HttpResponseRedirect("/matches/")

    return attempt(act, refused)
