"""The page behind an invitation link: register or log in to take the seat. The API's rules and limits apply."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts import tokens
from accounts.api.tokens import LogInSerializer
from accounts.models import User
from accounts.validators import usual_time_zones
from core.problems import status_of
from core.rate_limits import address_of
from core.refusals import Refused
from games.models import Invitation
from games.selectors import presenters
from games.selectors.loading import load_match
from games.services import invitations
from web import registration
from web.devices import device_of
from web.forms import attempt, read, show_again
from web.salts import salt_facts, share_in
from web.visitors import log_in, visitor


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    try:
        invited = invitations.offered(invitations.invitation_of(token))
    except Refused as refused:
        return render(request, "web/invitation.html", {"refused": refused}, status=status_of(refused))
    shown = facts_of(invited)
    if request.method != "POST":
        return render(request, "web/invitation.html", shown)
    return attempt(
        lambda: answer(request, invited, visitor(request)),
        lambda problem: show_again(request, "web/invitation.html", shown, problem),
    )


def facts_of(invited: Invitation) -> dict[str, Any]:
    """Describe the match without the invited address and the host's details, because people forward links."""
    return {
        "offer": presenters.offer(invited, load_match(invited.match_id).seats),
        "is_for_a_player": invited.user is not None,
        "plays_by_mail": bool(settings.REPLY_DOMAIN),
        "server": settings.PUBLIC_URL,
        "link": invitations.invitation_link(invited.pk),
        "time_zones": usual_time_zones(),
        **salt_facts(invited.match),
    }


def answer(request: HttpRequest, invited: Invitation, user: User | None) -> HttpResponse:
    """Take the seat as the user who is logged in, or log in or register first."""
    share = share_in(request)
    if user is None and "login" not in request.POST:
        return registration.apply(request, invitations.acceptance_token(invited.pk, share))
    response = HttpResponseRedirect(f"/matches/{invited.match_id}")
    if user is None:
        typed = read(LogInSerializer, request, "login", "password")
        session, key = tokens.log_in_browser(typed["login"], typed["password"], device_of(request), address_of(request))
        user = session.user
        log_in(response, key)
    invitations.accept(invited.pk, user, share)
    return response
