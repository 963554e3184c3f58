"""How a match ended, with the source of every point."""

from games.engine.base import Line, Outcome, places
from games.engine.coloretto.cards import PLUS_TWO, name
from games.engine.coloretto.report import cards_of
from games.engine.coloretto.rules import deal_scores, totals
from games.engine.coloretto.scoring import Score
from games.engine.coloretto.state import State


def outcome(state: State) -> Outcome | None:
    if not state.over:
        return None
    points = totals(state.finished, state.options.table, state.seats)
    lines = tuple(lines_of(state, seat) for seat in range(state.seats))
    return Outcome(points, places(points), lines, "finished")


def lines_of(state: State, seat: int) -> tuple[Line, ...]:
    scores = [deal_scores(deal, state.options.table)[seat] for deal in state.finished]
    return tuple(line for deal, score in enumerate(scores, start=1) for line in deal_lines(deal, score))


def deal_lines(deal: int, score: Score) -> list[Line]:
    lines = [Line(deal, name(line.colour), line.points, cards_of(line.cards, line.jokers)) for line in score.colours]
    if score.plus_twos:
        lines.append(Line(deal, name(PLUS_TWO), 2 * score.plus_twos, cards_of(score.plus_twos)))
    return lines
