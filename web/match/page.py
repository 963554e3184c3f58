"""The page of a match: the board, what has happened, whose turn it is, and what the reader can do."""

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

from accounts.models import MailFrequency, User
from core.problems import Problem
from core.rate_limits import seconds_to_wait
from core.times import clock_time, rounded
from games.engine.choices import Choices
from games.engine.fairness import fingerprint
from games.engine.registry import engines
from games.engine.text import listing
from games.models import Event, Move, Phase, Seat
from games.selectors import access, history, lists, match_log, presenters
from games.selectors.loading import match_name
from games.services import visits
from games.services.preview import preview_move
from games.shapes import MovePreview, MoveRefused
from stream.responses import signals
from web.board_html import Drawing, Taps, draw
from web.controls import Controls, controls
from web.drafts import Draft, draft_of_move, opened
from web.fairness import fingerprint_of, shown_to
from web.match.before_start import facts_of
from web.match.beside import beside_the_table
from web.match.points import chart, standings
from web.match.reading import Reader, match_page, reader_for, reader_of
from web.visitors import match_session, player, player_session

MOST_EVENTS = 12
MOST_NEWS = 5
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
    reader = reader_for(request, match_id, user)
    token = token or request.GET.get("draft", "")
    was_choosing = "choosing" in request.GET  # an open page was updated in the middle of a move
    facts = about(reader) | on_the_table(reader, token, request.GET.get("since", ""), was_choosing=was_choosing)
    facts["problem"] = problem
    facts["playing_as"] = playing_as(request, reader)
    if user and user.is_guest:
        facts["games"] = engines()
    if not reader.loaded.match.started_at:
        facts |= facts_of(reader.loaded, user)
    if reader.seat and user:
        facts["shown"] = shown_to(user, reader.loaded, facts.get("sealed"))
    if is_visit(request):
        visits.record(reader.loaded, user)
    response = render(request, "web/match/page.html", facts, status=problem.status if problem else 200)
    for name, value in (problem.headers if problem else {}).items():
        response.headers[name] = value
    return response


def is_visit(request: HttpRequest) -> bool:
    """Return whether a person sees the response. Browsers also fetch pages in advance, in case somebody opens them."""
    purposes = (request.headers.get(name, "") for name in ("Sec-Purpose", "Purpose", "X-Moz"))
    return request.method != "HEAD" and not any("prefetch" in purpose for purpose in purposes)


def playing_as(request: HttpRequest, reader: Reader) -> str:
    """Return the player's name if they entered through a link in an email, which lets them play only this match."""
    entered = match_session(request, reader.loaded.match.id)
    is_entered = reader.user is not None and entered is not None and entered.user == reader.user
    return reader.user.name if is_entered and reader.user and not reader.user.is_guest else ""


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
        "has_result": loaded.match.phase == Phase.FINISHED,
        "own": reader.seat,
        "user": reader.user,
        "is_logged_in": reader.is_logged_in,
        "players": [shown_seat(reader, seat) for seat in loaded.seats],
        "headline": headline(reader),
        "what_next": what_next(reader),
        "deadline": deadline(reader),
        "bouncing": listing([user.name for user in reader.bouncing]),
        "is_my_turn": is_my_turn(reader),
        "version": version(reader),
        "own_move": own_move(reader),
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
    own = reader.seat if is_my_turn(reader) else None
    if loaded.match.phase != Phase.RUNNING or not awaited:
        return own_place(reader) or str(PHASES[Phase(loaded.match.phase)])
    if own:
        return _("It's your turn.")
    if len(awaited) == 1:
        return _("It's %(name)s's turn.") % {"name": awaited[0].player_name}
    return _("Waiting for %(names)s.") % {"names": names_of(awaited)}


def names_of(seats: Sequence[Seat]) -> str:
    return listing([seat.player_name for seat in seats])


PLACES = {
    1: gettext_lazy("You won."),
    2: gettext_lazy("You came second."),
    3: gettext_lazy("You came third."),
    4: gettext_lazy("You came fourth."),
    5: gettext_lazy("You came fifth."),
}


def own_place(reader: Reader) -> str:
    """Tell a player their result. It is empty for spectators, and if there is no result."""
    place = reader.seat.place if reader.seat else None
    if place is None:
        return ""
    is_shared = sum(seat.place == place for seat in reader.loaded.seats) > 1
    return _("You share first place.") if is_shared and place == 1 else str(PLACES.get(place, ""))


