"""Write the results of `python -m bench bots` as a page with a chart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import sqrt
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from games.bots.players import SECONDS as IN_MATCHES

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from bench.bots import Pairing, Totals

    Played = Mapping[Pairing, Totals]

ROOT = Path(__file__).resolve().parent.parent
FOLDER, OUTPUTS = ROOT / "docs", ROOT / "bench" / "results"
TITLES = {"coloretto": "Coloretto (modern)", "colorado-county": "Colorado County"}
COLOURS = {"random": "#999999", "time-out": "#c58b3b", "easy": "#7aa6c2", "normal": "#2f7d6b", "hard": "#c0392b"}
TARGETS = {
    ("coloretto", "normal", "random"): {2: 95, 3: 85, 4: 85, 5: 85},
    ("coloretto", "hard", "normal"): {2: 60, 3: 48, 4: 40, 5: 35},
    ("colorado-county", "normal", "random"): {2: 95, 3: 95, 4: 95},
    ("colorado-county", "hard", "normal"): {2: 60, 3: 45, 4: 38},
}
"""The target win shares, in percent."""
OTHER_BENCHMARKS = {
    "busy_bots": (
        "How long players wait",
        "100 matches, each with a player and two hard bots, are played at once. The whole service runs in one process\n"
        "with SQLite and one thinking process.",
    ),
    "playouts": (
        "How fast searches play",
        "A search plays random matches to the end. This table compares the moves per second with those of an earlier\n"
        "version, whose playouts also created events and views.",
    ),
}
"""Benchmarks whose output the page shows, with a heading and an explanation."""
COSTS = {"easy": 0.02, "normal": 0.02, "hard": 2.0}
"""The maximum CPU time for a bot's slowest move, in seconds."""
BUDGET = 0.2
ENOUGH = 120
"""The number of matches that must be played before a target counts as met or missed."""
INTRODUCTION = """\
# How strong the bots are

For players who choose a level, and for developers who change a strategy. `.venv/bin/python -m bench bots` updates this
page. A run takes hours. If you stop it, the next one continues where it stopped. `bench/results/bots.json` stores the
results, each with a fingerprint of how the bots play. If the bots have changed since, their matches are played again.

In each row, one bot plays against bots of another kind. The bots change seats from match to match. If several players
share a win, each gets a share of it. The intervals are 95% Wilson confidence intervals for the win share. *Random* bots
play any legal move. *Time-out* bots play the minimal moves that Turnpost makes if a match is created with
`absent: minimal`. Hard bots think for at most {budget} seconds of CPU time per move, and less if the best move is
clear."""

COST = """\
The CPU time for a move. On a virtual machine, it sometimes includes interruptions of up to 0.1 seconds. If a move
of an easy or normal bot seems to take longer than its target, the same match is played again with empty caches, and the
lower of the two times counts for each move. Hard bots never play the same match twice, so their times can include
interruptions. They have {seconds} seconds here, as in real matches, and check the time after every playout, which takes
a few milliseconds at most.
"""


class Share(NamedTuple):
    won: float
    low: float
    high: float


def share(totals: Totals) -> Share:
    """Return the win share and its 95% Wilson interval."""
    count, z = totals.matches, 1.96
    won = totals.won / count
    middle = (won + z * z / (2 * count)) / (1 + z * z / count)
    reach = z * sqrt(won * (1 - won) / count + z * z / (4 * count * count)) / (1 + z * z / count)
    return Share(won, max(0.0, middle - reach), min(1.0, middle + reach))


def line(pairing: Pairing, totals: Totals) -> str:
    found = share(totals)
    return (
        f"{pairing.game} {pairing.seats}: {pairing.first} against {pairing.second} ({pairing.seconds} s) won "
        f"{found.won:.0%} ({found.low:.0%} to {found.high:.0%}) of {totals.matches}, {milliseconds(totals)}"
    )


def milliseconds(totals: Totals) -> str:
    return f"{1000 * totals.cpu / max(1, totals.moves):.1f} ms"


def slowest(totals: Totals) -> str:
    return f"{1000 * totals.longest:,.0f} ms"


def page(played: Played) -> str:
    return "\n".join([*lines_of_page(measured(played)), *missing(played)]) + "\n"


def measured(played: Played) -> Played:
    return {pairing: totals for pairing, totals in played.items() if totals.matches}


