"""Write the results as a page, with a chart that compares them with their targets."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "docs"
TARGET = re.compile(r"\s*target(?: for |: )(?P<asked>.*?); (?P<found>.*): (?P<result>met|MISSED)")
MET, MISSED, QUIET = "#2f7d6b", "#c0392b", "#555555"
ON_WHITE = {"facecolor": "white", "edgecolor": "none", "pad": 1}
NUMBER = re.compile(r"(?<!\w)\d[\d,]*(?:\.\d+)?")
INTRODUCTION = """\
# Figures

For operators who plan capacity, and for developers who want to keep Turnpost fast. `make bench` updates this page. To
run a single benchmark, name it: `.venv/bin/python -m bench http`.

Each benchmark also measures a *floor*: the same work in its cheapest possible form, in the same run. Most targets say
how close to the floor we want to be. The speed of a machine varies from one minute to the next, so compare figures
only within a row."""
EXPLAINED = {
    "engine": (
        "Engine",
        "The engine plays random matches on one core. For each move, it finds the seat to move, lists all choices and\n"
        "plays one of them. The floor is the same game as a simple loop that changes lists in place\n"
        "and checks nothing.",
    ),
    "visits": ("Visits", "How often a player has to visit a match, with and without planning picks in advance."),
    "waiting": (
        "Matches waiting for a player",
        "The time for one page of the list. The floor is a single round trip to the database.",
    ),
    "clock": (
        "The clock's sweep",
        "The sweep finds the matches that are due and handles them. The floor does the same reads and writes by\n"
        "primary key, without searching and without the rules.",
    ),
    "http": (
        "Moves over HTTP",
        "The time from a request to its response, after the commit. Both floors run behind the same web server and do\n"
        "the same reads and writes, but without the rules: `orm` uses Django's ORM, `sql` uses hand-written SQL.",
    ),
    "pages": (
        "Web pages",
        "The CPU time for a page, compared with the API calls that return the same data, and the size of a first view\n"
        "with style sheet and scripts, compressed.",
    ),
    "notifications": (
        "Notifications",
        "How fast a worker sends emails. The floor is a loop that writes and sends the same emails over\n"
        "one connection.",
    ),
    "webhooks": (
        "Webhooks",
        "The time from the commit to the call, while another account's webhooks go to hosts that never respond. The\n"
        "floor is the same call in an idle service.",
    ),
    "cli": ("Command line", "The time to run a whole command. The floor is a minimal script that does the same."),
}


@dataclass(frozen=True)
class Target:
    part: str
    asked: str
    found: str
    result: str

    @property
    def met(self) -> bool:
        return self.result == "met"

    @property
    def margin(self) -> float:
        """How many times better than the target this is. Below 1, the target is missed."""
        ratio = number(NUMBER.findall(self.found)[-1]) / number(NUMBER.findall(self.asked.rpartition(": ")[2])[0])
        return ratio if (ratio >= 1) == self.met else 1 / ratio

    @property
    def label(self) -> str:
        return f"{self.part} · {self.asked}"


def number(written: str) -> float:
    return float(written.replace(",", ""))


def targets(measured: Mapping[str, Sequence[str]]) -> list[Target]:
    found = [(part, TARGET.fullmatch(line)) for part, lines in measured.items() for line in lines]
    return [Target(part, match["asked"], match["found"], match["result"]) for part, match in found if match]


def page(measured: Mapping[str, Sequence[str]]) -> str:
    return "\n".join(lines_of_page(measured)) + "\n"


def lines_of_page(measured: Mapping[str, Sequence[str]]) -> Iterator[str]:
    found = targets(measured)
    yield f"{INTRODUCTION}\n"
    yield f"{sum(target.met for target in found)} of {len(found)} targets are met.\n"
    yield "![Each benchmark compared with its target](figures.png)\n"
    yield "| benchmark | target | measured | |"
    yield "|---|---|---|---|"
    yield from (f"| {target.part} | {target.asked} | {target.found} | {target.result} |" for target in found)
    for part, lines in measured.items():
        title, explanation = EXPLAINED.get(part, (part.title(), ""))
        yield f"\n## {title}\n"
        if explanation:
            yield f"{explanation}\n"
        yield "```"
        yield from (line.rstrip() for line in lines)
        yield "```"


def draw(found: Sequence[Target], path: Path) -> None:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(11, 1 + 0.27 * len(found)), layout="constrained")
    axes = figure.subplots()
    rows = [len(found) - number for number in range(len(found))]
    drawn = axes.barh(
        rows, [target.margin for target in found], height=0.7, color=[MET if target.met else MISSED for target in found]
    )
    axes.bar_label(
        drawn, [f"{target.margin:.2f}" for target in found], padding=4, fontsize=8, color=QUIET, bbox=ON_WHITE
    )
    axes.axvline(1, color="black", linewidth=1)
    axes.set_yticks(rows, [target.label for target in found], fontsize=9)
    axes.set_ylim(0.3, len(found) + 0.7)
    axes.tick_params(left=False)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.set_title("How many times better than the target; below 1, the target is missed", loc="left", fontsize=11)
    figure.savefig(path, dpi=100)


def write(measured: Mapping[str, Sequence[str]], folder: Path = FOLDER) -> None:
    (folder / "figures.md").write_text(page(measured))
    draw(targets(measured), folder / "figures.png")
