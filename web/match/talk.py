"""Player actions other than moves: messages, notes, proposals, resigning, coming back and muting."""

from django.contrib import messages
from django.http import HttpRequest
from django.utils.translation import gettext

from accounts import blocks
from accounts.models import User
from clock import proposals, resignations, stand_ins
from clock.api.proposals import Proposed
from clock.proposal_rules import ProposalRequest
from games.api.bodies import NewMessage, NewNote, NewReport
from games.selectors import access
from games.services import chat, orders
from notifications import unsubscribe
from web.forms import count, read
from web.match.actions import for_players, for_players_logged_in


def agreed(request: HttpRequest) -> bool:
    return request.POST.get("agree") == "yes"


@for_players
def say(request: HttpRequest, match_id: str, user: User) -> str:
    count("message", user)
    chat.post_message(match_id, user, read(NewMessage, request, "text")["text"])
    return "messages"


@for_players
def report(request: HttpRequest, match_id: str, user: User, number: int) -> str:
    chat.report_message(match_id, user, number, read(NewReport, request, "reason")["reason"])
    messages.success(request, gettext("Thank you. The operators will look at this message."))
    return "messages"


@for_players_logged_in
def block(request: HttpRequest, match_id: str, user: User) -> str:
    """Block another player, or the sender of an invitation, which then disappears."""
    own = access.visible_match(match_id, user).seat_of(user.pk)
    blocked = blocks.block(user, request.POST.get("username", "")).blocked
    facts = {"name": blocked.name}
    messages.success(request, gettext("You won't get invitations or messages from %(name)s.") % facts)
    return "messages" if own else "/matches/"


@for_players_logged_in
def write_note(request: HttpRequest, match_id: str, user: User) -> str:
    chat.write_note(match_id, user, read(NewNote, request, "text")["text"])
    return "note"


@for_players_logged_in
def give_orders(request: HttpRequest, match_id: str, user: User) -> str:
    """Replace all standing orders with the lines from the form."""
    lines = [line.strip() for line in request.POST.get("orders", "").splitlines() if line.strip()]
    saved = orders.replace_orders(match_id, user, lines)
    for event in saved.played:
        messages.success(request, event.text)
    messages.success(
        request,
        gettext("Your standing orders are saved.") if lines else gettext("You no longer have any standing orders."),
    )
    return "main" if saved.played else "orders"


@for_players
def propose(request: HttpRequest, match_id: str, user: User) -> str:
    asked = read(Proposed, request, "kind", "seat", "time", "newcomer")
    proposals.propose(match_id, user, ProposalRequest(**asked))
    return "proposals"


@for_players
def vote(request: HttpRequest, match_id: str, user: User, number: int) -> str:
    proposals.vote(match_id, user, number, agreed=agreed(request))
    return "proposals"


@for_players
def answer_offer(request: HttpRequest, match_id: str, user: User, number: int) -> str:
    """Accept or decline a stand-in's seat that was offered to the user."""
    (proposals.accept if agreed(request) else proposals.decline)(match_id, user, number)
    return "main"


@for_players_logged_in
def abandon(request: HttpRequest, match_id: str, user: User) -> str:
    proposals.abandon(match_id, user, agreed=agreed(request))
    return "proposals"


@for_players_logged_in
def resign(request: HttpRequest, match_id: str, user: User) -> str:
    resignations.resign(match_id, user)
    return "main"


@for_players
def come_back(request: HttpRequest, match_id: str, user: User) -> str:
    stand_ins.come_back(match_id, user)
    return "controls"


@for_players
def mute(request: HttpRequest, match_id: str, user: User) -> str:
    unsubscribe.mute(match_id, user, muted=agreed(request))
    return "more"
