"""What the players of a running match are told."""

from collections.abc import Iterator

from core.times import span
from games.engine.replay import FIRST_TURN
from games.engine.text import listing
from games.models import Match, Message, Phase, Seat
from games.selectors.loading import player_name
from notifications.context import Context
from notifications.letters.blocks import Block, Letter, Offer, Offers, Quote, Words, unbroken
from notifications.letters.parts import (
    answer_with,
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


def your_turn(occasion: Context) -> Letter:
    opening = (
        "It is your turn" if occasion.seat and occasion.seat.acted_through else "The match is on, and you are asked"
    )
    return asking(occasion, "Your turn", f"{opening} in {name_of(occasion)}.", *at_the_beginning(occasion))


def at_the_beginning(occasion: Context) -> Iterator[Words]:
    """Whoever is asked first gets no other mail that says it."""
    match = occasion.match_table.match
    if match.turn == FIRST_TURN:
        both = " The time that you have now counts both." if match.bank else ""
        yield Words(f"{pace(match)}{both} {rules(match)}")


def reminder(occasion: Context) -> Letter:
    until = occasion.seat.deadline if occasion.seat else None
    left = f"{span(until - occasion.now)} left" if until else "still your turn"
    return asking(occasion, f"Reminder, {left}", f"The others wait for you in {name_of(occasion)}.")


def asking(occasion: Context, what: str, opening: str, *more: Block) -> Letter:
    return Letter(
        subject(what, occasion),
        greeting(occasion),
        [
            Words(f"{opening} {time_left(occasion)}"),
            *more,
            *since_you_acted(occasion),
            *board(occasion),
            *offers(occasion),
            open_match(occasion),
        ],
        match_footer(occasion),
    )


def news(occasion: Context) -> Letter:
    what = occasion.headline(occasion.seat.last_seen if occasion.seat else 0) or "News"
    return telling(occasion, what, f"There is news from {name_of(occasion)}.")


def match_started(occasion: Context) -> Letter:
    return telling(occasion, "It begins", how_it_began(occasion))


def how_it_began(occasion: Context) -> str:
    table = occasion.match_table
    how = f"The lot has drawn the seats: {listing(table.names)}, in this order."
    return f"{name_of(occasion)} has begun. {how} {pace(table.match)} {rules(table.match)}"


def rules(match: Match) -> str:
    return f"To read the rules, type: {unbroken(f'turnpost rules {match.game}')}."


def pace(match: Match) -> str:
    bank = f", and {span(match.bank)} in reserve for when that is not enough" if match.bank else ""
    weekends = " Weekends do not count." if match.weekends_off else ""
    return f"Everybody has {span(match.move_time)} for a move{bank}.{weekends}"


def deadline_passed(occasion: Context) -> Letter:
    opening = whose_time_ran_out(occasion)
    if occasion.seat in late_seats(occasion):
        return telling(occasion, "Your time ran out", opening, *stand_in(occasion, answer_with(occasion, "'back'")))
    return telling(occasion, "Time ran out", opening)


def late_seats(occasion: Context) -> list[Seat]:
    """`late` in its data: the seats for which a move was made."""
    return [occasion.match_table.seats[number] for number in occasion.notice.data.get("late", [])]


def whose_time_ran_out(occasion: Context) -> str:
    seats, ended = late_seats(occasion), ended_with_it(occasion)
    if occasion.seat in seats:
        then = "the match ended with that" if ended else "a harmless move was made for you"
        return f"Your time ran out in {name_of(occasion)}, and {then}."
    names = listing([player_name(seat) for seat in seats]) or "somebody"
    then = "the match ended with that" if ended else "a harmless move was made instead"
    return f"In {name_of(occasion)} the time of {names} ran out, and {then}.{stand_ins(occasion)}"


def ended_with_it(occasion: Context) -> bool:
    """Where nobody is left who would play on, no move is made for those who are late."""
    match = occasion.match_table.match
    return match.phase == Phase.ABANDONED and match.ended_at == occasion.notice.owed_at


def stand_ins(occasion: Context) -> str:
    """For the others, as it is now: whoever is back by then plays."""
    replaced = [occasion.match_table.seats[number] for number in occasion.notice.data.get("stand_ins", [])]
    names = listing([player_name(seat) for seat in replaced if is_played_by_a_stand_in(occasion, seat)])
    return f" From now on a stand-in makes such moves for {names}, at once and until they are back." if names else ""


def stand_in(occasion: Context, how: str = "") -> Iterator[Words | Offers]:
    if occasion.seat and is_played_by_a_stand_in(occasion, occasion.seat):
        yield Words("From now on a stand-in makes such moves for you, at once, until you say that you are back:")
        yield Offers("", [Offer("I'm back", f"turnpost back {occasion.match_table.match.id}")], how)


def is_played_by_a_stand_in(occasion: Context, seat: Seat) -> bool:
    return occasion.match_table.match.phase == Phase.RUNNING and seat.has_stand_in


def telling(occasion: Context, what: str, opening: str, *more: Block) -> Letter:
    return Letter(
        subject(what, occasion),
        greeting(occasion),
        [
            Words(f"{opening} {whose_turn(occasion)}".strip()),
            *more,
            *since_your_visit(occasion),
            *board(occasion),
            open_match(occasion),
        ],
        match_footer(occasion),
    )


def message(occasion: Context) -> Letter:
    match, said = occasion.match_table.match, list(quotes(occasion))
    authors = listing(sorted({quote.author for quote in said}))
    reply = Offer("To answer", f'turnpost say {match.id} "…"')
    how = answer_with(occasion, "'say' and your words")
    return Letter(
        subject(f"{authors} wrote", occasion),
        greeting(occasion),
        [*said, Offers("", [reply], how), open_match(occasion)],
        match_footer(occasion),
    )


def quotes(occasion: Context) -> Iterator[Quote]:
    """All that others have said since the message that this notice was owed for."""
    match, first = occasion.match_table.match, occasion.notice.data["message"]
    for message in Message.objects.filter(match=match, pk__gte=first).select_related("author").order_by("pk"):
        if message.author_id != occasion.notice.user_id:
            yield Quote(message.author.name if message.author else "A departed player", message.text)
