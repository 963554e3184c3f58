"""The page of a match: the board, what happened, whose turn it is, and what the reader can do."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any

from django.conf import settings
from django.db.models import Max
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified, JsonResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.models import User
from clock import proposals
from clock.api.proposals import presented
from core.problems import Problem
from core.rate_limits import seconds_to_wait
from core.times import clock_time, rounded
from games.engine.choices import Choices
from games.engine.text import listing
from games.models import Event, Message, Move, Phase, Seat
from games.selectors import access, history, lists, presenters
from games.selectors.loading import match_name
from games.services import visits
from games.services.preview import preview_move
from games.shapes import MovePreview, MoveRefused
from web.board_html import Drawing, Taps, draw
from web.controls import Controls, controls
from web.drafts import Draft, opened
from web.lobby.before_start import facts_of
from web.match.points import chart, standings
from web.match.reading import Reader, match_page, reader_of
from web.visitors import player

MOST_EVENTS = 12
MOST_NEWS = 5
MOST_MESSAGES = 30
NO_CHOICES: Choices[Any] = Choices()


@never_cache
@require_safe
@match_page
def show(request: HttpRequest, match_id: str) -> HttpResponse:
    return page(request, match_id, player(request, match_id))


def page(
    request: HttpRequest, match_id: str, user: User | None, problem: Problem | None = None, token: str = ""
) -> HttpResponse:
    """Render the page. If an action was refused, show the problem."""
    reader = Reader(access.visible_match(match_id, user), user)
    token = token or request.GET.get("draft", "")
    facts = about(reader) | on_the_table(reader, token, request.GET.get("since", "")) | {"problem": problem}
    if not reader.loaded.match.started_at:
        facts |= facts_of(reader.loaded, user)
    visits.record(reader.loaded, user)
    response = render(request, "web/match/page.html", facts, status=problem.status if problem else 200)
    for name, value in (problem.headers if problem else {}).items():
        response.headers[name] = value
    return response


def about(reader: Reader) -> dict[str, Any]:
    """Return the data that all pages of a match show."""
    loaded = reader.loaded
    return {
        "match": loaded.match,
        "name": loaded.match.title or match_name(loaded, reader.seat),
        "game": loaded.engine.title,
        "phase": PHASES[Phase(loaded.match.phase)],
        "is_running": loaded.match.phase == Phase.RUNNING,
        "is_gathering": loaded.match.phase == Phase.GATHERING,
        "has_ended": loaded.match.ended_at is not None,
        "own": reader.seat,
        "user": reader.user,
        "players": [shown_seat(reader, seat) for seat in loaded.seats],
        "headline": headline(reader),
        "deadline": deadline(reader),
        "is_my_turn": is_my_turn(reader),
        "version": version(reader),
    }


PHASES = {
    Phase.GATHERING: gettext_lazy("Waiting for players."),
    Phase.RUNNING: gettext_lazy("In progress."),
    Phase.FINISHED: gettext_lazy("Finished."),
    Phase.ABANDONED: gettext_lazy("Ended without a result."),
    Phase.CANCELLED: gettext_lazy("Canceled."),
    Phase.EXPIRED: gettext_lazy("Expired."),
}


def is_my_turn(reader: Reader) -> bool:
    seat = reader.seat
    return reader.loaded.match.phase == Phase.RUNNING and bool(seat and seat.awaited_since and not seat.has_stand_in)


def headline(reader: Reader) -> str:
    loaded, awaited = reader.loaded, [seat for seat in reader.loaded.seats if seat.awaited_since]
    if loaded.match.phase != Phase.RUNNING or not awaited:
        return str(PHASES[Phase(loaded.match.phase)])
    if len(awaited) == 1:
        return _("It's your turn.") if awaited[0] is reader.seat else f"It's {awaited[0].player_name}'s turn."
    names = ["you" if seat is reader.seat else seat.player_name for seat in awaited]
    return f"Waiting for {listing(sorted(names, key=lambda name: name != 'you'))}."


def deadline(reader: Reader) -> str:
    """Show the reader's own deadline, or else the latest deadline of those to move, in the reader's time zone."""
    loaded, seat = reader.loaded, reader.seat
    if loaded.match.phase != Phase.RUNNING:
        return ""
    if loaded.match.paused_until and loaded.match.paused_until > timezone.now():
        return f"The match is paused until {clock_time(loaded.match.paused_until, reader.zone)}."
    own = seat.deadline if seat and seat.awaited_since else None
    others = [other.deadline for other in loaded.seats if other.awaited_since and other.deadline]
    until = own or max(others, default=None)
    if until is None:
        return ""
    left = until - timezone.now()
    remaining = f"{rounded(left)} left, until" if left.total_seconds() > 0 else "Time was up"
    return f"{remaining} {clock_time(until, reader.zone)}."


@dataclass(frozen=True)
class ShownSeat:
    name: str
    is_own: bool
    is_awaited: bool
    has_stand_in: bool
    points: int | None
    place: int | None
    number: int | None


def shown_seat(reader: Reader, seat: Seat) -> ShownSeat:
    return ShownSeat(
        name=seat.player_name,
        is_own=seat is reader.seat,
        is_awaited=seat.awaited_since is not None,
        has_stand_in=reader.loaded.match.phase == Phase.RUNNING and seat.has_stand_in,
        points=seat.points,
        place=seat.place,
        number=seat.number,
    )


def on_the_table(reader: Reader, token: str, asked_since: str) -> dict[str, Any]:
    loaded = reader.loaded
    draft, is_stale = draft_of(reader, token)
    since = since_when(reader, asked_since)
    facts: dict[str, Any] = {
        "draft": "" if is_stale else token,
        "is_stale": is_stale,
        "since": since,
        "news": told(reader, lists.events(loaded, since).order_by("-number")[:MOST_NEWS]) if reader.seat else [],
        "has_more_news": loaded.match.events_made - since > MOST_NEWS,
        "events": told(reader, lists.events(loaded, 0).order_by("-number")[:MOST_EVENTS]),
        "server": settings.PUBLIC_URL,
        **talk(reader),
    }
    if not loaded.match.encrypted_state:
        return facts
    offered = controls(loaded.engine, choices_of(reader), draft)
    return facts | {
        "board": drawn(reader, offered.taps),
        "controls": offered,
        **decision(reader, offered),
        **ended(reader),
    }


def draft_of(reader: Reader, token: str) -> tuple[Draft, bool]:
    """Return the draft in the address, and whether the board has changed since it was started."""
    found = opened(token, reader.loaded.match.id, reader.user.pk) if token and reader.user else None
    if found is None:
        return Draft(), False
    turn, draft = found
    return (draft, False) if turn == reader.loaded.match.turn else (Draft(), True)


def since_when(reader: Reader, asked: str) -> int:
    """Return the last event that the reader knows. A page that stays open keeps showing what is new on it."""
    if asked.isdecimal() and len(asked) < 9:
        return int(asked)
    return reader.seat.last_seen if reader.seat else 0


def told(reader: Reader, rows: Sequence[Event] | Any) -> list[str]:
    """Describe events, given newest first, in the order in which they happened."""
    engine, names = reader.loaded.engine, reader.loaded.names_for(reader.number)
    return [
        engine.tell(engine.events.load(history.event_content(row)), names)
        for row in reversed(list(rows))
        if row.is_for(reader.number)
    ]


def choices_of(reader: Reader) -> Choices[Any]:
    loaded, seat = reader.loaded, reader.seat
    if seat is None or seat.number is None or loaded.match.phase != Phase.RUNNING or seat.stand_in_since:
        return NO_CHOICES
    return loaded.engine.choices(loaded.state, seat.number)


def drawn(reader: Reader, taps: Taps, *, by_mail: bool = False) -> Drawing:
    """Render the board. With `by_mail`, show only what the email showed too."""
    loaded = reader.loaded
    view = presenters.as_it_ended(loaded, loaded.engine.view(loaded.state, reader.number))
    view = loaded.engine.mailable(view) if by_mail else view
    return draw(loaded.engine.board(view, loaded.names_for(reader.number)), taps)


def decision(reader: Reader, offered: Controls) -> dict[str, Any]:
    """Return a preview of the complete move, the sealed move that can still be replaced, and a key against double
    taps."""
    pending = lists.pending_move(reader.loaded, reader.seat)
    chosen = offered.confirm or offered.only
    facts: dict[str, Any] = {"sealed": sealed_move(reader, pending)}
    if chosen and reader.user and reader.number is not None:
        facts["key"] = move_key(reader, reader.number, chosen.value)
        facts["preview"] = preview(reader, reader.user, chosen.value) if offered.confirm else None
    return facts


def move_key(reader: Reader, seat: int, move: str) -> str:
    """Return the same key for two taps on one button, but a new one after the player's sealed move has changed."""
    basis = [reader.loaded.match.id, reader.loaded.match.turn, seat, move, own_last_change(reader, seat)]
    return f"web-{sha256(repr(basis).encode()).hexdigest()[:40]}"


