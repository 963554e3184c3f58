"""Everything between players besides moves: messages, notes, proposals, resigning, coming back, muting."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from accounts.models import User
from clock import proposals, resignations, stand_ins
from clock.api.proposals import Proposed
from clock.proposal_rules import ProposalRequest
from games.api.bodies import NewMessage, NewNote, NewReport
from games.services import chat
from notifications import unsubscribe
from web.forms import attempt, count, read
from web.match.moves import to_match
from web.match.page import page
from web.match.reading import match_page
from web.visitors import needs_player

Act = Callable[..., str]
"""Runs the action of a form and returns the part of the page to go back to."""


def action(act: Act) -> Callable[..., HttpResponse]:
    """Wrap the action of a form on the match page. If it is refused, the page shows why."""

    @never_cache
    @require_POST
    @needs_player
    @match_page
    def view(request: HttpRequest, match_id: str, user: User, **of_path: Any) -> HttpResponse:
        return attempt(
            lambda: to_match(match_id, anchor=act(request, match_id, user, **of_path)),
            lambda problem: page(request, match_id, user, problem),
        )

    return view


def agreed(request: HttpRequest) -> bool:
    return request.POST.get("agree") == "yes"


@action
def say(request: HttpRequest, match_id: str, user: User) -> str:
    count("message", user)
    chat.post_message(match_id, user, read(NewMessage, request, "text")["text"])
    return "messages"


@action
def report(request: HttpRequest, match_id: str, user: User, number: int) -> str:
    chat.report_message(match_id, user, number, read(NewReport, request, "reason")["reason"])
    messages.success(request, "Thank you. The operators will look at this message.")
    return "messages"


@action
def write_note(request: HttpRequest, match_id: str, user: User) -> str:
    chat.write_note(match_id, user, read(NewNote, request, "text")["text"])
    return "note"


@action
def propose(request: HttpRequest, match_id: str, user: User) -> str:
    asked = read(Proposed, request, "kind", "seat", "time", "newcomer")
    proposals.propose(match_id, user, ProposalRequest(**asked))
    return "proposals"


@action
def vote(request: HttpRequest, match_id: str, user: User, number: int) -> str:
    proposals.vote(match_id, user, number, agreed=agreed(request))
    return "proposals"


@action
def answer_offer(request: HttpRequest, match_id: str, user: User, number: int) -> str:
    """Accept or decline a stand-in's seat that was offered to the user."""
    (proposals.accept if agreed(request) else proposals.decline)(match_id, user, number)
    return "main"


@action
def abandon(request: HttpRequest, match_id: str, user: User) -> str:
    proposals.abandon(match_id, user, agreed=agreed(request))
    return "proposals"


@action
def resign(_: HttpRequest, match_id: str, user: User) -> str:
    resignations.resign(match_id, user)
    return "main"


@action
def come_back(_: HttpRequest, match_id: str, user: User) -> str:
    stand_ins.come_back(match_id, user)
    return "controls"


@action
def mute(request: HttpRequest, match_id: str, user: User) -> str:
    unsubscribe.mute(match_id, user, muted=agreed(request))
    return "more"
