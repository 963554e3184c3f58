"""What the players of a running match are told."""

from collections.abc import Iterator

from core.times import span
from games.engine.proof import FIRST_TURN
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


def your_turn(context: Context) -> Letter:
    opening = "It is your turn" if context.seat and context.seat.acted_through else "The match is on, and you are asked"
    return asking(context, "Your turn", f"{opening} in {name_of(context)}.", *at_the_beginning(context))


def at_the_beginning(context: Context) -> Iterator[Words]:
    """Whoever is asked first gets no other mail that says it."""
    match = context.match_table.match
    if match.turn == FIRST_TURN:
        both = " The time that you have now counts both." if match.bank else ""
        yield Words(f"{pace(match)}{both} {rules(match)}")


def reminder(context: Context) -> Letter:
    until = context.seat.deadline if context.seat else None
    left = f"{span(until - context.now)} left" if until else "still your turn"
    return asking(context, f"Reminder, {left}", f"The others wait for you in {name_of(context)}.")


def asking(context: Context, what: str, opening: str, *more: Block) -> Letter:
    return Letter(
        subject(what, context),
        greeting(context),
        [
            Words(f"{opening} {time_left(context)}"),
            *more,
            *since_you_acted(context),
            *board(context),
            *offers(context),
            open_match(context),
        ],
        match_footer(context),
    )


def news(context: Context) -> Letter:
    what = context.headline(context.seat.last_seen if context.seat else 0) or "News"
    return telling(context, what, f"There is news from {name_of(context)}.")


def match_started(context: Context) -> Letter:
    return telling(context, "It begins", how_it_began(context))


def how_it_began(context: Context) -> str:
    table = context.match_table
    how = f"The lot has drawn the seats: {listing(table.names)}, in this order."
    return f"{name_of(context)} has begun. {how} {pace(table.match)} {rules(table.match)}"


def rules(match: Match) -> str:
    return f"To read the rules, type: {unbroken(f'turnpost rules {match.game}')}."


def pace(match: Match) -> str:
    bank = f", and {span(match.bank)} in reserve for when that is not enough" if match.bank else ""
    weekends = " Weekends do not count." if match.weekends_off else ""
    return f"Everybody has {span(match.move_time)} for a move{bank}.{weekends}"


def deadline_passed(context: Context) -> Letter:
    opening = whose_time_ran_out(context)
    if context.seat in late_seats(context):
        return telling(context, "Your time ran out", opening, *stand_in(context, answer_with(context, "'back'")))
    return telling(context, "Time ran out", opening)


def late_seats(context: Context) -> list[Seat]:
    """`late` in its data: the seats for which a move was made."""
    return [context.match_table.seats[number] for number in context.notification.data.get("late", [])]


def whose_time_ran_out(context: Context) -> str:
    seats, ended = late_seats(context), ended_with_it(context)
    if context.seat in seats:
        then = "the match ended with that" if ended else "a harmless move was made for you"
        return f"Your time ran out in {name_of(context)}, and {then}."
    names = listing([player_name(seat) for seat in seats]) or "somebody"
    then = "the match ended with that" if ended else "a harmless move was made instead"
    return f"In {name_of(context)} the time of {names} ran out, and {then}.{stand_ins(context)}"


def ended_with_it(context: Context) -> bool:
    """Where nobody is left who would play on, no move is made for those who are late."""
    match = context.match_table.match
    return match.phase == Phase.ABANDONED and match.ended_at == context.notification.owed_at


def stand_ins(context: Context) -> str:
    """For the others, as it is now: whoever is back by then plays."""
    replaced = [context.match_table.seats[number] for number in context.notification.data.get("stand_ins", [])]
    names = listing([player_name(seat) for seat in replaced if is_played_by_a_stand_in(context, seat)])
    return f" From now on a stand-in makes such moves for {names}, at once and until they are back." if names else ""


def stand_in(context: Context, how: str = "") -> Iterator[Words | Offers]:
    if context.seat and is_played_by_a_stand_in(context, context.seat):
        yield Words("From now on a stand-in makes such moves for you, at once, until you say that you are back:")
        yield Offers("", [Offer("I'm back", f"turnpost back {context.match_table.match.id}")], how)


def is_played_by_a_stand_in(context: Context, seat: Seat) -> bool:
    return context.match_table.match.phase == Phase.RUNNING and seat.has_stand_in


def telling(context: Context, what: str, opening: str, *more: Block) -> Letter:
    return Letter(
        subject(what, context),
        greeting(context),
        [
            Words(f"{opening} {whose_turn(context)}".strip()),
            *more,
            *since_your_visit(context),
            *board(context),
            open_match(context),
        ],
        match_footer(context),
    )


def message(context: Context) -> Letter:
    match, said = context.match_table.match, list(quotes(context))
    authors = listing(sorted({quote.author for quote in said}))
    reply = Offer("To answer", f'turnpost say {match.id} "…"')
    how = answer_with(context, "'say' and your words")
    return Letter(
        subject(f"{authors} wrote", context),
        greeting(context),
        [*said, Offers("", [reply], how), open_match(context)],
        match_footer(context),
    )


def quotes(context: Context) -> Iterator[Quote]:
    """All that others have said since the message that this notification was owed for."""
    match, first = context.match_table.match, context.notification.data["message"]
    for message in Message.objects.filter(match=match, pk__gte=first).select_related("author").order_by("pk"):
        if message.author_id != context.notification.user_id:
            yield Quote(message.author.name if message.author else "A departed player", message.text)