def own_last_change(reader: Reader, seat: int) -> datetime | None:
    made = reader.loaded.match.moves.filter(turn=reader.loaded.match.turn, seat=seat)
    return made.order_by("-made_at").values_list("made_at", flat=True).first()


def preview(reader: Reader, user: User, move: str) -> MovePreview | MoveRefused | None:
    """Preview a move. Return None after too many previews, because each one plays the move many times."""
    if seconds_to_wait("dry_run", str(user.pk)):
        return None
    match = reader.loaded.match
    return preview_move(match_id=match.id, user=user, move=move, turn=match.turn)


def sealed_move(reader: Reader, pending: Move | None) -> Mapping[str, Any] | None:
    if pending is None:
        return None
    engine = reader.loaded.engine
    move = engine.moves.load(history.content(pending))
    receipt = presenters.pending_receipt(pending)
    withdrawal = engine.notation(engine.withdrawal) if engine.withdrawal else ""
    return {"notation": engine.notation(move), "receipt": receipt, "withdrawal": withdrawal}


def talk(reader: Reader) -> dict[str, Any]:
    """Return messages, notes and proposals for players. A user who is offered a seat sees only the offer."""
    loaded, user = reader.loaded, reader.user
    if user is None:
        return {}
    if reader.seat is None:
        offered = proposals.seen_by(loaded, user) if proposals.is_offered_a_seat(loaded, user) else []
        return {"offers": [presented(loaded, one, user) for one in offered]}
    messages = lists.readable(loaded.match.messages.select_related("author"), user).order_by("-id")[:MOST_MESSAGES]
    note = loaded.match.notes.filter(user=user).first()
    open_ones = [presented(loaded, one, user) for one in proposals.seen_by(loaded, user)]
    return {
        "messages": [shown_message(reader, message) for message in reversed(list(messages))],
        "note": note.text if note else "",
        "proposals": [one for one in open_ones if one.status == "open"],
        "abandoning": [seat.player_name for seat in loaded.seats if seat.wants_to_abandon],
        "next_match": next_match(reader, user),
    }


