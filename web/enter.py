"""Let a player into one match through the link in an email.

Opening the link only shows whose seat it is. A button starts the session, because virus scanners and link previews open
links, too.
"""

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from core.problems import Problem, status_of
from core.refusals import Refused
from games.selectors.loading import load_match, match_name
from notifications import match_links
from web import visitors
from web.forms import attempt, show_again


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def enter(request: HttpRequest, match_id: str, token: str) -> HttpResponse:
    try:
        entrance = match_links.read(match_id, token)
    except Refused as error:
        return render(request, "web/enter.html", {"refused": error}, status=status_of(error))
    facts = {"entrance": entrance, "name": match_name(load_match(match_id), entrance.seat)}
    if request.method != "POST":
        return render(request, "web/enter.html", facts)

    def act() -> HttpResponse:
        if entrance.has_expired:
            match_links.send_again(entrance)
            return render(request, "web/enter.html", facts | {"done": _("We emailed you a new link.")})
        response = HttpResponseRedirect(f"/matches/{match_id}")
        visitors.enter(request, response, entrance.user, match_id)
        return response

    def refused(problem: Problem) -> HttpResponse:
        return show_again(request, "web/enter.html", facts, problem)

    return attempt(act, refused)


@never_cache
@visitors.target_of_forms
def leave(request: HttpRequest, match_id: str) -> HttpResponse:
    """End the session for this match. The player keeps the seat."""
    response = HttpResponseRedirect(f"/matches/{match_id}")
    visitors.leave(request, response, match_id)
    return response
