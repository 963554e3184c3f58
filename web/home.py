"""The page at the service's own address, for whoever follows it without knowing what this is."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.engine.registry import engines


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    titles = [game.title for game in engines()]
    return render(request, "web/home.html", {"url": settings.PUBLIC_URL, "titles": titles})
