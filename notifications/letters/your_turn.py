"""The letters that tell players that it's their turn, and remind them."""

from collections.abc import Iterator
from dataclasses import replace

from core.times import rounded
from games.engine.proof import FIRST_TURN
from notifications.context import Context
from notifications.letters.blocks import Block, Letter, Words
from notifications.letters.match_news import whose_time_ran_out
from notifications.letters.parts import (
    board,
    greeting,
    match_footer,
    name_of,
    offers,
    open_match,
    order_notes,
    pace,
    rules,
    since_you_acted,
    subject,
    task,
    time_left,
)


def your_turn(context: Context) -> Letter:
    name, has_acted = name_of(context), context.seat and context.seat.acted_through
    opening = f"It's your turn in {name}." if has_acted else f"{name} has started, and it's your turn."
    return asking(context, task(context), opening, *at_the_beginning(context))


def at_the_beginning(context: Context) -> Iterator[Words]:
    """Explain the deadline and the rules on the first turn, because the first player gets no separate email about the
    start."""
    match = context.loaded.match
    if match.turn == FIRST_TURN:
        bank = " Your deadline includes your time bank." if match.bank else ""
        yield Words(f"{pace(match)}{bank} {rules(match)}")


def after_a_deadline(context: Context) -> Iterator[Words]:
    """Say whose time-out made it the player's turn, so that they don't get a separate email about it."""
    if passed := context.passed_deadline:
        yield Words(whose_time_ran_out(replace(context, notification=passed)))


def reminder(context: Context) -> Letter:
    until = context.seat.deadline if context.seat else None
    left = f"{rounded(until - context.now)} left" if until else "reminder"
    return asking(context, f"{left}, {task(context)}", f"It's still your turn in {name_of(context)}.")


def asking(context: Context, what: str, opening: str, *more: Block) -> Letter:
    return Letter(
        subject(what, context),
        greeting(context),
        [
            Words(f"{opening} {time_left(context)}"),
            *more,
            *after_a_deadline(context),
            *order_notes(context.seat),
            *since_you_acted(context),
            *board(context),
            *offers(context),
            open_match(context),
        ],
        match_footer(context),
    )
