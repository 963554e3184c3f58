"""How a match ended, with the source of every point."""

from games.engine.base import Line, Outcome, places
from games.engine.colorado_county.scoring import Score
from games.engine.colorado_county.state import State
from games.engine.text import counted, listing


def outcome(state: State) -> Outcome | None:
    if state.phase != "over":
        return None
    points = state.totals
    lines = tuple(
        tuple(line for number, scores in enumerate(state.scores, start=1) for line in round_lines(number, scores[seat]))
        for seat in range(state.seats)
    )
    return Outcome(points, places(points), lines, "finished")


def round_lines(number: int, score: Score) -> list[Line]:
    """The sources that brought something."""
    lines = (
        Line(number, "border", score.border, counted(score.border_squares, "square")),
        Line(number, "lakes", score.lakes, "worth " + listing([str(value) for value in score.lakes_held])),
        Line(number, "doubles", score.doubles, counted(score.double_groups, "group") + " of two"),
        Line(number, "great domain", score.domain, counted(score.domain_size, "square")),
    )
    return [line for line in lines if line.points]