def missing(played: Played) -> Iterator[str]:
    players: dict[tuple[str, str, str, float], list[str]] = {}
    for pairing, totals in played.items():
        if not totals.matches:
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
    yield "\n## Cost\n"
    yield COST.format(seconds=IN_MATCHES)
    yield "| game | bot | moves | mean | slowest | target | |"
    yield "|---|---|---|---|---|---|---|"
    yield from cost_rows(played)
    for game, title in TITLES.items():
        yield f"\n## {title}\n"
        yield "| players | bot | against | matches | won | 95% interval | points | others | CPU per move | slowest |"
        yield "|---|---|---|---|---|---|---|---|---|---|"
        robin = [pairing for pairing in played if pairing.game == game and pairing.seconds == BUDGET]
        yield from (row(pairing, played[pairing]) for pairing in sorted(robin, key=lambda one: one.seats))
    yield "\n## How much more time helps\n"
    yield "One hard bot plays against normal bots. It stops thinking as soon as one move is clearly best, so it rarely"
    yield "uses all of its time. These results don't show that more time makes a hard bot stronger: the win shares"
    yield "differ by less than their intervals.\n"
    yield "| game | players | seconds per move | matches | win share | 95% interval | CPU per move | slowest |"
    yield "|---|---|---|---|---|---|---|---|"
    yield from growth_rows(played)
    yield from outputs()


def outputs() -> Iterator[str]:
    for part, (title, explanation) in OTHER_BENCHMARKS.items():
        output = OUTPUTS / f"{part}.txt"
        if output.exists():
            yield f"\n## {title}\n\n{explanation} `.venv/bin/python -m bench {part}` updates this.\n"
            yield f"```\n{output.read_text().rstrip()}\n```"


def save_output(part: str, lines: Sequence[str], about: str) -> None:
    """Store the output of a benchmark. The next call of `write` puts it on the page."""
    (OUTPUTS / f"{part}.txt").write_text("\n".join([about, "", *lines]) + "\n")


def row(pairing: Pairing, totals: Totals) -> str:
    found = share(totals)
    points, others = totals.points / totals.matches, totals.others / totals.matches
    return (
        f"| {pairing.seats} | {pairing.first} | {pairing.second} | {totals.matches} | {found.won:.0%} | "
        f"{found.low:.0%} to {found.high:.0%} | {points:.1f} | {others:.1f} | {milliseconds(totals)} | "
        f"{slowest(totals)} |"
    )


def target_rows(played: Played) -> Iterator[str]:
    for pairing, totals in played.items():
        target = TARGETS.get((pairing.game, pairing.first, pairing.second), {}).get(pairing.seats)
        if target is None or pairing.seconds != BUDGET:
            continue
        found, even = share(totals), 1 / pairing.seats
        result = "met" if found.won >= target / 100 else "MISSED"
        if totals.matches < ENOUGH:
            result = "too few matches"
        yield (
            f"| {TITLES[pairing.game]} | {pairing.seats} | {pairing.first} against {pairing.second} | "
            f"{totals.matches} | {found.won:.0%} | {found.low:.0%} to {found.high:.0%} | {even:.0%} | {target}% | "
            f"{result} |"
        )


def cost_rows(played: Played) -> Iterator[str]:
    """Compare each bot's slowest move with its target."""
    for game, title in TITLES.items():
        for kind, target in COSTS.items():
            seconds = IN_MATCHES if kind == "hard" else BUDGET
            of_kind = [
                totals
                for pairing, totals in played.items()
                if (pairing.game, pairing.first, pairing.seconds) == (game, kind, seconds)
            ]
            if not of_kind:
                continue
            moves, longest = sum(totals.moves for totals in of_kind), max(totals.longest for totals in of_kind)
            mean = sum(totals.cpu for totals in of_kind) / moves
            yield (
                f"| {title} | {kind} | {moves:,} | {1000 * mean:.1f} ms | {1000 * longest:,.0f} ms | "
                f"{1000 * target:,.0f} ms | {'met' if longest <= target else 'MISSED'} |"
            )


def growing(played: Played) -> dict[str, list[Pairing]]:
    """Return, for each game, the pairing that was played with several thinking times, starting with the shortest."""
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
            totals = played[pairing]
            found = share(totals)
            yield (
                f"| {TITLES[game]} | {pairing.seats} | {pairing.seconds} | {totals.matches} | {found.won:.0%} | "
                f"{found.low:.0%} to {found.high:.0%} | {milliseconds(totals)} | {slowest(totals)} |"
            )


def draw(played: Played, path: Path) -> None:
    """Draw a panel for each game and opponent, with the win share of each bot by number of players."""
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
