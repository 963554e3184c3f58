"""Everything that waits for a player, in one mail."""

from collections.abc import Iterator

from games.mail.letter import Letter, Link, Offer, Offers, Story, Words
from games.mail.letters.parts import greeting, match_name, recent_story
from games.mail.links import unsubscribe_link
from games.mail.occasion import NothingToSay, Occasion
from games.mail.times import clock_time, span
from games.mail.verdict import reason_against
from games.models import Seat
from games.reading import waiting
from games.table import Table

MOST_TOLD = 10


def digest(occasion: Occasion) -> Letter:
    seats = waiting_seats(occasion)
    stories = list(other_stories(occasion, seats))
    if not (seats or stories):
        raise NothingToSay("Nothing waits for you any more.")
    return Letter(
        heading(len(seats)),
        greeting(occasion),
        [*waiting_blocks(occasion, seats), *stories],
        [
            Words("You get this mail because you chose to be told of everything at once."),
            Link("Stop all mail about matches", unsubscribe_link(occasion)),
        ],
    )


def heading(count: int) -> str:
    if not count:
        return "News from your matches"
    return "A match waits for you" if count == 1 else f"{count} matches wait for you"


def waiting_seats(occasion: Occasion) -> list[Seat]:
    """The longest waiting first."""
    if occasion.user is None:
        return []
    return list(waiting(occasion.user).filter(is_muted=False).order_by("awaited_since", "id"))


def waiting_blocks(occasion: Occasion, seats: list[Seat]) -> Iterator[Words | Offers]:
    if not seats:
        return
    yield Words("These matches wait for you, the longest waiting first. To go through them one by one: turnpost next")
    for seat in seats:
        yield Offers(
            match_name(Table(seat.match, list(seat.match.seats.all())), seat),
            [Offer("Look at it", f"turnpost board {seat.match_id}")],
            since_and_until(occasion, seat),
        )


def since_and_until(occasion: Occasion, seat: Seat) -> str:
    waited = f"It has waited for {span(occasion.now - seat.awaited_since)}" if seat.awaited_since else "It waits"
    return f"{waited}, until {clock_time(seat.deadline, occasion.zone)}." if seat.deadline else f"{waited}."


def other_stories(occasion: Occasion, seats: list[Seat]) -> Iterator[Story]:
    """What happened in matches that do not wait for the player, once for each."""
    told = {seat.match_id for seat in seats}
    for gathered in occasion.gathered:
        if reason_against(gathered):
            continue
        table = gathered.match_table
        if table.match.id not in told and (lines := recent_story(gathered)):
            told.add(table.match.id)
            yield Story(match_name(table, gathered.seat), lines[-MOST_TOLD:])
