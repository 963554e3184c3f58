"""What several letters have in common."""

from collections.abc import Iterator, Sequence

from django.conf import settings

from accounts.names import shown
from games.engine.text import listing
from games.mail.letter import Block, Link, Offer, Offers, Picture, Story, Words, unbroken
from games.mail.links import unsubscribe_link
from games.mail.occasion import MOST_EVENTS, Occasion
from games.mail.times import clock_time, span
from games.models import Match, Phase
from games.showing import as_it_ended
from games.table import Table, match_name, player_name

MOST_OFFERS = 12


def match_link(match: Match) -> str:
    return f"{settings.PUBLIC_URL}/matches/{match.id}"


def name_of(occasion: Occasion) -> str:
    return match_name(occasion.match_table, occasion.seat)


def subject(what: str, occasion: Occasion) -> str:
    """The match's own title helps those who play the same game with the same people twice."""
    title = shown(occasion.match_table.match.title)
    mark = "" if what.endswith("?") else ":"
    return f"{what}{mark} {name_of(occasion)}" + (f" ({title})" if title else "")


def greeting(occasion: Occasion) -> str:
    return f"Hello {occasion.user.name}," if occasion.user else "Hello,"


def answer_with(occasion: Occasion, what: str) -> str:
    """The same as a command does, for those whose answers we get."""
    return f"Or answer this mail with {what} on the first line." if occasion.reply_address else ""


def board(occasion: Occasion) -> Iterator[Picture]:
    table, seat = occasion.match_table, occasion.seat
    if not table.match.locked_state:
        return
    view = table.engine.mailable(table.engine.view(occasion.state, seat.number if seat else None))
    view = as_it_ended(table, view)
    yield Picture("The board", table.engine.board(view, table.names))


def recent_story(occasion: Occasion) -> list[str]:
    return occasion.story(occasion.seat.last_seen) if occasion.seat else []


def story(occasion: Occasion, title: str, after: int) -> Iterator[Story]:
    told = occasion.story(after)
    left_out = occasion.match_table.match.events_made - MOST_EVENTS - after
    if left_out > 0:
        log = unbroken(f"turnpost log {occasion.match_table.match.id}")
        told.insert(0, f"… {left_out} earlier entries are in the log: {log}")
    if told:
        yield Story(title, told)


def since_you_acted(occasion: Occasion) -> Iterator[Story]:
    if occasion.seat:
        since = occasion.seat.acted_through
        yield from story(occasion, "Since you last acted" if since else "So far", since)


def since_your_visit(occasion: Occasion) -> Iterator[Story]:
    if occasion.seat:
        since = occasion.seat.last_seen
        yield from story(occasion, "Since your last visit" if since else "So far", since)


def time_left(occasion: Occasion) -> str:
    until = occasion.seat.deadline if occasion.seat else None
    if until is None:
        return ""
    return f"You have until {clock_time(until, occasion.zone)}, which is {span(until - occasion.now)} from now."


def whose_turn(occasion: Occasion) -> str:
    match = occasion.match_table.match
    awaited = [seat for seat in occasion.match_table.seats if seat.awaited_since]
    if match.phase != Phase.RUNNING or not awaited:
        return ""
    names = ["you" if seat is occasion.seat else player_name(seat) for seat in awaited]
    deadlines = [seat.deadline for seat in awaited if seat.deadline]
    until = f", until {clock_time(max(deadlines), occasion.zone)} at the latest" if deadlines else ""
    return f"Now the match waits for {listing(names)}{until}."


def offers(occasion: Occasion) -> Iterator[Block]:
    """The moves this player may make, ready to be copied."""
    if occasion.seat is None:
        return
    table = occasion.match_table
    choices = table.engine.choices(occasion.state, occasion.seat.drawn)
    written = [table.engine.notation(move) for move in choices.moves[:MOST_OFFERS]]
    left_out = len(choices.moves) - len(written)
    more = f"And {left_out} more: {unbroken(f'turnpost moves {table.match.id}')}" if left_out else ""
    if choices.forms:
        example = "An example, to be filled in as you like."
        yield Offers("Write your own", commands(table, [form.example for form in choices.forms]), example)
    if written:
        yield Offers("Your moves", commands(table, written), more)
    yield from by_mail(occasion, [*written, *(form.example for form in choices.forms)])


def by_mail(occasion: Occasion, moves: Sequence[str]) -> Iterator[Words]:
    if occasion.reply_address and moves:
        yield Words(f"Or simply answer this mail with your move on the first line, for example: {unbroken(moves[0])}")


def commands(table: Table, notations: Sequence[str]) -> list[Offer]:
    """With the turn, so that an old mail plays nothing on a board that its reader has not seen."""
    match = table.match
    return [Offer(notation, f'turnpost play {match.id} "{notation}" --turn {match.turn}') for notation in notations]


def open_match(occasion: Occasion) -> Link:
    return Link("Open the match", match_link(occasion.match_table.match))


def match_footer(occasion: Occasion) -> list[Words | Link]:
    if occasion.is_invitation:
        return invitation_footer(occasion, "a seat in this match is offered to you")
    if occasion.seat is None:
        return [Words("You get this mail because you played in this match.")]
    return [
        Words("You get this mail because you play in this match."),
        *([Words("You can answer it: 'help' on the first line tells how.")] if occasion.reply_address else []),
        Link("Mute this match", unsubscribe_link(occasion)),
    ]


def invitation_footer(occasion: Occasion, why: str) -> list[Words | Link]:
    stop = "Stop invitations by mail" if occasion.user else "Never invite me again"
    return [Words(f"You get this mail because {why}."), Link(stop, unsubscribe_link(occasion))]
