"""Give, change and withdraw standing orders, and follow them inside the transaction of the previous move.

Orders are based only on what their owner can see. If no order applies, or something unforeseen happens, the player is
asked to move as usual and told why.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.db import transaction
from django.utils import timezone
from msgspec.structs import replace

from accounts.export import exports
from accounts.models import User
from core.announcements import listens_to
from core.refusals import Conflict, Invalid, NotFound
from games import shapes
from games.engine import orders as order_language
from games.engine.errors import BadOrder, IllegalMove
from games.engine.orders import Ask, Language, Play, Reading, Rule, Unforeseen
from games.models import Phase, Seat, Source
from games.selectors import access
from games.selectors.loading import LoadedMatch
from games.selectors.orders import NONE, OrderNote, StoredOrder, StoredOrders, encrypted, orders_of, presented
from games.services import moves
from games.services.announcements import MoveMade, SeatsToMove
from games.services.moves import Actor

MOST_LINES = 20
MOST_MOVES_AT_ONCE = 100
"""The maximum number of moves that the standing orders of all players make in one transaction."""
LASTS = timedelta(days=60)
LONGEST = timedelta(days=366)
MOST_NOTES = 5
TOO_MANY_MOVES = f"Standing orders have made {MOST_MOVES_AT_ONCE} moves in a row."
SOME_EXPIRED = "A standing order has expired."


@transaction.atomic
def add_orders(match_id: str, user: User, lines: Sequence[str]) -> shapes.StandingOrders:
    """Add lines below the existing ones."""
    draft = draft_of(match_id, user)
    draft.lines += draft.read(lines)
    return draft.keep()


@transaction.atomic
def replace_orders(match_id: str, user: User, lines: Sequence[str]) -> shapes.StandingOrders:
    """Replace all lines. An empty list withdraws all standing orders."""
    draft = draft_of(match_id, user)
    draft.lines = draft.read(lines)
    return draft.keep()


@transaction.atomic
def withdraw_order(match_id: str, user: User, number: int) -> shapes.StandingOrders:
    draft = draft_of(match_id, user)
    if not 1 <= number <= len(draft.lines):
        message = f"You have no standing order {number} in this match."
        raise NotFound("no_such_order", message, "List your standing orders.")
    del draft.lines[number - 1]
    return draft.keep()


@transaction.atomic
def resume_orders(match_id: str, user: User) -> shapes.StandingOrders:
    """Resume stopped orders."""
    return draft_of(match_id, user).keep()


def draft_of(match_id: str, user: User) -> "Draft":
    """Lock the match, and return the player's orders in a form that can be changed."""
    loaded = access.visible_match(match_id, user, lock=True)
    seat = access.own_seat(loaded, user)
    access.require_phase(loaded, Phase.RUNNING)
    access.require_not_resigned(seat)
    if seat.stand_in_since:
        raise Conflict("stand_in_plays", "A stand-in is playing your seat.", "Take your seat back first, with 'back'.")
    return Draft(loaded, seat, user, require_language(loaded), list(orders_of(seat).lines))


def require_language(loaded: LoadedMatch) -> Language[Any, Any]:
    if loaded.engine.orders is None:
        message = f"{loaded.engine.title} doesn't support standing orders."
        raise Conflict("no_standing_orders", message, "Make your moves yourself.")
    return loaded.engine.orders


@dataclass
class Draft:
    """A player's orders while they are being changed."""

    loaded: LoadedMatch
    seat: Seat
    user: User
    language: Language[Any, Any]
    lines: list[StoredOrder]

    def read(self, lines: Sequence[str]) -> list[StoredOrder]:
        """Read and check new lines. Raise Invalid with the number of the first invalid line."""
        view, read = self.loaded.engine.view(self.loaded.state, self.seat.drawn), []
        for number, text in enumerate(lines, start=1):
            try:
                for order, reading in order_language.read_all(self.language, text):
                    reading.rule.check(view)
                    self.check_now(reading.rule, view)
                    read.append(self.stored(order, reading, view))
            except (BadOrder, IllegalMove) as bad:
                raise Invalid(bad.code, bad.message, bad.hint, line=number, **bad.data) from None
        return read

    def stored(self, text: str, reading: Reading, view: Any) -> StoredOrder:
        return StoredOrder(
            text=" ".join(text.split()),
            until=expiry(reading, self.user),
            unit=reading.unit,
            last=self.language.starts(reading.unit, view) + reading.span - 1 if reading.unit else 0,
            uses=reading.uses,
            is_sealed=reading.rule.seals,
            is_brief=bool(reading.rule.unit),
        )

    def check_now(self, rule: Rule[Any, Any], view: Any) -> None:
        """Raise IllegalMove if the order applies now but its move is not legal."""
        engine, state, seat = self.loaded.engine, self.loaded.state, self.seat.drawn
        if self.seat.awaited_since:
            try:
                move = rule.move(view, engine.choices(state, seat))
            except Unforeseen as reason:
                raise IllegalMove("cannot_apply", str(reason), "Change the order.") from None
            if refusal := None if move is None else engine.refusal(state, seat, move):
                raise refusal

    def keep(self) -> shapes.StandingOrders:
        """Store the orders. If it is the player's turn and an order applies, its move is played immediately."""
        if len(self.lines) > MOST_LINES:
            given = len(self.lines)
            message = (
                f"You can have at most {MOST_LINES} standing orders in a match; with these, you would have {given}."
            )
            raise Invalid("too_many_orders", message, "Withdraw some first.", allowed=MOST_LINES)
        loaded, seat, known = self.loaded, self.seat, len(self.loaded.happened)
        store(seat, StoredOrders(self.user.pk, tuple(self.lines)))
        moves.play_on(loaded, timezone.now(), watching=seat)
        moves.write(loaded)
        return presented(loaded, seat, moves.seen_events(loaded, seat.drawn, loaded.happened[known:]))


