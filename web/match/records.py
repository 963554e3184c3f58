"""Pages for past positions, the whole log, the rules, the proof of an ended match, and an export."""

from collections.abc import Iterable
from itertools import groupby
from typing import Any

import msgspec
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from core.refusals import Conflict, Refused
from core.times import clock_time
from games.api.matches import shown
from games.engine.proof import ProofFailed, verify
from games.models import Event
from games.selectors import history, lists, match_log, presenters, proofs
from web.board_html import draw
from web.fairness import fingerprint_of, shown_to
from web.forms import attempt, count
from web.match.page import about, sealed_move
from web.match.reading import Reader, match_page, reader_of
from web.match.reviews import decision_on
from web.rules import rules_html
from web.visitors import to_login

MOST_EVENTS = 200
KEPT_SECONDS = 24 * 3600


@never_cache
@require_safe
@match_page
def log(request: HttpRequest, match_id: str) -> HttpResponse:
    """Show a page of the log, with the oldest events first."""
    reader = reader_of(request, match_id)
    since = number_in(request, "since", 0)
    rows = match_log.events(reader.loaded, after=since, most=MOST_EVENTS + 1)
    facts = {"turns": by_turn(reader, rows[:MOST_EVENTS]), "since": since}
    if len(rows) > MOST_EVENTS:
        facts["later"] = rows[MOST_EVENTS - 1].number
    return render(request, "web/match/log.html", about(reader) | facts)


def by_turn(reader: Reader, rows: Iterable[Event]) -> list[dict[str, Any]]:
    seen = [row for row in rows if row.is_for(reader.number)]
    return [
        {
            "number": turn,
            "at": clock_time(happened[0].happened_at, reader.zone),
            "events": [presenters.event_text(reader.loaded, row, reader.number) for row in happened],
        }
        for turn, group in groupby(seen, key=lambda row: row.turn)
        if (happened := list(group))
    ]


def number_in(request: HttpRequest, name: str, default: int) -> int:
    asked = request.GET.get(name, "")
    return int(asked) if asked.isdecimal() and len(asked) < 9 else default


@never_cache
@require_safe
@match_page
def past(request: HttpRequest, match_id: str) -> HttpResponse:
    """Show a past position as the reader saw it. This is rate-limited, because it replays the whole match."""
    reader = reader_of(request, match_id)
    last = max(reader.loaded.match.turn, 1)
    turn = min(max(number_in(request, "turn", last), 1), last)
    facts = about(reader) | {"turn": turn, "last": last, "earlier": turn - 1, "later": turn + 1 if turn < last else 0}

    def position() -> HttpResponse:
        if reader.user:
            count("boards", reader.user)
        reviewed = {"decision": decision_on(reader, turn)}
        return render(request, "web/match/history.html", facts | position_at(reader, turn) | reviewed)

    return attempt(
        position,
        lambda problem: render(request, "web/match/history.html", facts | {"problem": problem}, status=problem.status),
    )


def position_at(reader: Reader, turn: int) -> dict[str, Any]:
    loaded = reader.loaded
    found = history.boards(loaded, reader.number, turn - 1, 1).boards
    if not found:
        return {}
    (board,) = found
    return {
        "board": draw(loaded.engine.board(board.view, loaded.names_for(reader.number))),
        "turns": by_turn(reader, match_log.events(loaded, turn=turn)),
    }


@require_safe
@match_page
def rules(request: HttpRequest, match_id: str) -> HttpResponse:
    reader = reader_of(request, match_id)
    page = rules_html(reader.loaded.match.game, reader.loaded.match.rules)
    return render(request, "web/match/rules.html", about(reader) | {"rules": page})


@never_cache
@require_safe
@match_page
def proof(request: HttpRequest, match_id: str) -> HttpResponse:
    """Show the checks that this server can make. Players who don't trust it can repeat them on their own machines."""
    reader = reader_of(request, match_id)
    facts = about(reader) | {"fairness": presenters.fairness_of(reader.loaded, reader.user)}
    facts["fingerprint_of"] = fingerprint_of(reader.loaded.match)
    if reader.seat and reader.user:
        pending = sealed_move(reader, lists.pending_move(reader.loaded, reader.seat))
        facts["shown"] = shown_to(reader.user, reader.loaded, pending)
    try:
        facts |= checked_proof(reader)
    except Conflict as not_over:
        facts["not_yet"] = not_over
    return render(request, "web/match/proof.html", facts)


def checked_proof(reader: Reader) -> dict[str, Any]:
    """Check the proof at most once a day, because an ended match no longer changes."""
    key = f"proof:{reader.loaded.match.id}"
    found: dict[str, Any] | None = cache.get(key)
    if found is None:
        try:
            found = {"checks": verify(proofs.proof(reader.loaded)).checks}
        except ProofFailed as failed:
            found = {"failure": failed.message}
        cache.set(key, found, KEPT_SECONDS)
    return found


@never_cache
@require_safe
@match_page
def proof_file(request: HttpRequest, match_id: str) -> HttpResponse:
    reader = reader_of(request, match_id)
    try:
        document = proofs.proof(reader.loaded)
    except Refused as refused:
        return render(request, "web/match/proof.html", about(reader) | {"refused": refused}, status=409)
    return as_file(document, f"proof-{match_id}.json")


@never_cache
@require_safe
@match_page
def export(request: HttpRequest, match_id: str) -> HttpResponse:
    """Send everything the reader can see in the match as one file."""
    reader = reader_of(request, match_id)
    if reader.seat and not reader.is_logged_in:
        return to_login(request)
    loaded = reader.loaded
    pending = lists.pending_move(loaded, reader.seat)
    messages = lists.messages(match_id, reader.user).order_by("-id") if reader.user and reader.seat else ()
    document = {
        "match": shown(loaded, reader.user),
        "log": [presenters.event(event, loaded, reader.seat) for event in match_log.events(loaded)],
        "receipts": presenters.receipts(loaded, pending),
        "messages": [presenters.message(message) for message in messages],
        "proof": msgspec.Raw(proofs.proof(loaded)) if loaded.match.phase in proofs.ENDED else None,
    }
    return as_file(msgspec.json.encode(document), f"match-{match_id}.json")


def as_file(content: bytes, name: str) -> HttpResponse:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(content, content_type="application/json", headers=headers)
