"""How a match ended, with the source of every point."""

from games.engine.base import Line, Outcome, places
from games.engine.coloretto.cards import COLOURS
from games.engine.coloretto.rules import deal_scores, totals
from games.engine.coloretto.scoring import Score
from games.engine.coloretto.state import State


def outcome(state: State) -> Outcome | None:
    if not state.over:
        return None
    points = totals(state.finished, state.options.table, state.seats)
    scores = [deal_scores(deal, state.options.table) for deal in state.finished]
    lines = tuple(
        tuple(line for deal, by_seat in enumerate(scores, start=1) for line in deal_lines(deal, by_seat[seat]))
        for seat in range(state.seats)
    )
    return Outcome(points, places(points), lines, "finished")


def deal_lines(deal: int, score: Score) -> list[Line]:
    lines = [
        Line(deal, COLOURS[line.colour], line.points, f"{line.cards} cards, {line.jokers} of them jokers")
        for line in score.colours
    ]
    if score.plus_twos:
        lines.append(Line(deal, "+2", 2 * score.plus_twos, f"{score.plus_twos} cards"))
    return lines
