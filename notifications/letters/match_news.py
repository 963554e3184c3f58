"""Letters about a match: its start, moves, time-outs and messages."""

from collections.abc import Iterator

from games.engine.text import listing
from games.models import Absent, Message, Phase, Seat
from games.selectors.lists import readable
from notifications.context import Context, NothingToSay
from notifications.letters.blocks import Block, Letter, Offer, Offers, Quote, Words
from notifications.letters.parts import (
    answer_with,
    board,
    greeting,
    match_footer,
    name_for_reader,
    name_of,
    open_match,
    order_notes,
    pace,
    rules,
    since_your_visit,
    subject,
    whose_turn,
)

NOT_A_NAME = {"You", "The", "A", "It", "Nobody", "Game", "Round"}
WHO_MOVED: dict[str, str] = {Absent.BOT: "a bot moved", Absent.MINIMAL: "a minimal move was made"}


def news(context: Context) -> Letter:
    what = context.headline(context.seat.last_seen if context.seat else 0) or "news"
    return telling(context, lower_first(what), f"News from {name_of(context)}.")


def lower_first(sentence: str) -> str:
    """Write the first letter in lower case, to continue a subject, unless the sentence begins with a name."""
    first = sentence.partition(" ")[0]
    return sentence[:1].lower() + sentence[1:] if first in NOT_A_NAME else sentence


def match_started(context: Context) -> Letter:
    return telling(context, "the match has started", how_it_began(context), Words(rules(context.loaded.match)))


def how_it_began(context: Context) -> str:
    loaded = context.loaded
    order = listing([name_for_reader(context, seat) for seat in loaded.seats])
    return f"{name_of(context)} has started. Seats were drawn at random. The order is {order}. {pace(loaded.match)}"


def deadline_passed(context: Context) -> Letter:
    opening = whose_time_ran_out(context)
    if context.seat in late_seats(context):
        return telling(context, "you ran out of time", opening, *stand_in(context, answer_with(context, "'back'")))
    return telling(context, f"{late_names(context)} ran out of time", opening)


def resigned(context: Context) -> Letter:
    return telling(context, f"{resigned_name(context)} resigned", who_resigned(context))


def who_resigned(context: Context) -> str:
    return f"{resigned_name(context)} resigned from {name_of(context)}. A stand-in will play their seat to the end."


def resigned_name(context: Context) -> str:
    number: int = context.notification.data["seat"]
    return context.loaded.seats[number].player_name


def late_seats(context: Context) -> list[Seat]:
    return [context.loaded.seats[number] for number in context.notification.data.get("late", [])]


def whose_time_ran_out(context: Context) -> str:
    seats, ended = late_seats(context), ended_with_it(context)
    if context.seat in seats:
        then = "the match ended" if ended else f"{WHO_MOVED[context.loaded.match.absent]} for you"
        return f"You ran out of time in {name_of(context)}, so {then}."
    then = "the match ended" if ended else f"{WHO_MOVED[context.loaded.match.absent]} instead"
    return f"{late_names(context)} ran out of time in {name_of(context)}, so {then}.{stand_ins(context)}"


def late_names(context: Context) -> str:
    return listing([seat.player_name for seat in late_seats(context)]) or "Someone"


def ended_with_it(context: Context) -> bool:
    """Return whether the match ended because nobody was left to play. In that case, no move is played for the late
    players."""
    match = context.loaded.match
    return match.phase == Phase.ABANDONED and match.ended_at == context.notification.created_at


def stand_ins(context: Context) -> str:
    """Tell the other players about stand-ins. Players who have come back are left out."""
    replaced = [context.loaded.seats[number] for number in context.notification.data.get("stand_ins", [])]
    names = listing([seat.player_name for seat in replaced if is_played_by_a_stand_in(context, seat)])
    return f" A stand-in will play for {names} until they come back." if names else ""


def stand_in(context: Context, how: str = "") -> Iterator[Words | Offers]:
    if context.seat and is_played_by_a_stand_in(context, context.seat):
        yield Words("A stand-in is now playing for you. To take your seat back:")
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
            *order_notes(context.seat),
            *since_your_visit(context),
            *board(context),
            open_match(context),
        ],
        match_footer(context),
    )


def match_link(context: Context) -> Letter:
    """Write the letter with a new link for a player whose old one has expired."""
    if context.seat is None:
        raise NothingToSay("You're no longer in this match.")
    return Letter(
        subject("your new link", context),
        greeting(context),
        [
            Words(f"Here is a new link to {name_of(context)}. It opens only this match and works for 14 days."),
            open_match(context),
        ],
        [Words("If you didn't ask for it, ignore this email.")],
    )


def message(context: Context) -> Letter:
    match, said = context.loaded.match, list(quotes(context))
    if not said:
        raise NothingToSay("You have blocked the author.")
    authors = listing(sorted({quote.author for quote in said}))
    reply = Offer("Reply", f'turnpost say {match.id} "…"')
    how = answer_with(context, "'say' and your message")
    return Letter(
        subject(f"message{'s' * (len(said) > 1)} from {authors}", context),
        greeting(context),
        [*said, Offers("", [reply], how), open_match(context)],
        match_footer(context),
    )


def quotes(context: Context) -> Iterator[Quote]:
    """Return everything that the other players wrote, starting with the message that this notification is about."""
    match, first = context.loaded.match, context.notification.data["message"]
    messages = Message.objects.filter(match=match, pk__gte=first).select_related("author").order_by("pk")
    for message in readable(messages, context.user) if context.user else ():
        if message.author_id != context.notification.user_id:
            yield Quote(message.author.name if message.author else "A departed player", message.text)
