"""Everything that waits for a player, in one mail."""

from collections.abc import Collection, Iterator, Mapping, Sequence

from core.times import clock_time, span
from games.models import Seat
from games.selectors.lists import waiting
from games.selectors.loading import LoadedMatch, match_name
from notifications.context import Context, NothingToSay
from notifications.letters.blocks import Block, Letter, Link, Offer, Offers, Words
from notifications.letters.gathered import by_match, told_blocks
from notifications.letters.parts import greeting
from notifications.unsubscribe import unsubscribe_link

ONE_WAITS = "This match waits for you. To go to it: turnpost next"
MANY_WAIT = "These matches wait for you, the longest waiting first. To go through them one by one: turnpost next"
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
        table = LoadedMatch(seat.match, list(seat.match.seats.all()))
        yield heading_of(table, seat, since_and_until(context, seat))
        yield from told_blocks(gathered.get(seat.match_id, []))


def since_and_until(context: Context, seat: Seat) -> str:
    waited = f"It has waited for {span(context.now - seat.awaited_since)}." if seat.awaited_since else "It waits."
    return f"{waited} You have until {clock_time(seat.deadline, context.zone)}." if seat.deadline else waited


def heading_of(table: LoadedMatch, seat: Seat | None, hint: str = "") -> Offers:
    return Offers(match_name(table, seat), [Offer("Look at it", f"turnpost board {table.match.id}")], hint)


def other_blocks(gathered: Gathered, waiting_ids: Collection[str]) -> Iterator[Block]:
    """What happened and was said in matches that do not wait for the player."""
    for match_id, contexts in gathered.items():
        if match_id not in waiting_ids and (told := told_blocks(contexts)):
            yield heading_of(contexts[0].match_table, contexts[0].seat)
            yield from told
