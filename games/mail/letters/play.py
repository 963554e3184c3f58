"""What the players of a running match are told."""

from collections.abc import Iterator

from games.engine.text import listing
from games.mail.letter import Letter, Offer, Offers, Quote, Words
from games.mail.letters.parts import (
    board,
    greeting,
    match_footer,
    name_of,
    offers,
    open_match,
    since_you_acted,
    since_your_visit,
    subject,
    time_left,
    whose_turn,
)
from games.mail.occasion import Occasion
from games.mail.times import span
from games.models import Message
from games.table import player_name


def your_turn(occasion: Occasion) -> Letter:
    opening = (
        "It is your turn" if occasion.seat and occasion.seat.acted_through else "The match is on, and you are asked"
    )
    return asking(occasion, "Your turn", f"{opening} in {name_of(occasion)}.")


def reminder(occasion: Occasion) -> Letter:
    until = occasion.seat.deadline if occasion.seat else None
    left = f"{span(until - occasion.now)} left" if until else "still your turn"
    return asking(occasion, f"Reminder, {left}", f"The others wait for you in {name_of(occasion)}.")


def asking(occasion: Occasion, what: str, opening: str) -> Letter:
    return Letter(
        subject(what, occasion),
        greeting(occasion),
        [
            Words(f"{opening} {time_left(occasion)}"),
            *since_you_acted(occasion),
            *board(occasion),
            *offers(occasion),
            open_match(occasion),
        ],
        match_footer(occasion),
    )


def news(occasion: Occasion) -> Letter:
    return telling(occasion, "News", f"Something happened in {name_of(occasion)}.")


def match_started(occasion: Occasion) -> Letter:
    table = occasion.match_table
    pace = f"Everybody has {span(table.match.move_time)} for a move."
    how = f"The lot has drawn the seats: {listing(table.names)}, in this order."
    rules = f"To read the rules, type: turnpost rules {table.match.game}."
    return telling(occasion, "It begins", f"{name_of(occasion)} has begun. {how} {pace} {rules}")


def deadline_passed(occasion: Occasion) -> Letter:
    """`late` in its data: the seats for which a move was made."""
    seats = [occasion.match_table.seats[number] for number in occasion.notice.data.get("late", [])]
    if occasion.seat in seats:
        opening = f"Your time ran out in {name_of(occasion)}, and a harmless move was made for you.{stand_in(occasion)}"
        return telling(occasion, "Your time ran out", opening)
    names = listing([player_name(seat) for seat in seats]) or "somebody"
    opening = f"In {name_of(occasion)} the time of {names} ran out, and a harmless move was made instead."
    return telling(occasion, "Time ran out", opening)


def stand_in(occasion: Occasion) -> str:
    if not (occasion.seat and occasion.seat.has_stand_in):
        return ""
    return " From now on a stand-in makes such moves for you. Any move of your own ends that."


def telling(occasion: Occasion, what: str, opening: str) -> Letter:
    return Letter(
        subject(what, occasion),
        greeting(occasion),
        [
            Words(f"{opening} {whose_turn(occasion)}".strip()),
            *since_your_visit(occasion),
            *board(occasion),
            open_match(occasion),
        ],
        match_footer(occasion),
    )


def message(occasion: Occasion) -> Letter:
    """All that others have said since the message that this mail was owed for."""
    match = occasion.match_table.match
    said = Message.objects.filter(match=match, pk__gte=occasion.notice.data["message"]).select_related("author")
    quotes = [quote for one in said.order_by("pk") if one.author_id != occasion.notice.user_id for quote in quoted(one)]
    authors = listing(sorted({quote.author for quote in quotes}))
    reply = Offer("To answer", f'turnpost say {match.id} "…"')
    return Letter(
        subject(f"{authors} wrote", occasion),
        greeting(occasion),
        [*quotes, Offers("", [reply]), open_match(occasion)],
        match_footer(occasion),
    )


def quoted(message: Message) -> Iterator[Quote]:
    author = message.author.name if message.author else "A departed player"
    yield Quote(author, message.text)