def what_next(reader: Reader) -> str:
    """Tell a player who is waiting how they will know that it's their turn, and tell a player whose turn it is who else
    has to move."""
    seat, user = reader.seat, reader.user
    if reader.loaded.match.phase != Phase.RUNNING or seat is None or user is None or seat.has_stand_in:
        return ""
    if seat.awaited_since:
        others = [other for other in reader.loaded.seats if other.awaited_since and other is not seat]
        return _("Also waiting for %(names)s.") % {"names": names_of(others)} if others else ""
    if user.is_guest or seat.is_muted or user.mail_frequency == MailFrequency.NEVER:
        return _("This page tells you when it's your turn.")
    return _("You'll get an email when it's your turn.")


def deadline(reader: Reader) -> str:
    """Show the reader's own deadline or, if it isn't their turn, the latest deadline of the other players.

    Times are in the reader's time zone.
    """
    loaded, seat = reader.loaded, reader.seat
    if loaded.match.phase != Phase.RUNNING:
        return ""
    if loaded.match.paused_until and loaded.match.paused_until > timezone.now():
        until = clock_time(loaded.match.paused_until, reader.zone)
        return _("The match is paused until %(until)s.") % {"until": until}
    own = seat.deadline if seat and is_my_turn(reader) else None
    others = [other.deadline for other in loaded.seats if other.awaited_since and other.deadline]
    latest = own or max(others, default=None)
    if latest is None:
        return ""
    left, at = latest - timezone.now(), clock_time(latest, reader.zone)
    if left.total_seconds() > 0:
        return _("%(left)s left, until %(at)s.") % {"left": rounded(left), "at": at}
    return _("Time ran out on %(at)s.") % {"at": at}


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


def on_the_table(reader: Reader, token: str, asked_since: str, *, was_choosing: bool) -> dict[str, Any]:
    loaded = reader.loaded
    draft, is_stale = draft_of(reader, token)
    since = since_when(reader, asked_since)
    is_stale = is_stale or was_choosing
    facts: dict[str, Any] = {
        "draft": "" if is_stale else token,
        "is_stale": is_stale,
        "since": since,
        "news": told(reader, match_log.events(loaded, after=since, newest_first=True, most=MOST_NEWS))
        if reader.seat
        else [],
        "has_more_news": loaded.match.events_made - since > MOST_NEWS,
        "events": told(reader, match_log.events(loaded, newest_first=True, most=MOST_EVENTS)),
        "server": settings.PUBLIC_URL,
        **beside_the_table(reader),
    }
    if not loaded.match.encrypted_state:
        return facts
    offered = controls(loaded.engine, choices_of(reader), draft)
    return facts | {
        "board": drawn(reader, offered.taps, has_own_notes=not offered.shows_hand),
        "controls": offered,
        "fingerprint": fingerprint(loaded.match.head),
        "fingerprint_of": fingerprint_of(loaded.match),
        **decision(reader, offered),
        **ended(reader),
    }


def draft_of(reader: Reader, token: str) -> tuple[Draft, bool]:
    """Return the draft in the URL, and whether the board has changed since it was started.

    A player who has sealed a move starts from that move.
    """
    found = opened(token, reader.loaded.match.id, reader.user.pk) if token and reader.user else None
    if found is None:
        pending = lists.pending_move(reader.loaded, reader.seat)
        move = sealed_in(reader, pending) if pending else None
        return (draft_of_move(reader.loaded.engine, choices_of(reader), move) if move else Draft()), False
    turn, draft = found
    return (draft, False) if turn == reader.loaded.match.turn else (Draft(), True)


def since_when(reader: Reader, asked: str) -> int:
    """Return the number of the last event that the reader has seen.

    A page that stays open keeps showing what was new when it was opened.
    """
    if asked.isdecimal() and len(asked) < 9:
        return int(asked)
    return reader.seat.last_seen if reader.seat else 0


def told(reader: Reader, rows: Sequence[Event]) -> list[str]:
    """Describe events in the order in which they happened. They are passed in with the newest first."""
    number = reader.number
    return [presenters.event_text(reader.loaded, row, number) for row in reversed(rows) if row.is_for(number)]


def choices_of(reader: Reader) -> Choices[Any]:
    loaded, seat = reader.loaded, reader.seat
    if seat is None or seat.number is None or loaded.match.phase != Phase.RUNNING or seat.stand_in_since:
        return NO_CHOICES
    return loaded.engine.choices(loaded.state, seat.number)


def drawn(reader: Reader, taps: Taps, *, by_mail: bool = False, has_own_notes: bool = True) -> Drawing:
    """Render the board. With `by_mail`, show only what the email also showed."""
    loaded = reader.loaded
    view = presenters.as_it_ended(loaded, loaded.engine.view(loaded.state, reader.number))
    view = loaded.engine.mailable(view) if by_mail else view
    return draw(loaded.engine.board(view, loaded.names_for(reader.number)), taps, has_own_notes=has_own_notes)


