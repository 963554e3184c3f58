"""Score hands with the best use of jokers and positive colors, and determine the result of a match."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations_with_replacement

from games.engine.base import Line, Outcome, places
from games.engine.coloretto.state import NAMES, PLUS_TWO, ColourScore, FinishedDeal, Score, State, jokers
from games.engine.text import counted

POINTS = {
    "brown": (0, 1, 3, 6, 10, 15, *[21] * 7),
    "violet": (0, 1, 4, 8, 7, 6, *[5] * 7),
}
"""The points by number of cards of a color, which can be up to nine plus three jokers."""
PLUS_COLOURS = 3


@lru_cache(maxsize=4096)
def score(hand: str, colours: str, scoring: str) -> Score:
    """Return the best score of a hand. If several assignments are equally good, jokers go to the earliest colors."""
    held = tuple(hand.count(colour) for colour in colours)
    best = max(assignments(held, jokers(hand)), key=lambda counts: worth(counts, POINTS[scoring]))
    plus_twos = hand.count(PLUS_TWO)
    lines = breakdown(colours, held, best, POINTS[scoring])
    return Score(lines, plus_twos, 2 * plus_twos + sum(line.points for line in lines))


def assignments(held: tuple[int, ...], wild: int) -> Iterator[tuple[int, ...]]:
    """Yield every way to assign the jokers to colors in play."""
    for chosen in combinations_with_replacement(range(len(held)), wild):
        counts = list(held)
        for colour in chosen:
            counts[colour] += 1
        yield tuple(counts)


def worth(counts: tuple[int, ...], points: tuple[int, ...]) -> int:
    """Score a hand whose jokers have been assigned.

    Three colors count as positive, and the others as negative. No color is worth less than zero, so the three most
    valuable ones are positive.
    """
    ranked = sorted([points[count] for count in counts], reverse=True)
    return sum(ranked[:PLUS_COLOURS]) - sum(ranked[PLUS_COLOURS:])


def breakdown(
    colours: str, held: tuple[int, ...], counts: tuple[int, ...], points: tuple[int, ...]
) -> tuple[ColourScore, ...]:
    present = [colour for colour, count in enumerate(counts) if count]
    ranked = sorted(present, key=lambda colour: -points[counts[colour]])
    signs = [1] * PLUS_COLOURS + [-1] * len(colours)
    return tuple(
        ColourScore(colours[colour], counts[colour], counts[colour] - held[colour], sign * points[counts[colour]])
        for colour, sign in zip(ranked, signs, strict=False)
    )


def deal_scores(deal: FinishedDeal, scoring: str) -> tuple[Score, ...]:
    return tuple(score(hand, deal.colours, scoring) for hand in deal.hands)


@lru_cache(maxsize=256)
def totals(finished: tuple[FinishedDeal, ...], scoring: str, seats: int) -> tuple[int, ...]:
    deals = [deal_scores(deal, scoring) for deal in finished]
    return tuple(sum(scores[seat].total for scores in deals) for seat in range(seats))


def outcome(state: State) -> Outcome | None:
    if not state.over:
        return None
    points = totals(state.finished, state.options.scoring, state.seats)
    lines = tuple(lines_of(state, seat) for seat in range(state.seats))
    return Outcome(points, places(points), lines, "finished")


def lines_of(state: State, seat: int) -> tuple[Line, ...]:
    scores = [deal_scores(deal, state.options.scoring)[seat] for deal in state.finished]
    return tuple(line for deal, score in enumerate(scores, start=1) for line in deal_lines(deal, score))


def deal_lines(deal: int, score: Score) -> list[Line]:
    lines = [Line(deal, NAMES[line.colour], line.points, cards_of(line.cards, line.jokers)) for line in score.colours]
    if score.plus_twos:
        lines.append(Line(deal, NAMES[PLUS_TWO], 2 * score.plus_twos, cards_of(score.plus_twos)))
    return lines


def cards_of(count: int, wild: int = 0) -> str:
    """Describe a number of cards, as in "4 cards (1 joker)"."""
    return counted(count, "card") + (f" ({counted(wild, 'joker')})" if wild else "")
