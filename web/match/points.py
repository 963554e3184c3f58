"""Show the result of a match, with a chart of everyone's points over time."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from django.core.cache import cache
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from core.text import counted
from games.models import Seat
from games.selectors import history
from games.selectors.loading import LoadedMatch

WIDTH, HEIGHT, LEFT, BOTTOM, TOP = 320, 180, 30, 18, 12
ENOUGH = 60
"""The maximum number of points in time on the chart."""
KEPT_SECONDS = 24 * 3600
Series = Sequence[tuple[int, Sequence[int]]]
"""The turns, each with everyone's points at its start."""


@dataclass(frozen=True)
class Standing:
    place: int
    name: str
    points: int
    has_resigned: bool
    is_own: bool


def standings(loaded: LoadedMatch, own: Seat | None) -> list[Standing]:
    ranked = sorted(loaded.seats, key=lambda seat: (seat.place or 0, seat.drawn))
    return [
        Standing(seat.place or 0, seat.player_name, seat.points or 0, seat.resigned_at is not None, seat is own)
        for seat in ranked
    ]


def chart(loaded: LoadedMatch) -> SafeString:
    """Render the chart, which is the same for everyone. Each player's line has its own letter and pattern, not only a
    color."""
    series = points_by_turn(loaded)
    if len(series) < 2:
        return mark_safe("")
    names = [seat.player_name for seat in loaded.seats]
    final = series[-1][1]
    spoken = "; ".join(f"{name}: {counted(points, 'point')}" for name, points in zip(names, final, strict=True))
    about = gettext("Points over the course of the match.")
    lines = "".join(line(seat, [points[seat] for _, points in series], series) for seat in range(len(names)))
    keys = "".join(
        f'<li><svg width="36" height="10" aria-hidden="true"><line class="line-{seat}" x1="0" x2="36" y1="5" y2="5"/>'
        f"</svg> {letter(seat)} {escape(name)}</li>"
        for seat, name in enumerate(names)
    )
    return mark_safe(  # noqa: S308 - names are escaped, the rest are numbers
        f'<figure class="chart"><svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(about)} '
        f'{escape(spoken)}">{axes(series)}{lines}</svg><figcaption><ul>{keys}</ul></figcaption></figure>'
    )


def letter(seat: int) -> str:
    """Return the letter of a seat, as on boards. A number would look like the player's place."""
    return chr(ord("A") + seat)


def points_by_turn(loaded: LoadedMatch) -> Series:
    """Return the points by turn if the game keeps a running score, otherwise by period.

    The result is cached, because replaying takes a while and an ended match no longer changes.
    """
    key = f"points:{loaded.match.id}"
    known: Series | None = cache.get(key)
    if known is None:
        known = thinned(counted_by_turn(loaded) or counted_by_period(loaded))
        cache.set(key, known, KEPT_SECONDS)
    return known


def counted_by_turn(loaded: LoadedMatch) -> list[tuple[int, tuple[int, ...]]]:
    engine = loaded.engine
    found = [(turn, engine.points(engine.view(state, None))) for turn, state in history.positions(loaded)]
    if not all(points for _, points in found):
        return []
    return [*found, (loaded.match.turn + 1, tuple(seat.points or 0 for seat in loaded.seats))]


def counted_by_period(loaded: LoadedMatch) -> list[tuple[int, tuple[int, ...]]]:
    lines = (loaded.match.outcome or {})["lines"]
    periods = sorted({line["period"] for of_seat in lines for line in of_seat})
    return [(0, (0,) * len(lines))] + [
        (number, tuple(sum(line["points"] for line in of_seat if line["period"] <= number) for of_seat in lines))
        for number in periods
    ]


def thinned(series: Series) -> Series:
    step = -(-len(series) // ENOUGH)
    return [*series[:-1:step], series[-1]]


def scale(series: Series) -> tuple[int, int]:
    every = [points for _, by_seat in series for points in by_seat]
    return min(0, *every), max(1, *every)


def spot(at: int, points: int, series: Series) -> tuple[float, float]:
    low, high = scale(series)
    right, height = WIDTH - LEFT - 14, HEIGHT - BOTTOM - TOP
    return LEFT + right * at / (len(series) - 1), TOP + height * (high - points) / (high - low)


def line(seat: int, values: Sequence[int], series: Series) -> str:
    spots = [spot(at, points, series) for at, points in enumerate(values)]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in spots)
    x, y = spots[-1]
    return f'<polyline class="line-{seat}" points="{path}"/><text x="{x + 3:.1f}" y="{y + 3:.1f}">{letter(seat)}</text>'


def axes(series: Series) -> str:
    low, high = scale(series)
    marks = ""
    for points in sorted({low, 0, high}):
        _, y = spot(0, points, series)
        marks += (
            f'<line class="axis" x1="{LEFT}" x2="{WIDTH - 14}" y1="{y:.1f}" y2="{y:.1f}"/>'
            f'<text x="{LEFT - 4}" y="{y + 3:.1f}" text-anchor="end">{points}</text>'
        )
    end = f'<text x="{WIDTH - 14}" y="{HEIGHT - 4}" text-anchor="end">{escape(gettext("end"))}</text>'
    return f'{marks}<text x="{LEFT}" y="{HEIGHT - 4}">{escape(gettext("start"))}</text>{end}'