def shown_message(reader: Reader, message: Message) -> dict[str, Any]:
    author = message.author.name if message.author else "A departed player"
    is_own = reader.user is not None and message.author_id == reader.user.pk
    at = clock_time(message.posted_at, reader.zone)
    return {"author": author, "text": message.text, "at": at, "id": message.pk, "is_own": is_own}


def next_match(reader: Reader, user: User) -> str:
    """Return the match that has waited longest for the reader."""
    waiting = user.seats.filter(awaited_since__isnull=False).exclude(match=reader.loaded.match)
    return waiting.order_by("awaited_since", "id").values_list("match", flat=True).first() or ""


def ended(reader: Reader) -> dict[str, Any]:
    if reader.loaded.match.phase != Phase.FINISHED:
        return {}
    return {"standings": standings(reader.loaded), "chart": chart(reader.loaded)}


def version(reader: Reader) -> str:
    """Return a version that changes with everything on the page that others can change."""
    loaded, match = reader.loaded, reader.loaded.match
    seats = [
        (seat.user_id, bool(seat.awaited_since), seat.deadline, seat.has_stand_in, seat.wants_to_abandon)
        for seat in loaded.seats
    ]
    facts: list[Any] = [match.phase, match.turn, match.events_made, match.paused_until, seats]
    if reader.seat:
        facts.append(match.messages.aggregate(Max("id")))
        facts.append(list(match.proposals.order_by("id").values_list("id", "status", "votes")))
    return f"{match.turn}-{sha256(repr(facts).encode()).hexdigest()[:20]}"


@require_safe
@match_page
def live(request: HttpRequest, match_id: str) -> HttpResponse:
    """Say whether the page has changed. An open page asks regularly, so the usual response has no body."""
    reader = reader_of(request, match_id)
    tag = f'"{version(reader)}"'
    if request.headers.get("If-None-Match", "").removeprefix("W/") == tag:
        response: HttpResponse = HttpResponseNotModified()
    else:
        response = JsonResponse({"turn": reader.loaded.match.turn, "my_turn": is_my_turn(reader)})
    response.headers["ETag"] = tag
    response.headers["Cache-Control"] = "private, no-cache"
    return response
