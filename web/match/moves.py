"""Put a move together and play it, on the match page or straight from an email. Only POST requests play moves."""

from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods
from msgspec.structs import replace

from accounts.models import User
from core.metrics import REFUSALS
from core.problems import STATUS, Problem, problem_of
from games.api.bodies import HIGHEST_TURN, LONGEST_NOTATION
from games.engine.choices import Choices
from games.engine.errors import IllegalMove, MalformedMove
from games.models import Phase, Source
from games.selectors import match_log
from games.selectors.loading import load_match
from games.services.moves import Actor, submit_move
from games.shapes import MoveAccepted, MoveRefused
from notifications.move_links import MoveLink, read_link
from web.board_html import Taps
from web.controls import controls, current_mode
from web.drafts import Draft, fill_in, finished_move, form_in, sealed, settle, tap, with_values
from web.fairness import sent_by
from web.forms import attempt
from web.match.page import about, choices_of, draft_of, drawn, page, preview, told
from web.match.reading import Reader, match_page, reader_for
from web.visitors import enter, needs_player, player, target_of_forms

LONGEST_KEY = 80
MOST_TOLD = 12


@never_cache
@target_of_forms
@needs_player
@match_page
def choose(request: HttpRequest, match_id: str, user: User) -> HttpResponse:
    """Handle a tap: show the page again with the new draft, without playing anything."""
    reader = reader_for(request, match_id, user)
    draft, is_stale = draft_of(reader, request.POST.get("draft", ""))
    if is_stale:
        return to_match(match_id, draft=request.POST["draft"])
    try:
        draft = tapped(reader, draft, request)
    except (MalformedMove, IllegalMove) as error:
        return page(request, match_id, user, problem_of(error), token=sealed_draft(reader, draft))
    anchor = "board" if controls(reader.loaded.engine, choices_of(reader), draft).taps.chosen else "controls"
    return to_match(match_id, draft=sealed_draft(reader, draft), since=request.POST.get("since", ""), anchor=anchor)


def sealed_draft(reader: Reader, draft: Draft) -> str:
    return sealed(reader.loaded.match.id, reader.user_id, reader.loaded.match.turn, draft)


def tapped(reader: Reader, draft: Draft, request: HttpRequest) -> Draft:
    """Return the draft after a tap. Raises MalformedMove or IllegalMove."""
    engine, choices, sent = reader.loaded.engine, choices_of(reader), request.POST
    draft = replace(draft, mode=current_mode(engine, choices, draft))
    draft = fill_in(form_in(choices, draft.mode), draft, sent.getlist) if not draft.move else draft
    match [(name, sent[name][:LONGEST_NOTATION]) for name in ACTIONS if name in sent]:
        case [("mode", mode), *_]:
            return Draft(mode=mode)
        case [("tap", place), *_]:
            return tap(engine, choices, draft, place)
        case [("move", move), *_]:
            return replace(draft, move=move)
        case [("add", move), *_]:
            return settle(engine, choices, draft, move)
        case [("drop", value), *_]:
            return without(draft, value)
        case [("up", value), *_]:
            return earlier(draft, value)
        case [("done", _), *_]:
            return complete(reader, choices, draft)
        case [("change", _), *_]:
            return replace(draft, move="", places=())
    return draft


ACTIONS = ("mode", "tap", "move", "add", "drop", "up", "done", "change")


def without(draft: Draft, value: str) -> Draft:
    return replace(draft, values={name: tuple(v for v in vs if v != value) for name, vs in draft.values.items()})


def earlier(draft: Draft, value: str) -> Draft:
    """Move a value up by one place in the ranking."""
    for name, values in draft.values.items():
        if value in values[1:]:
            at = values.index(value)
            return with_values(draft, name, [*values[: at - 1], value, values[at - 1], *values[at + 1 :]])
    return draft


