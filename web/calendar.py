"""The calendar feed, which calendar programs fetch without logging in."""

from hashlib import sha256

from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.views.decorators.http import require_safe

from core.problems import status_of
from core.refusals import Refused
from notifications import calendar


@require_safe
def feed(request: HttpRequest, token: str) -> HttpResponse:
    try:
        content = calendar.feed(calendar.owner(token))
    except Refused as refused:
        return HttpResponse(f"{refused.message} {refused.hint}\n", "text/plain; charset=utf-8", status_of(refused))
    tag = f'"{sha256(content).hexdigest()[:32]}"'
    if request.headers.get("If-None-Match", "").removeprefix("W/") == tag:
        response: HttpResponse = HttpResponseNotModified()
    else:
        response = HttpResponse(content, "text/calendar; charset=utf-8")
        response.headers["Content-Disposition"] = 'inline; filename="turnpost.ics"'
    response.headers["ETag"] = tag
    response.headers["Cache-Control"] = "private, no-cache"
    response.headers["X-Robots-Tag"] = "noindex"
    return response
