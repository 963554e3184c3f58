"""What happens in a match while somebody else is to move, and what its players say."""

from collections.abc import Iterator

from games.engine.text import listing
from games.models import Message, Phase, Seat
from games.selectors.loading import player_name
from notifications.context import Context
from notifications.letters.blocks import Block, Letter, Offer, Offers, Quote, Words
from notifications.letters.parts import (
    answer_with,
    board,
    greeting,
    match_footer,
    name_of,
    open_match,
    pace,
    rules,
    since_your_visit,
    subject,
    whose_turn,
)


def news(context: Context) -> Letter:
    what = context.headline(context.seat.last_seen if context.seat else 0) or "News"
    return telling(context, what, f"There is news from {name_of(context)}.")


def match_started(context: Context) -> Letter:
    return telling(context, "It begins", how_it_began(context))


def how_it_began(context: Context) -> str:
    loaded = context.loaded
    how = f"The lot has drawn the seats: {listing(loaded.names)}, in this order."
    return f"{name_of(context)} has begun. {how} {pace(loaded.match)} {rules(loaded.match)}"


def deadline_passed(context: Context) -> Letter:
    opening = whose_time_ran_out(context)
    if context.seat in late_seats(context):
        return telling(context, "Your time ran out", opening, *stand_in(context, answer_with(context, "'back'")))
    return telling(context, "Time ran out", opening)


def late_seats(context: Context) -> list[Seat]:
    """`late` in its data: the seats for which a move was made."""
    return [context.loaded.seats[number] for number in context.notification.data.get("late", [])]


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
    match = context.loaded.match
    return match.phase == Phase.ABANDONED and match.ended_at == context.notification.created_at


def stand_ins(context: Context) -> str:
    """For the others, as it is now: whoever is back by then plays."""
    replaced = [context.loaded.seats[number] for number in context.notification.data.get("stand_ins", [])]
    names = listing([player_name(seat) for seat in replaced if is_played_by_a_stand_in(context, seat)])
    return f" From now on a stand-in makes such moves for {names}, at once and until they are back." if names else ""


def stand_in(context: Context, how: str = "") -> Iterator[Words | Offers]:
    if context.seat and is_played_by_a_stand_in(context, context.seat):
        yield Words("From now on a stand-in makes such moves for you, at once, until you say that you are back:")
        yield Offers("", [Offer("I'm back", f"turnpost back {context.loaded.match.id}")], how)


def is_played_by_a_stand_in(context: Context, seat: Seat) -> bool:
    return context.loaded.match.phase == Phase.RUNNING and seat.has_stand_in


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
    match, said = context.loaded.match, list(quotes(context))
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
    match, first = context.loaded.match, context.notification.data["message"]
    for message in Message.objects.filter(match=match, pk__gte=first).select_related("author").order_by("pk"):
        if message.author_id != context.notification.user_id:
            yield Quote(message.author.name if message.author else "A departed player", message.text)
