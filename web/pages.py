"""The pages for everybody: home, a match as spectators see it, and unsubscribing.

Only a button or a mail program's POST does something, since virus scanners follow links too.
"""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_safe

from core.problems import status_of
from core.refusals import Refused
from games.engine.registry import engines
from games.selectors import access, presenters
from notifications import unsubscribe as subscriptions
from notifications.unsubscribe import read_subscription


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    titles = [game.title for game in engines()]
    return render(request, "web/home.html", {"url": settings.PUBLIC_URL, "titles": titles})


@csrf_exempt  # a mail program's one click comes without a cookie; the signed link is the permission
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def unsubscribe(request: HttpRequest, token: str) -> HttpResponse:
    try:
        subscription = read_subscription(token)
    except Refused as refused:
        return render(request, "web/unsubscribe.html", {"refused": refused}, status=status_of(refused))
    undo = "undo" in request.POST
    if request.method == "POST":
        (subscriptions.resume if undo else subscriptions.stop)(subscription)
    facts = {"about": subscription.about, "stopped": request.method == "POST" and not undo, "undone": undo}
    return render(request, "web/unsubscribe.html", facts)


@require_safe
def match(request: HttpRequest, match_id: str) -> HttpResponse:
    """What anybody may see. Players see more with the command line; that a private match exists is not told."""
    asked = {"match_id": match_id, "server": settings.PUBLIC_URL, "plays_by_mail": bool(settings.REPLY_DOMAIN)}
    try:
        loaded = access.visible_match(match_id, None)
    except Refused:
        return render(request, "web/match.html", asked, status=404)
    board = presenters.board(loaded, None)
    facts = {"match": loaded.match, "title": loaded.engine.title, "names": loaded.names}
    return render(request, "web/match.html", asked | facts | {"picture": board.picture if board else None})
