"""The letter that says it's your turn, and reminders."""

from collections.abc import Iterator

from core.times import rounded
from games.engine.proof import FIRST_TURN
from notifications.context import Context
from notifications.letters.blocks import Block, Letter, Words
from notifications.letters.parts import (
    board,
    greeting,
    match_footer,
    name_of,
    offers,
    open_match,
    pace,
    rules,
    since_you_acted,
    subject,
    time_left,
)


def your_turn(context: Context) -> Letter:
    name, has_acted = name_of(context), context.seat and context.seat.acted_through
    opening = f"It's your turn in {name}." if has_acted else f"{name} has started, and it's your turn."
    return asking(context, "Your turn", opening, *at_the_beginning(context))


def at_the_beginning(context: Context) -> Iterator[Words]:
    """Explain the deadline and the rules on the first turn, because the first player gets no separate email about
    the start."""
    match = context.loaded.match
    if match.turn == FIRST_TURN:
        reserve = " Your deadline includes the reserve." if match.bank else ""
        yield Words(f"{pace(match)}{reserve} {rules(match)}")


def reminder(context: Context) -> Letter:
    until = context.seat.deadline if context.seat else None
    left = f"{rounded(until - context.now)} left" if until else "still your turn"
    return asking(context, f"Reminder, {left}", f"It's still your turn in {name_of(context)}.")


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
