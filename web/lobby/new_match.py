"""Start a match: choose a game, its options and the pace, and invite people."""

import re
from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.models import User
from core.api import validated
from core.problems import Problem
from core.refusals import Refused
from games.api.bodies import LONGEST_THINK, NewMatch
from games.bots import LEVELS
from games.engine.errors import UnknownGame
from games.engine.registry import AnyEngine, engine, engines
from games.models import Absent, Salts, pace
from games.models.pace import MOST_PATIENCE
from games.services import invitations, lobby
from games.services.seats import USUAL_LEVEL
from web.forms import attempt, count, show_again
from web.lobby.options import fields_of, options_in
from web.visitors import needs_login

PACES = {
    "24h": gettext_lazy("1 day per move, with a time bank of 3 days"),
    "72h": gettext_lazy("3 days per move, with a time bank of 7 days"),
    "7d": gettext_lazy("7 days per move, with a time bank of 14 days"),
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
        "longest_think": LONGEST_THINK,
    }
    if request.method != "POST":
        return render(request, "web/lobby/new_match.html", facts)

    def act() -> HttpResponse:
        invitees = invitees_in(request)
        check_all(user, invitees)
        count("new_match", user)
        match_id = create(request, user, game)
        for sentence in invite_all(match_id, user, invitees):
            messages.error(request, sentence)
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
    plan = lobby.Plan(**validated(NewMatch, form_of(request, game)))
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
        "think": form.get("think") or None,
        **({"bots_allowed": True} if "bots_allowed" in form else {}),
        "absent": form.get("absent") or Absent.BOT,
        "salt_follows": True,
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


def invitees_in(request: HttpRequest) -> list[str]:
    written = re.split(r"[\s,;]+", request.POST.get("invitees", ""))
    return [invitee[:254] for invitee in dict.fromkeys(written) if invitee]


def check_all(user: User, invitees: list[str]) -> None:
    """Raise ValidationError if a name is wrong, so that no match is created."""
    if wrong := refusals(invitees, lambda invitee: invitations.check(user, invitee)):
        raise ValidationError({"invitees": wrong})


def invite_all(match_id: str, user: User, invitees: list[str]) -> list[str]:
    """Invite all these people, and say who couldn't be invited, for example because there are too few seats."""
    return refusals(invitees, lambda invitee: invitations.invite(match_id, user, invitee))


def refusals(invitees: list[str], call: Callable[[str], object]) -> list[str]:
    said = []
    for invitee in invitees:
        try:
            call(invitee)
        except Refused as refused:
            facts = {"invitee": invitee, "message": refused.message, "hint": refused.hint}
            said.append(gettext("Couldn't invite %(invitee)s. %(message)s %(hint)s") % facts)
    return said
