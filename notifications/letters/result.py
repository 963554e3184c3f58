"""Letters about how a match ended, with the source of every point."""

from collections.abc import Iterator

import msgspec

from clock.proposal_rules import present
from games.engine.base import Line, Outcome
from games.engine.names import who_won
from games.engine.text import cut, listing
from games.models import Phase
from games.selectors.loading import LoadedMatch
from games.services.moves import final_places
from notifications.context import Context
from notifications.letters.blocks import Block, EventList, Letter, Offer, Offers, Scores, Words, unbroken
from notifications.letters.parts import (
    board,
    greeting,
    match_footer,
    name_for_reader,
    name_of,
    open_match,
    since_your_visit,
    subject,
)

NEVER_BEGAN = {
    Phase.CANCELLED: "The owner canceled it.",
    Phase.EXPIRED: "Not enough players joined in time.",
}
NAME_WIDTH = 11
"""The width of the columns, which lets five players fit side by side."""


def match_over(context: Context) -> Letter:
    if context.loaded.match.phase in NEVER_BEGAN:
        return never_began(context)
    return Letter(
        subject(short_result(context), context),
        greeting(context),
        [
            *result_blocks(context),
            *in_short(since_your_visit(context)),
            *board(context),
            *proof_hint(context.loaded),
            open_match(context),
        ],
        match_footer(context),
    )


def short_result(context: Context) -> str:
    """Return the result for a subject, as in "Ben won 33–23"."""
    match = context.loaded.match
    if not match.outcome:
        return "ended without a result"
    outcome = msgspec.convert(match.outcome, Outcome)
    places = final_places(context.loaded.seats, outcome)
    order = sorted(range(len(places)), key=lambda seat: places[seat])
    winners = [name_for_reader(context, context.loaded.seats[seat]) for seat in order if places[seat] == 1]
    return f"{listing(winners)} won {'–'.join(str(outcome.points[seat]) for seat in order)}"


def never_began(context: Context) -> Letter:
    match = context.loaded.match
    return Letter(
        subject("canceled", context),
        greeting(context),
        [
            *result_blocks(context),
            Offers("", [Offer("Start another match", f"turnpost new {match.game}")]),
        ],
        [Words("You're receiving this email because you joined this match.")],
    )


def result_blocks(context: Context) -> Iterator[Block]:
    loaded = context.loaded
    if loaded.match.phase in NEVER_BEGAN:
        yield Words(f"{name_of(context)} won't take place. {NEVER_BEGAN[Phase(loaded.match.phase)]}")
        return
    outcome = msgspec.convert(loaded.match.outcome, Outcome) if loaded.match.outcome else None
    yield Words(f"{name_of(context)} is over. {how_it_ended(context, outcome)}")
    if outcome:
        yield from score_blocks(loaded, outcome)


def in_short(lists: Iterator[EventList]) -> Iterator[EventList]:
    """Leave out the breakdowns of points, because they are part of the final score."""
    for events in lists:
        yield EventList(events.title, [told.partition("\n")[0] for told in events.told])


def how_it_ended(context: Context, outcome: Outcome | None) -> str:
    if outcome is None:
        return why_without_a_result(context.loaded)
    return who_won(context.names, outcome.points)


def why_without_a_result(loaded: LoadedMatch) -> str:
    players = present(loaded)
    if not (players and all(seat.wants_to_abandon for seat in players)):
        return "Nobody is playing it anymore, so there is no result."
    who = "All players" if len(players) == len(loaded.seats) else "Everyone still playing"
    return f"{who} agreed to end it without a result."


def score_blocks(loaded: LoadedMatch, outcome: Outcome) -> Iterator[Block]:
    """Show the final score: players by place, points by period and source, and the totals."""
    places = final_places(loaded.seats, outcome)
    order = sorted(range(len(loaded.seats)), key=lambda seat: places[seat])
    rows = [row for period in periods(outcome) for row in period_rows(loaded, outcome, order, period)]
    rows.append(["Total", *(str(outcome.points[seat]) for seat in order)])
    rows.append(["Place", *(str(places[seat]) for seat in order)])
    yield Scores("Final score", ["", *(cut(loaded.names[seat], NAME_WIDTH) for seat in order)], rows)


def periods(outcome: Outcome) -> list[int]:
    return sorted({line.period for lines in outcome.lines for line in lines})


def period_rows(loaded: LoadedMatch, outcome: Outcome, order: list[int], period: int) -> Iterator[list[str]]:
    lines = [[line for line in outcome.lines[seat] if line.period == period] for seat in order]
    yield [f"{loaded.engine.period.capitalize()} {period}", *(str(sum_of(of_seat)) for of_seat in lines)]
    for source in sources(outcome):
        points = [points_from(source, of_seat) for of_seat in lines]
        if any(points):
            yield [f"  {source}", *points]


def sources(outcome: Outcome) -> list[str]:
    return sorted({line.source for lines in outcome.lines for line in lines}, key=str.casefold)


def sum_of(lines: list[Line]) -> int:
    return sum(line.points for line in lines)


def points_from(source: str, lines: list[Line]) -> str:
    found = [line for line in lines if line.source == source]
    return str(sum_of(found)) if found else ""


def proof_hint(loaded: LoadedMatch) -> Iterator[Words]:
    if loaded.match.phase == Phase.FINISHED:
        yield Words(f"Check that the match was fair: {unbroken(f'turnpost verify {loaded.match.id}')}")