def complete(reader: Reader, choices: Choices[Any], draft: Draft) -> Draft:
    form, engine = form_in(choices, draft.mode), reader.loaded.engine
    if form is None:
        return draft
    move = finished_move(engine, form, draft)
    if refused := engine.refusal(reader.loaded.state, reader.number or 0, move):
        raise refused
    return replace(draft, move=engine.notation(move))


@never_cache
@target_of_forms
@needs_player
@match_page
def play(request: HttpRequest, match_id: str, user: User) -> HttpResponse:
    """Play the confirmed move. A double tap sends the same key twice, so the move is played only once."""
    move, turn = request.POST.get("move", "")[:LONGEST_NOTATION], request.POST.get("turn", "")
    key = request.POST.get("key", "")[:LONGEST_KEY] or None
    decided_on = int(turn) if turn.isdecimal() and len(turn) < len(str(HIGHEST_TURN)) else 0

    def submit() -> HttpResponse:
        result = submit_move(match_id=match_id, actor=Actor(Source.WEB, user), move=move, turn=decided_on, key=key)
        if isinstance(result, MoveRefused):
            return page(request, match_id, user, problem_with(result))
        return to_match(match_id, since=last_known(result), anchor="headline")

    return attempt(submit, lambda problem: page(request, match_id, user, problem))


def problem_with(refused: MoveRefused) -> Problem:
    REFUSALS.labels(refused.code).inc()
    return Problem(STATUS[refused.kind], refused.code, refused.message, refused.hint)


def last_known(result: MoveAccepted) -> str:
    """Return the number of the last event before the move, so that the page shows what the move did."""
    return str(min(event.number for event in result.events) - 1) if result.events else ""


def to_match(match_id: str, *, anchor: str = "controls", **query: str) -> HttpResponse:
    asked = urlencode({name: value for name, value in query.items() if value})
    response = HttpResponseRedirect(f"/matches/{match_id}{'?' if asked else ''}{asked}#{anchor}")
    response.status_code = 303
    return response


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def play_from_mail(request: HttpRequest, match_id: str, token: str) -> HttpResponse:
    """Show the move behind a link in an email, with a button that plays it."""
    link = read_link(match_id, token)
    if link is None:
        return render(request, "web/match/move_link.html", {"match_id": match_id}, status=404)
    if request.method != "POST":
        return shown_link(request, link)
    if "open" in request.POST:
        return opened(request, link, to_match(match_id, anchor="headline"))
    actor = Actor(Source.WEB, link.user)
    result = submit_move(match_id=match_id, actor=actor, move=link.move, turn=link.turn, key=link.key)
    if isinstance(result, MoveRefused):
        return shown_link(request, link, problem_with(result))
    return opened(request, link, to_match(match_id, since=last_known(result), anchor="headline"))


def opened(request: HttpRequest, link: MoveLink, response: HttpResponse) -> HttpResponse:
    """Let the player into the match, unless they are already in it."""
    match_id = link.seat.match_id
    if player(request, match_id) != link.user:
        enter(request, response, link.user, match_id)
    return response


def shown_link(request: HttpRequest, link: MoveLink, problem: Problem | None = None) -> HttpResponse:
    reader = Reader(load_match(link.seat.match_id), link.user)
    loaded, engine = reader.loaded, reader.loaded.engine
    facts: dict[str, Any] = {"link": link, "problem": problem} | about(reader)
    if loaded.match.phase != Phase.RUNNING or loaded.match.turn != link.turn:
        events = match_log.events(loaded, after_turn=link.turn, newest_first=True, most=MOST_TOLD)
        facts |= {"is_stale": True, "news": told(reader, events)}
        return render(request, "web/match/move_link.html", facts, status=409)
    button = engine.button(engine.parse(link.move))
    facts |= {
        "label": button.label,
        "sent": sent_by(link),
        "preview": preview(reader, link.user, link.move),
        "board": drawn(reader, Taps(marked=button.places), by_mail=True),
    }
    return render(request, "web/match/move_link.html", facts, status=problem.status if problem else 200)
