"""The page behind an invitation link, where people register or log in to take the seat.

The API's rules and limits apply.
"""

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.translation import gettext
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
from web.fairness import salt_facts, share_in
from web.forms import attempt, read, show_again
from web.match.before_start import terms_of
from web.visitors import log_in, visitor


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    user = visitor(request)
    try:
        invitation_id = invitations.invitation_of(token)
        if user and (match_id := invitations.joined_by(invitation_id, user)):
            return HttpResponseRedirect(f"/matches/{match_id}")
        invited = invitations.offered(invitation_id)
    except Refused as refused:
        return render(request, "web/invitation.html", {"refused": refused}, status=status_of(refused))
    shown = facts_of(invited, user) | {"link": f"{settings.PUBLIC_URL}{request.path}"}
    if request.method != "POST":
        return render(request, "web/invitation.html", shown)
    return attempt(
        lambda: answer(request, invited, user),
        lambda problem: show_again(request, "web/invitation.html", shown, problem),
    )


def facts_of(invited: Invitation, user: User | None) -> dict[str, Any]:
    """Describe the match without the invited address and the inviter's details, because people forward links."""
    loaded = load_match(invited.match_id)
    return {
        "offer": presenters.offer(invited, loaded.seats),
        **terms_of(loaded),
        "is_for_a_player": invited.user is not None,
        "may_decline": invited.user in (None, user),
        "plays_by_mail": bool(settings.REPLY_DOMAIN),
        "server": settings.PUBLIC_URL,
        "time_zones": usual_time_zones(),
        **salt_facts(loaded, user),
    }


def answer(request: HttpRequest, invited: Invitation, user: User | None) -> HttpResponse:
    """Take the seat as the logged-in user, or log in or register first. Declining needs no account."""
    if "decline" in request.POST:
        invitations.decline_by_link(invited.pk, user)
        return render(request, "web/invitation.html", {"done": declined(invited)})
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


def declined(invited: Invitation) -> str:
    inviter = invited.invited_by.name
    return gettext("You declined the invitation. %(inviter)s can invite someone else now.") % {"inviter": inviter}
