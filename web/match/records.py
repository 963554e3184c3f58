"""Past positions, the whole log, the rules, the proof of an ended match, and an export."""

from collections.abc import Iterable
from functools import lru_cache
from itertools import groupby
from typing import Any

import msgspec
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from markdown_it import MarkdownIt

from core.refusals import Conflict, Refused
from core.times import clock_time
from games.api.matches import shown
from games.engine.proof import ProofFailed, verify
from games.engine.registry import engine
from games.models import Event
from games.selectors import history, lists, presenters, proofs
from web.board_html import draw
from web.forms import attempt, count
from web.match.page import about
from web.match.reading import Reader, match_page, reader_of

MOST_EVENTS = 200
KEPT_SECONDS = 24 * 3600
SCROLLED = '<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>'
END = "</table></div>"


@never_cache
@require_safe
@match_page
def log(request: HttpRequest, match_id: str) -> HttpResponse:
    """Show a page of events, oldest first."""
    reader = reader_of(request, match_id)
    since = number_in(request, "since", 0)
    rows = list(lists.events(reader.loaded, since).order_by("number")[: MOST_EVENTS + 1])
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
            "events": [
                presenters.event_text(reader.loaded, history.event_content(row), reader.number) for row in happened
            ],
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
    """Show one past position as the reader saw it. This replays the whole match, so it is rate limited."""
    reader = reader_of(request, match_id)
    last = max(reader.loaded.match.turn, 1)
    turn = min(max(number_in(request, "turn", last), 1), last)
    facts = about(reader) | {"turn": turn, "last": last, "earlier": turn - 1, "later": turn + 1 if turn < last else 0}

    def position() -> HttpResponse:
        if reader.user:
            count("boards", reader.user)
        return render(request, "web/match/history.html", facts | position_at(reader, turn))

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
    events = loaded.match.events.filter(turn=turn).order_by("number")
    return {
        "board": draw(loaded.engine.board(board.view, loaded.names_for(reader.number))),
        "turns": by_turn(reader, events),
    }


@require_safe
@match_page
def rules(request: HttpRequest, match_id: str) -> HttpResponse:
    reader = reader_of(request, match_id)
    page = rules_html(reader.loaded.match.game, reader.loaded.match.rules)
    return render(request, "web/match/rules.html", about(reader) | {"rules": page})


@lru_cache(maxsize=32)
def rules_html(game: str, version: int) -> SafeString:
    """Render the rules, which are our own text. The page has its own main heading, so the others move down a level."""
    page = engine(game, version).rules_page().replace("\n#", "\n##")
    html: str = MarkdownIt("commonmark", {"html": False}).enable("table").render(f"#{page}")
    tables = html.replace("<th></th>", "<td></td>").replace("<table>", SCROLLED).replace("</table>", END)
    return mark_safe(tables)  # noqa: S308


@never_cache
@require_safe
@match_page
def proof(request: HttpRequest, match_id: str) -> HttpResponse:
    """Show the checks that this server can make. Players who don't trust it can repeat them on their own machines."""
    reader = reader_of(request, match_id)
    facts = about(reader) | {"fairness": presenters.fairness_of(reader.loaded, reader.user)}
    try:
        facts |= checked_proof(reader)
    except Conflict as not_over:
        facts["refused"] = not_over
    return render(request, "web/match/proof.html", facts)


def checked_proof(reader: Reader) -> dict[str, Any]:
    """Check the proof at most once a day, because a match that has ended no longer changes."""
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
    loaded = reader.loaded
    pending = lists.pending_move(loaded, reader.seat)
    messages = lists.messages(match_id, reader.user).order_by("-id") if reader.user and reader.seat else ()
    document = {
        "match": shown(loaded, reader.user),
        "log": [presenters.event(event, loaded, reader.seat) for event in lists.events(loaded, 0).order_by("number")],
        "receipts": presenters.receipts(loaded, pending),
        "messages": [presenters.message(message) for message in messages],
        "proof": msgspec.Raw(proofs.proof(loaded)) if loaded.match.phase in proofs.ENDED else None,
    }
    return as_file(msgspec.json.encode(document), f"match-{match_id}.json")


def as_file(content: bytes, name: str) -> HttpResponse:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(content, content_type="application/json", headers=headers)
