"""The digest, which lists every match that is waiting for a player, and other news."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from core.times import clock_time, rounded
from games.models import Seat
from games.selectors.lists import waiting
from games.selectors.loading import LoadedMatch, match_name
from notifications.context import Context, NothingToSay
from notifications.letters.blocks import Block, EventList, Letter, Link, Offer, Offers, Words
from notifications.letters.match_news import how_it_began, quotes, stand_in, who_resigned, whose_time_ran_out
from notifications.letters.parts import greeting, order_notes, recent_events
from notifications.letters.result import in_short, result_blocks
from notifications.match_links import entering_link
from notifications.models import Notification, NotificationKind
from notifications.policy import reason_against
from notifications.reply_addresses import reply_address
from notifications.unsubscribe import unsubscribe_link

ONE_TURN = "It's your turn in this match. Go to it: turnpost next"
MANY_TURNS = "It's your turn in these matches. The longest wait comes first. Go through them one by one: turnpost next"
MOST_TOLD = 10
Gathered = Mapping[str, Sequence[Context]]


def digest(context: Context) -> Letter:
    seats, gathered = waiting_seats(context), by_match(context.gathered)
    waiting = list(waiting_blocks(context, seats, gathered))
    news = list(other_blocks(gathered, [seat.match_id for seat in seats]))
    if not (waiting or news):
        raise NothingToSay("Nothing is waiting for you.")
    return Letter(
        heading(len(seats)),
        greeting(context),
        [*waiting, *news],
        [
            Words("You're receiving this email because you chose a digest."),
            Link("Stop emails about your matches", unsubscribe_link(context)),
        ],
    )


def heading(count: int) -> str:
    if not count:
        return "News from your matches"
    return "It's your turn in a match" if count == 1 else f"It's your turn in {count} matches"


def waiting_seats(context: Context) -> list[Seat]:
    """Return the seats whose turn it is, starting with the one that has waited longest."""
    if context.user is None:
        return []
    return list(waiting(context.user).filter(is_muted=False).order_by("awaited_since", "id"))


def waiting_blocks(context: Context, seats: list[Seat], gathered: Gathered) -> Iterator[Block]:
    if not seats:
        return
    yield Words(ONE_TURN if len(seats) == 1 else MANY_TURNS)
    for seat in seats:
        loaded = LoadedMatch(seat.match, list(seat.match.seats.all()))
        yield heading_of(loaded, seat, f"{since_and_until(context, seat)} {how_to_reply(context, seat)}".strip())
        yield Link("Open the match", entering_link(seat, context.address))
        yield from order_notes(seat)
        yield from told_blocks(gathered.get(seat.match_id, []))


def since_and_until(context: Context, seat: Seat) -> str:
    since = f"It has been your turn for {rounded(context.now - seat.awaited_since)}." if seat.awaited_since else ""
    until = f"Your deadline: {clock_time(seat.deadline, context.zone)}." if seat.deadline else ""
    return f"{since} {until}".strip()


def heading_of(loaded: LoadedMatch, seat: Seat | None, hint: str = "") -> Offers:
    title = f" ({loaded.match.title})" if loaded.match.title else ""
    board = Offer("See the board", f"turnpost board {loaded.match.id}")
    return Offers(f"{match_name(loaded, seat)}{title}", [board], hint)


def how_to_reply(context: Context, seat: Seat) -> str:
    """Show the address for moves in this match. A reply to the digest itself could not show which match it is about."""
    address = address_for(context, seat)
    return f"To move by email, write to {address}" if address else ""


def address_for(context: Context, seat: Seat) -> str:
    asked = Notification.objects.filter(match=seat.match_id, user=context.user, kind=NotificationKind.YOUR_TURN)
    latest = asked.filter(turn=seat.asked_turn).first()
    return reply_address(latest.pk, seat.match.turn, context.address, context.now) if latest else ""


def other_blocks(gathered: Gathered, waiting_ids: Collection[str]) -> Iterator[Block]:
    """Show news and messages from matches in which it isn't the player's turn."""
    for match_id, contexts in gathered.items():
        if match_id not in waiting_ids and (told := told_blocks(contexts)):
            yield heading_of(contexts[0].loaded, contexts[0].seat)
            yield from told


def by_match(gathered: Iterable[Context]) -> dict[str, list[Context]]:
    """Group the notifications that still matter by match, starting with the oldest."""
    matches: dict[str, list[Context]] = defaultdict(list)
    for context in sorted(gathered, key=lambda one: (one.notification.created_at, one.notification.pk)):
        if not reason_against(context):
            matches[context.loaded.match.id].append(context)
    return matches


def told_blocks(gathered: Sequence[Context]) -> list[Block]:
    """Show the notifications of one match. The first message notification also shows all later messages."""
    first_message = next((one for one in gathered if one.notification.kind == NotificationKind.MESSAGE), None)
    telling = [one for one in gathered if one.notification.kind != NotificationKind.MESSAGE or one is first_message]
    told = [
        block for one in telling if one.notification.kind in TELLERS for block in TELLERS[one.notification.kind](one)
    ]
    return [*told, *latest_events(gathered)]


def began(context: Context) -> Iterator[Block]:
    if recent_events(context):
        yield Words(how_it_began(context))


def passed(context: Context) -> Iterator[Block]:
    yield Words(whose_time_ran_out(context))
    if context.seat and context.seat.number in context.notification.data.get("late", []):
        yield from stand_in(context)


def turned(context: Context) -> Iterator[Block]:
    if passed := context.passed_deadline:
        yield Words(whose_time_ran_out(replace(context, notification=passed)))


def gave_up(context: Context) -> Iterator[Block]:
    yield Words(who_resigned(context))


def latest_events(gathered: Sequence[Context]) -> Iterator[EventList]:
    if not gathered or not (told := recent_events(gathered[0])):
        return
    log = f"turnpost log {gathered[0].loaded.match.id}"
    earlier = [f"… Earlier events: {log}"] if len(told) > MOST_TOLD else []
    events = EventList("Since your last visit", [*earlier, *told[-MOST_TOLD:]])
    over = any(one.notification.kind == NotificationKind.MATCH_OVER for one in gathered)
    yield from in_short(iter([events])) if over else [events]


TELLERS: dict[str, Callable[[Context], Iterable[Block]]] = {
    NotificationKind.MATCH_STARTED: began,
    NotificationKind.YOUR_TURN: turned,
    NotificationKind.DEADLINE_PASSED: passed,
    NotificationKind.RESIGNED: gave_up,
    NotificationKind.MATCH_OVER: result_blocks,
    NotificationKind.MESSAGE: quotes,
}
