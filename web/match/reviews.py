"""Show reviews of a player's own decisions in a finished match, on a separate page and with past positions."""

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.models import User
from games.models import Phase
from games.selectors import presenters
from games.services import reviews
from games.shapes import Review, ReviewedDecision
from web.forms import attempt
from web.match.page import about, page
from web.match.reading import Reader, match_page, reader_of
from web.visitors import needs_player


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@needs_player
@match_page
def review(request: HttpRequest, match_id: str, user: User) -> HttpResponse:
    """Show the review. It is started with a button, because it takes a minute of computing time."""

    def act() -> HttpResponse:
        if request.method == "POST":
            reviews.review(match_id, user)
            return HttpResponseRedirect(f"/matches/{match_id}/review")
        reader = reader_of(request, match_id)
        return render(request, "web/match/review.html", about(reader) | {"review": review_of(reader)})

    return attempt(act, lambda problem: page(request, match_id, user, problem))


def review_of(reader: Reader) -> Review | None:
    if reader.user is None or reader.loaded.match.phase != Phase.FINISHED:
        return None
    found = reviews.started(reader.loaded, reader.user)
    return presenters.review(found, reviews.decisions_in(found)) if found else None


def decision_on(reader: Reader, turn: int) -> ReviewedDecision | None:
    """Return the reader's reviewed decision on this turn."""
    done = review_of(reader)
    return next((one for one in done.decisions if one.turn == turn), None) if done else None
