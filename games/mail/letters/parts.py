"""What several letters have in common."""

from collections.abc import Iterator

from django.conf import settings

from games.engine.text import listing
from games.mail.letter import Link, Offer, Offers, Picture, Story, Words
from games.mail.links import unsubscribe_link
from games.mail.occasion import Occasion
from games.mail.times import clock_time, span

MOST_OFFERS = 12


def match_link(match_id: str) -> str:
    return f"{settings.PUBLIC_URL}/matches/{match_id}"


def match_name(occasion: Occasion) -> str:
    """Coloretto with Ben and Cleo"""
    table = occasion.match_table
    others = [name for seat, name in zip(table.seats, table.names, strict=True) if seat is not occasion.seat]
    return f"{table.engine.title} with {listing(others)}" if others else table.engine.title


def greeting(occasion: Occasion) -> str:
    return f"Hello {occasion.user.name}," if occasion.user else "Hello,"


def board(occasion: Occasion) -> Picture:
    table, seat = occasion.match_table, occasion.seat
    view = table.engine.view(occasion.state, seat.number if seat else None)
    return Picture("The board", table.engine.picture(table.engine.mailable(view), table.names))


def since_you_acted(occasion: Occasion) -> Iterator[Story]:
    told = occasion.story(occasion.seat.acted_through) if occasion.seat else []
    if told:
        yield Story("Since you last acted", told)


def time_left(occasion: Occasion) -> str:
    until = occasion.seat.deadline if occasion.seat else None
    if until is None:
        return ""
    return f" You have until {clock_time(until, occasion.zone)}; that is in {span(until - occasion.now)}."


def offers(occasion: Occasion) -> Iterator[Offers]:
    """The moves this player may make, ready to be copied."""
    if occasion.seat is None:
        return
    table = occasion.match_table
    choices = table.engine.choices(occasion.state, occasion.seat.drawn)
    examples = [form.example for form in choices.forms]
    written = [table.engine.notation(move) for move in choices.moves[:MOST_OFFERS]]
    left_out = len(choices.moves) - len(written)
    more = f"There are {left_out} more: turnpost moves {table.match.id} lists them all." if left_out else ""
    if examples:
        commands = [Offer(example, command(occasion, example)) for example in examples]
        yield Offers("For example, in your own numbers", commands)
    if written:
        commands = [Offer(notation, command(occasion, notation)) for notation in written]
        yield Offers("Your moves", commands, more)


def command(occasion: Occasion, notation: str) -> str:
    return f'turnpost play {occasion.match_table.match.id} "{notation}"'


def match_footer(occasion: Occasion) -> list[Words | Link]:
    return [
        Words("You get this mail because you play in this match."),
        Link("Mute this match", unsubscribe_link(occasion)),
    ]
