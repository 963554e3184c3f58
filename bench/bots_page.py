"""Write the results of `python -m bench bots` as a page with a chart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import sqrt
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from bench.bots import Pairing, Tally

    Played = Mapping[Pairing, Tally]

FOLDER = Path(__file__).resolve().parent.parent / "docs"
TITLES = {"coloretto": "Coloretto (modern)", "colorado-county": "Colorado County"}
COLOURS = {"random": "#999999", "time-out": "#c58b3b", "easy": "#7aa6c2", "normal": "#2f7d6b", "hard": "#c0392b"}
TARGETS = {
    ("coloretto", "normal", "random"): {2: 95, 3: 85, 4: 85, 5: 85},
    ("coloretto", "hard", "normal"): {2: 60, 3: 48, 4: 40, 5: 35},
    ("colorado-county", "normal", "random"): {2: 95, 3: 95, 4: 95},
    ("colorado-county", "hard", "normal"): {2: 60, 3: 45, 4: 38},
}
"""Win shares in percent."""
BUDGET = 0.2
ENOUGH = 120
"""Matches before a target counts as met or missed."""
INTRODUCTION = """\
# How strong the bots are

For players who choose a level, and for developers who change a strategy. `.venv/bin/python -m bench bots` updates this
page. It takes hours. If you stop it, the next run continues from there. `bench/results/bots.json` stores the results,
each with a fingerprint of how the bots play. If they play differently now, their matches are played again.

