"""Public pages, including the one for unsubscribing.

Unsubscribing takes a POST request, because virus scanners open links, too.
"""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from core.problems import status_of
from core.refusals import Refused
from notifications import unsubscribe as subscriptions
from notifications.unsubscribe import read_subscription


@csrf_exempt  # one-click unsubscribe sends no cookie, so the signed link is the authorization
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