def expiry(reading: Reading, user: User) -> datetime:
    now = timezone.now()
    if not reading.until:
        return now + LASTS
    try:
        end = datetime.combine(date.fromisoformat(reading.until), time.max, ZoneInfo(user.time_zone)).astimezone(UTC)
    except ValueError:
        raise Invalid("bad_day", f"'{reading.until}' isn't a day.", "Example: until 2026-12-24") from None
    if end < now:
        raise Invalid("in_the_past", f"{reading.until} has already passed.", "Choose a later day.")
    if end > now + LONGEST:
        raise Invalid("too_far_ahead", "A standing order lasts at most 366 days.", "Choose an earlier day.")
    return end


def store(seat: Seat, orders: StoredOrders) -> None:
    seat.encrypted_orders = encrypted(orders)


@listens_to(SeatsToMove)
def follow_orders(ready: SeatsToMove) -> None:
    """Follow the orders of all players whose turn it is, until each of these players has to decide in person."""
    loaded = ready.loaded
    while seat := next_with_orders(loaded):
        follow(loaded, seat, ready)


def next_with_orders(loaded: LoadedMatch) -> Seat | None:
    if loaded.match.phase != Phase.RUNNING:
        return None
    return next((seat for seat in loaded.seats if may_act(loaded, seat)), None)


def may_act(loaded: LoadedMatch, seat: Seat) -> bool:
    if not (seat.encrypted_orders and seat.awaited_since and seat.is_present):
        return False
    orders = orders_of(seat)
    return bool(orders.lines) and not orders.stopped and orders.asked_turn != loaded.match.turn


def follow(loaded: LoadedMatch, seat: Seat, ready: SeatsToMove) -> None:
    """Make one move for the seat, or leave the turn to its player and note why."""
    engine, language = loaded.engine, require_language(loaded)
    view = engine.view(loaded.state, seat.drawn)
    orders = without_expired(loaded, orders_of(seat), language, view, ready.at)
    if loaded.orders_followed >= MOST_MOVES_AT_ONCE:
        decision: Play | Ask = Ask(TOO_MANY_MOVES)
    else:
        decision = decide(language, orders, view, engine.choices(loaded.state, seat.drawn))
    if isinstance(decision, Play):
        try:
            actor = Actor(Source.STANDING_ORDER)
            moves.make_move(loaded, seat, decision.move, actor, at=ready.at, watching=ready.watching)
        except IllegalMove as refusal:
            decision = Ask(f"Standing order {decision.line + 1} can't be played. {refusal.message}", is_stopped=True)
        else:
            loaded.orders_followed += 1
            if loaded.match.phase == Phase.RUNNING:
                store(seat, used(orders, decision.line))
            return
    noted = note(loaded, orders, decision.reason) if orders.lines else orders
    store(seat, replace(noted, asked_turn=loaded.match.turn, stopped=decision.reason if decision.is_stopped else ""))


def decide(language: Language[Any, Any], orders: StoredOrders, view: Any, choices: Any) -> Play | Ask:
    """Follow the lines as they were understood when they were given, because an update of Turnpost may have changed the
    language."""
    rules: list[Rule[Any, Any]] = []
    for number, line in enumerate(orders.lines, start=1):
        try:
            rules.append(order_language.read(language, line.text).rule)
        except BadOrder as bad:
            return Ask(f"Standing order {number} is no longer valid. {bad.message}", is_stopped=True)
    return order_language.decide(rules, view, choices)


def without_expired(
    loaded: LoadedMatch, orders: StoredOrders, language: Language[Any, Any], view: Any, now: datetime
) -> StoredOrders:
    expired = [
        line
        for line in orders.lines
        if line.until <= now or line.uses == 0 or (line.unit and language.units[line.unit](view) > line.last)
    ]
    kept = replace(orders, lines=tuple(line for line in orders.lines if line not in expired))
    return kept if all(line.is_brief for line in expired) else note(loaded, kept, SOME_EXPIRED)


def used(orders: StoredOrders, number: int) -> StoredOrders:
    line = orders.lines[number]
    if line.uses is None:
        return orders
    left = replace(line, uses=line.uses - 1)
    return replace(orders, lines=(*orders.lines[:number], left, *orders.lines[number + 1 :]))


def note(loaded: LoadedMatch, orders: StoredOrders, text: str) -> StoredOrders:
    notes = [*orders.notes, OrderNote(text, loaded.match.events_made)]
    return replace(orders, notes=tuple(notes[-MOST_NOTES:]))


@listens_to(MoveMade)
def follow_player(made: MoveMade) -> None:
    """Forget notes that a player has acted on, and leave the turn to a player who has just withdrawn a sealed move and
    wants to decide again."""
    if not (made.by_player and made.seat.encrypted_orders):
        return
    before = orders_of(made.seat)
    has_withdrawn = made.seat in made.asked and not made.advanced
    after = replace(before, notes=(), asked_turn=made.loaded.match.turn if has_withdrawn else before.asked_turn)
    if after != before:
        store(made.seat, after)


@exports("standing_orders")
def exported(user: User) -> list[dict[str, Any]]:
    seats = Seat.objects.filter(user=user).exclude(encrypted_orders="").order_by("id")
    return [
        {"match": seat.match_id, "orders": [line.text for line in orders_of(seat).lines]}
        for seat in seats
        if orders_of(seat) is not NONE
    ]
