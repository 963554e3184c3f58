"""Everything that waits for a player, in one mail; and what the notifications that it gathers tell, match by match."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

from core.times import clock_time, rounded
from games.models import Seat
from games.selectors.lists import waiting
from games.selectors.loading import LoadedMatch, match_name
from notifications.context import Context, NothingToSay
from notifications.letters.blocks import Block, Letter, Link, Offer, Offers, Story, Words
from notifications.letters.match_news import how_it_began, quotes, stand_in, whose_time_ran_out
from notifications.letters.parts import greeting, recent_story
from notifications.letters.result import in_short, result_blocks
from notifications.models import NotificationKind
from notifications.policy import reason_against
from notifications.unsubscribe import unsubscribe_link

ONE_WAITS = "This match waits for you. To go to it: turnpost next"
MANY_WAIT = "These matches wait for you, the longest waiting first. To go through them one by one: turnpost next"
MOST_TOLD = 10
Gathered = Mapping[str, Sequence[Context]]


def digest(context: Context) -> Letter:
    seats, gathered = waiting_seats(context), by_match(context.gathered)
    waiting = list(waiting_blocks(context, seats, gathered))
    news = list(other_blocks(gathered, [seat.match_id for seat in seats]))
    if not (waiting or news):
        raise NothingToSay("Nothing waits for you any more.")
    return Letter(
        heading(len(seats)),
        greeting(context),
        [*waiting, *news],
        [
            Words("You get this mail because you chose to be told of everything at once."),
            Link("Stop all mail about matches", unsubscribe_link(context)),
        ],
    )


def heading(count: int) -> str:
    if not count:
        return "News from your matches"
    return "A match waits for you" if count == 1 else f"{count} matches wait for you"


def waiting_seats(context: Context) -> list[Seat]:
    """The longest waiting first."""
    if context.user is None:
        return []
    return list(waiting(context.user).filter(is_muted=False).order_by("awaited_since", "id"))


def waiting_blocks(context: Context, seats: list[Seat], gathered: Gathered) -> Iterator[Block]:
    if not seats:
        return
    yield Words(ONE_WAITS if len(seats) == 1 else MANY_WAIT)
    for seat in seats:
        loaded = LoadedMatch(seat.match, list(seat.match.seats.all()))
        yield heading_of(loaded, seat, since_and_until(context, seat))
        yield from told_blocks(gathered.get(seat.match_id, []))


def since_and_until(context: Context, seat: Seat) -> str:
    waited = f"It has waited for {rounded(context.now - seat.awaited_since)}." if seat.awaited_since else "It waits."
    return f"{waited} You have until {clock_time(seat.deadline, context.zone)}." if seat.deadline else waited


def heading_of(loaded: LoadedMatch, seat: Seat | None, hint: str = "") -> Offers:
    return Offers(match_name(loaded, seat), [Offer("Look at it", f"turnpost board {loaded.match.id}")], hint)


def other_blocks(gathered: Gathered, waiting_ids: Collection[str]) -> Iterator[Block]:
    """What happened and was said in matches that do not wait for the player."""
    for match_id, contexts in gathered.items():
        if match_id not in waiting_ids and (told := told_blocks(contexts)):
            yield heading_of(contexts[0].loaded, contexts[0].seat)
            yield from told


def by_match(gathered: Iterable[Context]) -> dict[str, list[Context]]:
    """Those that still matter, in the order in which they were owed."""
    matches: dict[str, list[Context]] = defaultdict(list)
    for context in sorted(gathered, key=lambda one: (one.notification.created_at, one.notification.pk)):
        if not reason_against(context):
            matches[context.loaded.match.id].append(context)
    return matches


def told_blocks(gathered: Sequence[Context]) -> list[Block]:
    """Of one match. Its first message brings along all that were written after it."""
    first_message = next((one for one in gathered if one.notification.kind == NotificationKind.MESSAGE), None)
    telling = [one for one in gathered if one.notification.kind != NotificationKind.MESSAGE or one is first_message]
    told = [
        block for one in telling if one.notification.kind in TELLERS for block in TELLERS[one.notification.kind](one)
    ]
    return [*told, *latest_story(gathered)]


def began(context: Context) -> Iterator[Block]:
    if recent_story(context):
        yield Words(how_it_began(context))


def passed(context: Context) -> Iterator[Block]:
    yield Words(whose_time_ran_out(context))
    if context.seat and context.seat.number in context.notification.data.get("late", []):
        yield from stand_in(context)


def latest_story(gathered: Sequence[Context]) -> Iterator[Story]:
    if not gathered or not (told := recent_story(gathered[0])):
        return
    log = f"turnpost log {gathered[0].loaded.match.id}"
    earlier = [f"… What came before is in the log: {log}"] if len(told) > MOST_TOLD else []
    story = Story("Since your last visit", [*earlier, *told[-MOST_TOLD:]])
    over = any(one.notification.kind == NotificationKind.MATCH_OVER for one in gathered)
    yield from in_short(iter([story])) if over else [story]


TELLERS: dict[str, Callable[[Context], Iterable[Block]]] = {
    NotificationKind.MATCH_STARTED: began,
    NotificationKind.DEADLINE_PASSED: passed,
    NotificationKind.MATCH_OVER: result_blocks,
    NotificationKind.MESSAGE: quotes,
}
