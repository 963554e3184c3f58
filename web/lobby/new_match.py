"""Start a match: choose a game, its options and the pace, and invite people."""

import re
from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.models import User
from core.api import validated
from core.problems import Problem
from core.refusals import Refused
from games.api.bodies import NewMatch
from games.bots import LEVELS
from games.engine.errors import UnknownGame
from games.engine.registry import AnyEngine, engine, engines
from games.models import Salts, pace
from games.models.pace import MOST_PATIENCE
from games.services import invitations, lobby
from games.services.seats import USUAL_LEVEL
from web.forms import attempt, count, show_again
from web.lobby.options import fields_of, options_in
from web.visitors import needs_login

PACES = {
    "24h": "1 day per move, plus 3 days in reserve",
    "72h": "3 days per move, plus 7 days in reserve",
    "7d": "7 days per move, plus 14 days in reserve",
}
OWN_PACE = "own"


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@needs_login
def new_match(request: HttpRequest, user: User) -> HttpResponse:
    game = chosen_game(request)
    if game is None:
        return render(request, "web/lobby/choose_game.html", {"games": engines()})
    facts = {
        "game": game,
        "options": fields_of(game),
        "paces": PACES,
        "usual_pace": next(name for name, preset in pace.PRESETS.items() if preset == pace.DEFAULT),
        "most_patience": MOST_PATIENCE,
        "bot_counts": range(1, game.seats.stop - 1),
        "levels": LEVELS,
        "usual_level": USUAL_LEVEL,
    }
    if request.method != "POST":
        return render(request, "web/lobby/new_match.html", facts)

    def act() -> HttpResponse:
        count("new_match", user)
        match_id = create(request, user, game)
        for invitee, why in invite_all(match_id, user, request.POST.get("invitees", "")).items():
            messages.error(request, f"Couldn't invite {invitee}. {why.message} {why.hint}")
        return HttpResponseRedirect(f"/matches/{match_id}")

    def refused(problem: Problem) -> HttpResponse:
        return show_again(request, "web/lobby/new_match.html", facts, problem)

    return attempt(act, refused)


def chosen_game(request: HttpRequest) -> "AnyEngine | None":
    try:
        return engine(request.GET.get("game", ""))
    except UnknownGame:
        return None


@transaction.atomic
def create(request: HttpRequest, user: User, game: AnyEngine) -> str:
    wanted = validated(NewMatch, form_of(request, game))
    plan = lobby.Plan(
        game=wanted["game"],
        seat_count=wanted["seats"],
        pace=wanted["pace"],
        options=wanted["options"],
        title=wanted["title"],
        is_private=wanted["private"],
        salts=wanted["salts"],
        bots=wanted["bots"],
        level=wanted["level"],
        salt_follows=True,
    )
    return lobby.create(user, plan).match.id


def form_of(request: HttpRequest, game: AnyEngine) -> dict[str, Any]:
    """Return the form as a request body for the API."""
    form = request.POST
    return {
        "game": game.slug,
        "seats": form.get("seats", ""),
        "options": options_in(form.dict(), game),
        "pace": pace_in(request),
        "private": "private" in form,
        "title": form.get("title", ""),
        "salts": Salts.COMMITTED if "committed" in form else Salts.OPEN,
        "bots": form.get("bots") or 0,
        "level": form.get("level") or USUAL_LEVEL,
    }


def pace_in(request: HttpRequest) -> dict[str, Any]:
    form = request.POST
    chosen = form.get("pace", "")
    own = {"move_time": form.get("move_time", ""), "bank": form.get("bank", "") or 0}
    patience = form.get("patience", "")
    return {
        **(own if chosen == OWN_PACE else {"move_time": chosen}),
        "weekends_off": "weekends_off" in form,
        **({"patience": int(patience)} if patience.isascii() and patience.isdigit() else {}),
    }


def invite_all(match_id: str, user: User, written: str) -> dict[str, Refused]:
    """Invite all the people named, and return those who couldn't be invited. The match exists either way."""
    failed = {}
    for invitee in dict.fromkeys(re.split(r"[\s,;]+", written.strip())):
        try:
            if invitee:
                invitations.invite(match_id, user, invitee[:254])
        except Refused as refused:
            failed[invitee] = refused
    return failed
