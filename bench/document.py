"""Write the results as a page, and a chart of how far each figure is from its bar."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "docs"
BAR = re.compile(r"\s*(?P<bar>bar.*?); (?P<found>.*): (?P<result>met|MISSED)")
MET, MISSED, QUIET = "#2f7d6b", "#c0392b", "#555555"
ON_WHITE = {"facecolor": "white", "edgecolor": "none", "pad": 1}
NUMBER = re.compile(r"(?<!\w)\d[\d,]*(?:\.\d+)?")
INTRODUCTION = """\
# Figures

For operators who plan capacity and developers who change the path of a move. `make bench` writes this page; to measure
one part, run for example `.venv/bin/python -m bench http`.

Every figure is measured in the same run as its floor, the least that the same work could cost. The bar says how close
it must come. The speed of a machine varies from one minute to the next, so compare figures only within a row."""
EXPLAINED = {
    "engine": (
        "Engine",
        "Random playouts on one core: the seats to move, all choices and the play with its events. The floor is the\n"
        "same game as a naive loop that changes lists in place and checks nothing.",
    ),
    "visits": ("Visits", "How often a player has to visit a match, with and without plans for later picks."),
    "waiting": (
        "Matches waiting for a player",
        "One page of the list. The floor is one bare round trip to the database.",
    ),
    "clock": (
        "The clock's sweep",
        "The floor does the same reads and writes by primary key, without searching and without rules.",
    ),
    "http": (
        "Moves over HTTP",
        "From the request to the response after the commit, with full durability. Both floors run behind the same\n"
        "server and play nothing: `orm` does the same reads and writes through the ORM, `sql` in hand-written SQL.",
    ),
    "notifications": (
        "Notifications",
        "From the row to the mail server's OK. The floor is a loop that writes and sends the same emails over one "
        "connection.",
    ),
    "webhooks": (
        "Webhooks",
        "From the commit to the call, while another account's webhooks lead to hosts that never answer. The floor is\n"
        "the same call in an idle service.",
    ),
    "cli": ("Command line", "Whole processes. The floor is a bare script that does the least of the same."),
}


@dataclass(frozen=True)
class Bar:
    part: str
    asked: str
    found: str
    result: str

    @property
    def met(self) -> bool:
        return self.result == "met"

    @property
    def margin(self) -> float:
        """How many times better than the bar the figure is; below 1 it misses the bar."""
        ratio = number(NUMBER.findall(self.found)[-1]) / number(NUMBER.findall(self.asked.partition(": ")[2])[0])
        return ratio if (ratio >= 1) == self.met else 1 / ratio

    @property
    def label(self) -> str:
        return f"{self.part} · {self.asked.removeprefix('bar').removeprefix(' for ').removeprefix(': ')}"


def number(written: str) -> float:
    return float(written.replace(",", ""))


def bars(measured: Mapping[str, Sequence[str]]) -> list[Bar]:
    found = [(part, BAR.fullmatch(line)) for part, lines in measured.items() for line in lines]
    return [Bar(part, match["bar"], match["found"], match["result"]) for part, match in found if match]


def page(measured: Mapping[str, Sequence[str]]) -> str:
    return "\n".join(lines_of_page(measured)) + "\n"


def lines_of_page(measured: Mapping[str, Sequence[str]]) -> Iterator[str]:
    found = bars(measured)
    yield f"{INTRODUCTION}\n"
    yield f"Of {len(found)} bars, {sum(bar.met for bar in found)} are met.\n"
    yield "![How far each figure is from its bar](figures.png)\n"
    yield "| part | bar | found | |"
    yield "|---|---|---|---|"
    yield from (f"| {bar.part} | {bar.asked} | {bar.found} | {bar.result} |" for bar in found)
    for part, lines in measured.items():
        title, explanation = EXPLAINED.get(part, (part.title(), ""))
        yield f"\n## {title}\n"
        if explanation:
            yield f"{explanation}\n"
        yield "```"
        yield from (line.rstrip() for line in lines)
        yield "```"


def draw(found: Sequence[Bar], path: Path) -> None:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(11, 1 + 0.27 * len(found)), layout="constrained")
    axes = figure.subplots()
    rows = [len(found) - number for number in range(len(found))]
    drawn = axes.barh(
        rows, [bar.margin for bar in found], height=0.7, color=[MET if bar.met else MISSED for bar in found]
    )
    axes.bar_label(drawn, [f"{bar.margin:.2f}" for bar in found], padding=4, fontsize=8, color=QUIET, bbox=ON_WHITE)
    axes.axvline(1, color="black", linewidth=1)
    axes.set_yticks(rows, [bar.label for bar in found], fontsize=9)
    axes.set_ylim(0.3, len(found) + 0.7)
    axes.tick_params(left=False)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.set_title("Times better than the bar; figures left of the line miss it", loc="left", fontsize=11)
    figure.savefig(path, dpi=100)


def write(measured: Mapping[str, Sequence[str]], folder: Path = FOLDER) -> None:
    (folder / "figures.md").write_text(page(measured))
    draw(bars(measured), folder / "figures.png")