def decision(reader: Reader, offered: Controls) -> dict[str, Any]:
    """Return a preview of the complete move, the sealed move that can still be replaced, and a key that protects
    against double taps."""
    pending = lists.pending_move(reader.loaded, reader.seat)
    chosen = offered.confirm or offered.only
    facts: dict[str, Any] = {"sealed": sealed_move(reader, pending)}
    if chosen and reader.user and reader.number is not None:
        facts["key"] = move_key(reader, reader.number, chosen.value)
        facts["preview"] = preview(reader, reader.user, chosen.value) if offered.confirm else None
        facts["is_last"] = reader.loaded.engine.awaiting(reader.loaded.state) <= {reader.number}
    return facts


def move_key(reader: Reader, seat: int, move: str) -> str:
    """Return the same key for two taps on one button, but a new one after the player's sealed move has changed."""
    basis = [reader.loaded.match.id, reader.loaded.match.turn, seat, move, own_last_change(reader, seat)]
    return f"web-{sha256(repr(basis).encode()).hexdigest()[:40]}"


def own_last_change(reader: Reader, seat: int) -> datetime | None:
    made = reader.loaded.match.moves.filter(turn=reader.loaded.match.turn, seat=seat)
    return made.order_by("-made_at").values_list("made_at", flat=True).first()


def preview(reader: Reader, user: User, move: str) -> MovePreview | MoveRefused | None:
    """Preview a move. Return None after too many previews, because each preview plays the move many times."""
    if seconds_to_wait("dry_run", str(user.pk)):
        return None
    match = reader.loaded.match
    return preview_move(match_id=match.id, user=user, move=move, turn=match.turn)


def sealed_move(reader: Reader, pending: Move | None) -> Mapping[str, Any] | None:
    if pending is None:
        return None
    engine, move = reader.loaded.engine, sealed_in(reader, pending)
    withdrawal = engine.notation(engine.withdrawal) if engine.withdrawal else ""
    return {
        "label": engine.button(move).label,
        "notation": engine.notation(move),
        "receipt": presenters.pending_receipt(pending),
        "withdrawal": withdrawal,
    }


def sealed_in(reader: Reader, pending: Move) -> Any:
    return reader.loaded.engine.moves.load(history.content(pending))


def ended(reader: Reader) -> dict[str, Any]:
    if reader.loaded.match.phase != Phase.FINISHED:
        return {}
    return {"standings": standings(reader.loaded, reader.seat), "chart": chart(reader.loaded)}


def version(reader: Reader) -> str:
    """Return a version that changes whenever other people change something on the page."""
    loaded, match = reader.loaded, reader.loaded.match
    seats = [
        (seat.user_id, bool(seat.awaited_since), seat.deadline, seat.has_stand_in, seat.wants_to_abandon)
        for seat in loaded.seats
    ]
    facts: list[Any] = [match.phase, match.turn, match.events_made, match.paused_until, seats]
    if reader.seat:
        facts.append(own_move(reader))
        facts.append([user.pk for user in reader.bouncing])
        facts.append(match.messages.aggregate(Max("id")))
        facts.append(list(match.proposals.order_by("id").values_list("id", "status", "votes")))
    return f"{match.turn}-{sha256(repr(facts).encode()).hexdigest()[:20]}"


def own_move(reader: Reader) -> str:
    """Return a value that changes when the player makes, replaces or withdraws a move, perhaps in another tab."""
    made = own_last_change(reader, reader.number) if reader.number is not None else None
    return made.isoformat() if made else ""


@require_safe
@match_page
def live(request: HttpRequest, match_id: str) -> HttpResponse:
    """Say whether the page has changed. An open page asks regularly, so most responses have no body."""
    reader = reader_of(request, match_id)
    tag = f'"{version(reader)}"'
    if request.headers.get("If-None-Match", "").removeprefix("W/") == tag:
        response: HttpResponse = HttpResponseNotModified()
    else:
        match = reader.loaded.match
        news = {"turn": match.turn, "phase": match.phase, "my_turn": is_my_turn(reader), "own_move": own_move(reader)}
        news["is_player"] = reader.seat is not None
        response = JsonResponse(news)
    response.headers["ETag"] = tag
    response.headers["Cache-Control"] = "private, no-cache"
    return response


@require_safe
@match_page
def stream(request: HttpRequest, match_id: str) -> HttpResponse:
    """Tell a player's open page immediately when something happens in the match."""
    reader, session = reader_of(request, match_id), player_session(request, match_id)
    if session is None or reader.seat is None:
        raise access.no_such_match(match_id)
    return signals(request, session, match_id)
