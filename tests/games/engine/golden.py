"""Golden playthroughs: whole matches as readable text, which the tests replay.

A file has a heading (game, seats, options, seed), every move with its events, a board now and then, and the result.
Everything follows from the heading and the moves. `python -m tests.games.engine.golden` replays the matches and
rewrites the files. If a setup has no file, a new match is played with bots or random moves.
"""

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from games.engine.dice import Dice
from games.engine.names import Names
from games.engine.records import Event
from games.engine.registry import AnyEngine, engine
from tests.games.engine.colorado_county import bot
from tests.games.engine.playing import seed_of, walk
from tests.games.engine.setups import Setup, setups

FOLDER = Path(__file__).parent / "golden"
NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve")
RECORDED = [
    *setups("colorado-county", (2,)),
    *setups("colorado-county", (3,), "players", flags="players"),
    *setups("colorado-county", (4,), "one", consolation="one"),
    *setups("coloretto", (3, 4, 5), "classic-single", edition="classic", games=1),
    *setups("coloretto", (2, 4), "modern", edition="modern"),
    *setups("coloretto", (3,), "modern-double", edition="modern", games=2),
    *setups("coloretto", (5,), "violet", edition="modern", scoring="violet"),
]
"""One match for each edition and player count. Together, they cover every option."""
BOTS = {"colorado-county": bot.decide_at_times_without_a_plan}
MOVES_BETWEEN_PICTURES = 40
MOVE = re.compile(rf"({'|'.join(NAMES)}): (.+)")


class Playthrough(NamedTuple):
    game: str
    seats: int
    options: dict[str, Any]
    seed: bytes
    moves: list[tuple[str, str]]
    """The name of the player and the move, for each move in order."""


def path(setup: Setup) -> Path:
    return FOLDER / f"{setup}.txt"


def read(text: str) -> Playthrough:
    heading = dict(re.findall(r"^(game|seats|options|seed): (.+)$", text, re.MULTILINE))
    moves = [(found[1], found[2]) for line in text.splitlines() if (found := MOVE.fullmatch(line))]
    options, seed = json.loads(heading["options"]), bytes.fromhex(heading["seed"])
    return Playthrough(heading["game"], int(heading["seats"]), options, seed, moves)


def told(game: AnyEngine, events: Iterable[Event], names: Names) -> Iterator[str]:
    for event in events:
        audience = event.audience()
        only = "" if audience is None else f"(only {', '.join(names[seat] for seat in sorted(audience))}) "
        yield from (f"  {line}" for line in (only + game.tell(event, names)).split("\n"))


def pictured(game: AnyEngine, state: Any, seat: int, names: Names) -> Iterator[str]:
    yield from ("", f"    as {names[seat]} sees it")
    yield from (
        f"    | {line}".rstrip() for line in game.picture(game.view(state, seat), Names(names.names, seat)).splitlines()
    )
    yield ""


def result(game: AnyEngine, state: Any, names: Names) -> Iterator[str]:
    outcome = game.outcome(state)
    assert outcome
    ranking = sorted(range(len(names)), key=lambda seat: outcome.places[seat])
    yield from ("", f"result: {outcome.reason}")
    yield from (f"  {outcome.places[seat]}. {names[seat]}, {outcome.points[seat]} points" for seat in ranking)


def heading(played: Playthrough) -> Iterator[str]:
    yield from (f"game: {played.game}", f"seats: {played.seats}", f"options: {json.dumps(played.options)}")
    yield from (f"seed: {played.seed.hex()}", "")


def story(played: Playthrough) -> Iterator[str]:
    game, names, turn = engine(played.game), Names(NAMES[: played.seats]), 1
    state, events, _ = game.new_match(played.seats, game.read_options(played.options), Dice(played.seed, 0))
    yield from told(game, events, names)
    for number, (name, written) in enumerate(played.moves, start=1):
        seat = NAMES.index(name)
        if number % MOVES_BETWEEN_PICTURES == 0:
            yield from pictured(game, state, seat, names)
        yield f"{name}: {written}"
        state, events, quiet = game.play(state, seat, game.parse(written), Dice(played.seed, turn))
        turn += not quiet
        yield from told(game, events, names)
    yield from result(game, state, names)


def render(played: Playthrough) -> str:
    return "\n".join([*heading(played), *story(played)]) + "\n"


def invented(setup: Setup) -> Playthrough:
    number = 2026
    steps = walk(setup, number, BOTS.get(setup.slug))
    moves = [(NAMES[step.seat], setup.engine.notation(step.move)) for step in steps]
    options = msgspec.to_builtins(setup.options)
    return Playthrough(setup.slug, setup.seats, options, seed_of("match", number), moves)


def write(setup: Setup) -> None:
    file = path(setup)
    played = read(file.read_text("utf-8")) if file.exists() else invented(setup)
    file.write_text(render(played), "utf-8")


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for each in RECORDED:
        write(each)