In each row, one bot plays against bots of another kind. The bots change seats from match to match. If several players
share a win, each gets a part of it. The intervals are 95% Wilson confidence intervals for the win share. *Random* bots
play any legal move. *Time-out* bots play the harmless moves that Turnpost plays when a player's time runs out. Hard
bots think for at most {budget} seconds of processor time per move, and less if the best move is clear."""


class Share(NamedTuple):
    won: float
    low: float
    high: float


def share(tally: Tally) -> Share:
    """The win share with its 95% Wilson interval."""
    count, z = tally.matches, 1.96
    won = tally.won / count
    middle = (won + z * z / (2 * count)) / (1 + z * z / count)
    reach = z * sqrt(won * (1 - won) / count + z * z / (4 * count * count)) / (1 + z * z / count)
    return Share(won, middle - reach, middle + reach)


def line(pairing: Pairing, tally: Tally) -> str:
    found = share(tally)
    return (
        f"{pairing.game} {pairing.seats}: {pairing.first} against {pairing.second} ({pairing.seconds} s) won "
        f"{found.won:.0%} ({found.low:.0%} to {found.high:.0%}) of {tally.matches}, {milliseconds(tally)}"
    )


def milliseconds(tally: Tally) -> str:
    return f"{1000 * tally.cpu / max(1, tally.moves):.1f} ms"


def page(played: Played) -> str:
    return "\n".join([*lines_of_page(measured(played)), *missing(played)]) + "\n"


def measured(played: Played) -> Played:
    return {pairing: tally for pairing, tally in played.items() if tally.matches}


def missing(played: Played) -> Iterator[str]:
    players: dict[tuple[str, str, str, float], list[str]] = {}
    for pairing, tally in played.items():
        if not tally.matches:
            alike = (TITLES[pairing.game], pairing.first, pairing.second, pairing.seconds)
            players.setdefault(alike, []).append(str(pairing.seats))
    if players:
        yield "\n## Not measured yet\n"
        yield "The next run measures these.\n"
        yield "| game | players | bot | against | seconds per move |"
        yield "|---|---|---|---|---|"
        for (title, first, second, seconds), counts in players.items():
            yield f"| {title} | {', '.join(counts)} | {first} | {second} | {seconds} |"


def lines_of_page(played: Played) -> Iterator[str]:
    yield INTRODUCTION.format(budget=BUDGET)
    yield "\n![Win shares with their intervals](bots.png)\n"
    yield "## Targets\n"
    yield "| game | players | bots | matches | win share | 95% interval | even | target | |"
    yield "|---|---|---|---|---|---|---|---|---|"
    yield from target_rows(played)
    for game, title in TITLES.items():
        yield f"\n## {title}\n"
        yield "| players | bot | against | matches | win share | 95% interval | mean points | others | CPU per move |"
        yield "|---|---|---|---|---|---|---|---|---|"
        robin = [pairing for pairing in played if pairing.game == game and pairing.seconds == BUDGET]
        yield from (row(pairing, played[pairing]) for pairing in sorted(robin, key=lambda one: one.seats))
    yield "\n## How much more time helps\n"
    yield "One hard bot plays against normal bots.\n"
    yield "| game | players | seconds per move | matches | win share | 95% interval | CPU per move |"
    yield "|---|---|---|---|---|---|---|"
    yield from growth_rows(played)


def row(pairing: Pairing, tally: Tally) -> str:
    found = share(tally)
    points, others = tally.points / tally.matches, tally.others / tally.matches
    return (
        f"| {pairing.seats} | {pairing.first} | {pairing.second} | {tally.matches} | {found.won:.0%} | "
        f"{found.low:.0%} to {found.high:.0%} | {points:.1f} | {others:.1f} | {milliseconds(tally)} |"
    )


def target_rows(played: Played) -> Iterator[str]:
    for pairing, tally in played.items():
        target = TARGETS.get((pairing.game, pairing.first, pairing.second), {}).get(pairing.seats)
        if target is None or pairing.seconds != BUDGET:
            continue
        found, even = share(tally), 1 / pairing.seats
        verdict = "met" if found.won >= target / 100 else "MISSED"
        if tally.matches < ENOUGH:
            verdict = "too few matches"
        yield (
            f"| {TITLES[pairing.game]} | {pairing.seats} | {pairing.first} against {pairing.second} | "
            f"{tally.matches} | {found.won:.0%} | {found.low:.0%} to {found.high:.0%} | {even:.0%} | {target}% | "
            f"{verdict} |"
        )


def growing(played: Played) -> dict[str, list[Pairing]]:
    """Return, for each game, the pairing that was played with different thinking times, shortest first."""
    tables = {(pairing.game, pairing.seats) for pairing in played if pairing.seconds != BUDGET}
    found: dict[str, list[Pairing]] = {}
    for pairing in sorted(played, key=lambda one: one.seconds):
        is_one = (pairing.game, pairing.seats) in tables and (pairing.first, pairing.second) == ("hard", "normal")
        if is_one:
            found.setdefault(pairing.game, []).append(pairing)
    return found


def growth_rows(played: Played) -> Iterator[str]:
    for game, timed in growing(played).items():
        for pairing in timed:
            tally = played[pairing]
            found = share(tally)
            yield (
                f"| {TITLES[game]} | {pairing.seats} | {pairing.seconds} | {tally.matches} | {found.won:.0%} | "
                f"{found.low:.0%} to {found.high:.0%} | {milliseconds(tally)} |"
            )


def draw(played: Played, path: Path) -> None:
    """Draw a panel for each game and kind of opponent, with the win share of each bot by the number of players."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(11, 6.5), layout="constrained")
    seconds = list(COLOURS)[:-1]
    panels = figure.subplots(len(TITLES), len(seconds), squeeze=False, sharey=True)
    for panel_row, (game, title) in zip(panels, TITLES.items(), strict=True):
        counts = sorted({pairing.seats for pairing in played if pairing.game == game})
        for axes, second in zip(panel_row, seconds, strict=True):
            draw_panel(axes, {pair: found for pair, found in shares(played, game).items() if pair.second == second})
            axes.plot(counts, [1 / count for count in counts], color="black", linewidth=1, linestyle=":")
            axes.set_title(f"{title}\nagainst {second}", fontsize=9)
            axes.set_xticks(counts)
            axes.set_ylim(0, 1.03)
            axes.spines[["top", "right"]].set_visible(False)
        panel_row[0].set_ylabel("win share")
    figure.suptitle("One bot against others, by number of players; the dotted line is an even share", fontsize=11)
    figure.savefig(path, dpi=100)


def shares(played: Played, game: str) -> dict[Pairing, Share]:
    of_game = sorted([one for one in played if one.game == game and one.seconds == BUDGET], key=lambda one: one.seats)
    return {pairing: share(played[pairing]) for pairing in of_game}


def draw_panel(axes: Axes, found: Mapping[Pairing, Share]) -> None:
    for first, colour in COLOURS.items():
        of_kind = {pairing.seats: share for pairing, share in found.items() if pairing.first == first}
        if of_kind:
            won = [share.won for share in of_kind.values()]
            below = [share.won - share.low for share in of_kind.values()]
            above = [share.high - share.won for share in of_kind.values()]
            axes.errorbar(list(of_kind), won, yerr=[below, above], color=colour, marker="o", capsize=2, label=first)
    if found:
        axes.legend(fontsize=7, frameon=False)


def write(played: Played, folder: Path | None = None) -> None:
    folder = folder or FOLDER
    (folder / "bots.md").write_text(page(played))
    draw(measured(played), folder / "bots.png")
