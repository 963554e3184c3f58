"""Write the results as a page, with a chart that compares them with their targets."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench import machine
from bench.processes import FAILED

Measured = Mapping[str, Sequence[str]]
"""The lines that each benchmark has printed."""
FOLDER = Path(__file__).resolve().parent.parent / "docs"
TARGET = re.compile(r"\s*target(?: for |: )(?P<asked>.*?); (?P<found>.*): (?P<result>met|MISSED)")
NOT_MEASURED = "not measured: "
MET, MISSED, QUIET = "#2f7d6b", "#c0392b", "#555555"
ON_WHITE = {"facecolor": "white", "edgecolor": "none", "pad": 1}
NUMBER = re.compile(r"(?<!\w)\d[\d,]*(?:\.\d+)?")
INTRODUCTION = """\
# Figures

For operators who plan capacity, and for developers who want to keep Turnpost fast. `make bench` updates this page. To
run a single benchmark, name it: `.venv/bin/python -m bench http`.

Most benchmarks also measure a *floor*, alternating with our code: a simple program that does only the necessary part
of the same work. Each section says what its floor does. Most targets say how close to the floor we want to be. The
speed of a machine varies from one minute to the next, so compare figures only within a row."""
EXPLAINED = {
    "engine": (
        "Engine",
        "The engine plays random matches on one core. For each move, it finds the seats whose turn it is, lists all\n"
        "choices and plays one of them. The floor is the same game as a simple loop that changes lists in place\n"
        "and checks nothing.",
    ),
    "visits": ("Visits", "How often a player has to visit a match, with and without standing orders."),
    "mails": (
        "Emails",
        "The cost of writing an email, and how many emails a player gets in a match that is played only by mail.",
    ),
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
        "The time from a request to its response, after the commit. Both floors use the same framework and web\n"
        "server, check the token, and do a move's reads and writes without the rules: `orm` uses Django's ORM, and\n"
        "`sql` uses hand-written SQL, one statement at a time. boardgame.io plays Coloretto with its own file\n"
        "storage. It doesn't wait until a move is on the disk (fsync). Turnpost and the floors do.\n"
        "\n"
        "SQLite is measured with fewer callers. The embedded service has eight threads, and SQLite lets only one\n"
        "of them write at a time, so with 32 callers most of the time would be spent waiting in a queue.",
    ),
    "reads": (
        "Reads over HTTP",
        "Requests for a running match, for the same match if it hasn't changed (304), and for a list of ten matches.\n"
        "The floor uses the same framework. It checks the token and reads the same rows with hand-written SQL, one\n"
        "statement at a time, and returns them as JSON, without the position.",
    ),
    "before": (
        "Compared with an earlier version",
        "The same moves on the current version and on an earlier one, measured alternately and with the same Python\n"
        "packages.",
    ),
    "pages": (
        "Web pages",
        "The CPU time for a page, compared with the API calls that return the same data, and the size of a first view\n"
        "with style sheet and scripts, compressed.",
    ),
    "notifications": (
        "Notifications",
        "How fast a worker writes and sends emails. The floor is a loop that sends the same bytes, prepared in\n"
        "advance, over one connection.",
    ),
    "webhooks": (
        "Webhooks",
        "The time from the commit to the call, while another account's webhooks go to hosts that never respond. The\n"
        "floor is the same call in an idle service.",
    ),
    "stream": (
        "Event streams",
        "Memory and CPU time of idle streams, and the time from the commit of a move to a client. There is no floor.",
    ),
    "storage": (
        "Storage",
        "How much space a finished match takes up, including indexes, before and after it is archived. Chat is not\n"
        "counted, nor are rows that are deleted after some days. There is no floor.",
    ),
    "cli": (
        "Command line",
        "The time to run a whole command, and the requests that it sends to play a move. The floor for the time is a\n"
        "minimal script that does the same thing.",
    ),
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
    def margin(self) -> float | None:
        """How many times better the figure is than its target. A margin below 1 means that the target was missed.

        It is None if there is no ratio, because the target has no number or something is 0.
        """
        asked, found = NUMBER.findall(self.asked.rpartition(": ")[2]), NUMBER.findall(self.found)
        wanted, reached = (number(numbers[place]) if numbers else 0 for numbers, place in ((asked, 0), (found, -1)))
        if not wanted or not reached:
            return None
        ratio = reached / wanted
        return ratio if (ratio >= 1) == self.met else 1 / ratio

    @property
    def label(self) -> str:
        return f"{self.part} · {self.asked}"


def target_line(asked: str, found: str, is_met: bool) -> str:
    """Write the line for a target, which becomes a row on the page."""
    return f"target: {asked}; {found}: {'met' if is_met else 'MISSED'}"


def number(written: str) -> float:
    return float(written.replace(",", ""))


def targets(measured: Measured) -> list[Target]:
    found = [(part, TARGET.fullmatch(line)) for part, lines in measured.items() for line in lines]
    return [Target(part, match["asked"], match["found"], match["result"]) for part, match in found if match]


def failed(measured: Measured) -> list[str]:
    """Return the benchmarks that ended with an error."""
    return [part for part, lines in measured.items() if any(line.startswith(FAILED) for line in lines)]


def summary(measured: Measured) -> Iterator[str]:
    """Say how many targets are met, and list those that aren't and everything that wasn't measured."""
    found = targets(measured)
    yield f"{sum(target.met for target in found)} of {len(found)} targets are met."
    yield from (f"MISSED: {target.label}; {target.found}" for target in found if not target.met)
    yield from (
        f"{part}: {line}" for part, lines in measured.items() for line in lines if line.startswith(NOT_MEASURED)
    )


def page(measured: Measured) -> str:
    return "\n".join(lines_of_page(measured)) + "\n"


def lines_of_page(measured: Measured) -> Iterator[str]:
    found = targets(measured)
    yield f"{INTRODUCTION}\n"
    yield f"{machine.described()}\n"
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
    """Draw a bar for each target that has a margin."""
    from matplotlib.figure import Figure

    bars = [(target, target.margin) for target in found if target.margin is not None]
    figure = Figure(figsize=(11, 1 + 0.27 * len(bars)), layout="constrained")
    axes = figure.subplots()
    rows = [len(bars) - number for number in range(len(bars))]
    colors = [MET if target.met else MISSED for target, _ in bars]
    drawn = axes.barh(rows, [margin for _, margin in bars], height=0.7, color=colors)
    axes.bar_label(drawn, [f"{margin:.2f}" for _, margin in bars], padding=4, fontsize=8, color=QUIET, bbox=ON_WHITE)
    axes.axvline(1, color="black", linewidth=1)
    axes.set_yticks(rows, [target.label for target, _ in bars], fontsize=9)
    axes.set_ylim(0.3, len(bars) + 0.7)
    axes.tick_params(left=False)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.set_title("How many times better than the target; below 1, the target is missed", loc="right", fontsize=11)
    figure.savefig(path, dpi=100)


def write(measured: Measured, folder: Path = FOLDER) -> None:
    (folder / "figures.md").write_text(page(measured))
    draw(targets(measured), folder / "figures.png")
